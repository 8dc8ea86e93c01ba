/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rebuild whose result says whether it was right.  It allocates nothing itself and takes no
 * lock of the harness, so a forked child of a program with threads can call it.
 */
#ifndef PXR_UNIT_REBUILD_H
#define PXR_UNIT_REBUILD_H

#include <stdbool.h>

#include "stripe.h"

/* The most bytes of a shard. */
#define REBUILD_LEN 256

/* How many ways there are to lose two shards of a stripe. */
unsigned rebuild_pairs(const struct stripe *full);

/* Loses the `number`th pair of shards and rebuilds it by pxr_reconstruct(). */
bool rebuild_pair(const pxr_code *code, const struct stripe *full, unsigned number);

/* The same by a plan, which must be the plan for this pair. */
bool rebuild_by_plan(const pxr_plan *plan, const struct stripe *full, unsigned number);

/* The plan for the `number`th pair. */
pxr_plan *rebuild_plan(const pxr_code *code, const struct stripe *full, unsigned number);

/*
 * Tests, in a child of fork(), what the child inherited: a plan of pair 0, and a code.
 * Rebuilds 100 pairs from `first` on, twice.  Most of these pairs are new to the code.  Then
 * locates a wrong shard, and frees the code.  The child dies if it takes longer than a minute,
 * which is a hundred times what it should take.
 */
bool rebuild_in_child(pxr_code *code, const pxr_plan *plan, const struct stripe *full,
                      unsigned first);

#endif
