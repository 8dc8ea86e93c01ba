/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Codes of words for the tests of permxor.h.  Their results are checked by products that are
 * computed bit by bit.
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

/* Creates a code.  Exits if this fails. */
pxr_code *word_code(const struct word_shape *shape);

/* Begins a case that is named after the shape. */
bool word_case(const char *what, const struct word_shape *shape);

/* Random data and its parity.  pxr_encode() computes the parity, so the caller has to check
   it. */
struct stripe word_stripe(const pxr_code *code, size_t len);

/* a*b in gf-complete's field of w = 4, 8, 16 or 32 bits. */
uint32_t word_product(uint32_t a, uint32_t b, unsigned w);

/* Word `index` of a shard, which may have any address.  With w = 4, the low nibble of a byte is
   the first word. */
uint32_t word_at(const void *shard, size_t index, unsigned w);

/* Sets coefficients[r*k + j] to the coefficient of data shard j in parity shard r.  It encodes
   data shards that each have a single 1, each in another word, and reads the coefficients from
   the parity. */
void word_coefficients(const pxr_code *code, uint32_t *coefficients);

/* Whether these are the coefficients of jerasure, by their formula. */
bool word_coefficients_are_right(const struct word_shape *shape, const uint32_t *coefficients);

/* Checks about `most` words of each parity shard.  The words are spread over its len bytes. */
void word_check_parity(const struct word_shape *shape, const uint32_t *coefficients,
                       uint8_t *const *shard, size_t len, size_t most);

/* Loses some shards of a stripe.  Checks that pxr_reconstruct() restores the shards that it is
   asked for (`written`), and writes nothing else. */
void word_rebuild(const pxr_code *code, const struct stripe *full, const bool *lost,
                  const bool *written);

#endif
