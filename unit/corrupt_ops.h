/* SPDX-License-Identifier: BSD-3-Clause */
/* Random corruptions of the shards in a folder. */
#ifndef PXR_UNIT_CORRUPT_OPS_H
#define PXR_UNIT_CORRUPT_OPS_H

#include "corrupt_folder.h"
#include "corrupt_random.h"

enum { STORY = 600 };

/*
 * Corrupts some files of a folder, in a random number of random ways.  The first files of the
 * folder are the shards of `set`.  Foreign shards and records come from `other`, if that set is
 * in use. `story` gets a text that says what was done.
 */
void corrupt_folder(struct folder *folder, const struct original *set,
                    const struct original *other, struct dice *dice, char story[STORY]);

#endif
