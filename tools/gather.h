/* SPDX-License-Identifier: BSD-3-Clause */
/* The cells of a stripe, from the shards of a set. */
#ifndef PXR_TOOLS_GATHER_H
#define PXR_TOOLS_GATHER_H

#include "survey.h"

/*
 * Load cells, those of data first, until `enough` are good or none is left, and
 * tell the survey what was found.  A cell that is bad in one copy of a shard is
 * taken from the next; when all shards are asked for, every copy is looked at.
 */
void gather_cells(const struct shard_set *set, struct stripe *stripe, unsigned enough,
                  struct survey *survey);

/*
 * Rebuild cells of a gathered stripe: those of the first `count` shards that
 * are not at hand, and for which wanted (NULL: any) is true.  Fails with a
 * message when fewer than k cells are good.
 */
int gather_rebuild(const struct shard_set *set, struct stripe *stripe, unsigned count,
                   const bool *wanted);

#endif
