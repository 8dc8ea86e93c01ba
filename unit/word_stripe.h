/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Codes of words for the tests of permxor.h, and the check of their results: products bit by
 * bit.
 */
#ifndef PXR_UNIT_WORD_STRIPE_H
#define PXR_UNIT_WORD_STRIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "permxor.h"
#include "stripe.h"

struct word_shape {
    enum pxr_matrix matrix;
    unsigned k, m, w;
};

/* A code that must exist; dies otherwise. */
pxr_code *word_code(const struct word_shape *shape);

/* Begins a case that is named after the shape. */
bool word_case(const char *what, const struct word_shape *shape);

/* Random data and its parity by pxr_encode(), which is for the caller to judge. */
struct stripe word_stripe(const pxr_code *code, size_t len);

/* a*b in gf-complete's field of w = 4, 8, 16 or 32 bits. */
uint32_t word_product(uint32_t a, uint32_t b, unsigned w);

/* Word `index` of a shard at any address; of 4 bits, the one in the low nibble comes first. */
uint32_t word_at(const void *shard, size_t index, unsigned w);

/* What the code multiplies data shard j by for parity shard r, at coefficients[r*k + j]: the
   parity of shards of which each has a single 1, in a word of its own. */
void word_coefficients(const pxr_code *code, uint32_t *coefficients);

/* Whether these are jerasure's, by the formula. */
bool word_coefficients_are_right(const struct word_shape *shape, const uint32_t *coefficients);

/* Checks the parity of shards of len bytes in about `most` words of each, spread over it. */
void word_check_parity(const struct word_shape *shape, const uint32_t *coefficients,
                       uint8_t *const *shard, size_t len, size_t most);

/* Loses some shards of a stripe and checks that pxr_reconstruct() writes those that it is asked
   for, as they were, and nothing else. */
void word_rebuild(const pxr_code *code, const struct stripe *full, const bool *lost,
                  const bool *written);

#endif
