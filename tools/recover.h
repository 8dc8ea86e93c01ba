/* SPDX-License-Identifier: BSD-3-Clause */
/* Journals that repairs have left beside shards, since they were interrupted. */
#ifndef PXR_TOOLS_RECOVER_H
#define PXR_TOOLS_RECOVER_H

#include "options.h"
#include "shardlist.h"

struct recovered {
    bool any; /* has a shard been mended? */
    /* Shards whose repair could not be completed.  What they hold may look right, and not be on
       the disk. */
    bool in_doubt[PXR_MAX_SHARDS];
};

/*
 * Complete the repairs of the shards that the operands name, and remove journals
 * that say nothing.  What does not belong to a shard is named and left alone.
 * Returns STATUS_OK, or STATUS_SYSTEM with a message where another repair is at work, say;
 * that a repair could not be completed is named, and no reason to end.
 */
int recover(const struct options *options, struct recovered *recovered);

/* For commands that only read: say where a repair was interrupted. */
void recover_mention(const struct shard_list *list);

#endif
