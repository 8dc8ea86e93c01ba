/* SPDX-License-Identifier: BSD-3-Clause */
/* What may happen to the shards of a folder. */
#ifndef PXR_UNIT_CORRUPT_OPS_H
#define PXR_UNIT_CORRUPT_OPS_H

#include "corrupt_folder.h"
#include "corrupt_random.h"

enum { STORY = 600 };

/*
 * Do a random number of random things to some files of a folder that begins
 * with the shards of `set`; `other` is a set to take foreign shards and records
 * from, or not in use.  `story` tells what was done.
 */
void corrupt_folder(struct folder *folder, const struct original *set,
                    const struct original *other, struct dice *dice, char story[STORY]);

#endif
