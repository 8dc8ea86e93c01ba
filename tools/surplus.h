/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shards that a set leaves over which is replaced by one of fewer shards, or of
 * shards that are dealt to the folders in another order: with them the folders
 * would hold shards of two sets.
 */
#ifndef PXR_TOOLS_SURPLUS_H
#define PXR_TOOLS_SURPLUS_H

#include "folders.h"
#include "publish.h"
#include "shard.h"

/* Start with memset 0. */
struct surplus {
    struct seen_file *files;
    unsigned count;
    size_t room;
};

/*
 * Find, in the folders that the shards of a set are dealt to, what is left over
 * of the sets that it takes the place of: those that have a shard under the
 * name of one of the new ones, and with the same recorded file name.
 * Returns STATUS_OK, or STATUS_SYSTEM with a message.
 */
int surplus_find(struct surplus *surplus, const struct shard_header *header,
                 const struct folders *folders);
void surplus_free(struct surplus *surplus);

#endif
