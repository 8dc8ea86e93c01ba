/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The shards of one code for the tests of permxor.h.  Each shard is misaligned or at the edge
 * of an inaccessible page, between canaries.  judge.h computes the parity.
 */
#ifndef PXR_UNIT_STRIPE_H
#define PXR_UNIT_STRIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check.h"
#include "permxor.h"

struct stripe {
    unsigned k, m;
    size_t len;
    struct check_guard guard[PXR_MAX_WORD_SHARDS];
    uint8_t *shard[PXR_MAX_WORD_SHARDS]; /* NULL beyond k+m */
};

/* Creates a code.  Exits if this fails. */
pxr_code *stripe_code(unsigned k, unsigned m, enum pxr_matrix matrix);

/* Shards whose bytes all have one value, which stripe_intact() knows. */
struct stripe stripe_blank(unsigned k, unsigned m, size_t len);

/* Writes the parity of the data, as judge.h computes it. */
void stripe_judge(const pxr_code *code, const struct stripe *s);

/* Random data and its parity. */
struct stripe stripe_random(const pxr_code *code, size_t len);

/* The same bytes in other buffers. */
struct stripe stripe_copy(const struct stripe *s);

void stripe_free(struct stripe *s);

/* Whether two stripes of the same shape hold the same shards. */
bool stripe_equal(const struct stripe *a, const struct stripe *b);

/* Whether the canaries around every shard are intact, and all shards that were not written
   still hold the bytes of stripe_blank().  written[i] says whether shard i was written.  If
   `written` is NULL, none was. */
bool stripe_intact(const struct stripe *s, const bool *written);

/* The shards as the functions of permxor.h take them: inputs, and outputs. */
uint8_t *const *stripe_in(const struct stripe *s);
uint8_t *const *stripe_parity(const struct stripe *s);

/*
 * Chooses `count` data shards of `old` to change, and fills in the arguments of an update.
 * Most of these shards become those of `new`.  The others change by a difference: from[] is
 * NULL, and the shard of `new` is added.
 *
 * `want` is a copy of `old`.  Writes to its data shards what they hold after the update.
 * Returns `count`.
 */
unsigned stripe_change(const struct stripe *old, const struct stripe *new, unsigned count,
                       struct stripe *want, unsigned *index, uint8_t **from, uint8_t **to);

/* Chooses `count` of `total` at random: chosen[i] says whether i is chosen. */
void stripe_choose(bool *chosen, unsigned total, unsigned count);

#endif
