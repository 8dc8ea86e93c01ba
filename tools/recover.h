/* SPDX-License-Identifier: BSD-3-Clause */
/* Journals beside shards that interrupted repairs have left. */
#ifndef PXR_TOOLS_RECOVER_H
#define PXR_TOOLS_RECOVER_H

#include "options.h"
#include "shardlist.h"

struct recovered {
    bool any; /* whether a shard has been mended */
    /* Shards whose repair could not be completed.  Their contents may look right without being
       on the disk. */
    bool in_doubt[PXR_MAX_SHARDS];
};

/*
 * Completes the repairs of the shards that the operands name, if they are of the set that is
 * asked for, and removes journals that are void.  A journal that does not belong to a shard is
 * reported and left alone.  Returns STATUS_OK, or STATUS_SYSTEM with a message, for example
 * when another repair is at work.  When a repair could not be completed, this is reported, and
 * the command continues.
 */
int recover(const struct options *options, struct recovered *recovered);

/* For commands that only read: reports where a repair was interrupted. */
void recover_mention(const struct shard_list *list);

#endif
