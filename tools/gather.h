/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the cells of a stripe from the shards of a set. */
#ifndef PXR_TOOLS_GATHER_H
#define PXR_TOOLS_GATHER_H

#include "survey.h"

/*
 * Loads cells, first those of data, until `enough` are good or none is left, and reports the
 * findings to the survey.  When a cell is bad in one copy of a shard, it is taken from the next
 * copy.  When all shards are asked for, every copy is read.
 */
void gather_cells(const struct shard_set *set, struct stripe *stripe, unsigned enough,
                  struct survey *survey);

/*
 * Rebuilds cells of a gathered stripe: those of the first `count` shards that are missing, and
 * for which wanted is true (NULL: any).  Fails with a message when fewer than k cells are good.
 */
int gather_rebuild(const struct shard_set *set, struct stripe *stripe, unsigned count,
                   const bool *wanted);

/*
 * Returns PXR_OK if the good cells of a stripe belong together, and PXR_EMISMATCH if one of
 * them is wrong although its checksum is right.  All data cells have to be good or rebuilt.
 * With only k good cells there is nothing to compare.
 */
int gather_compare(const struct shard_set *set, const struct stripe *stripe);

#endif
