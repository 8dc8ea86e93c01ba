/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shards of an old set that are left over when a new set replaces it.  The new set may have
 * fewer shards, or other folders for its shards.  Without removing these, the folders would
 * hold shards of two sets.
 */
#ifndef PXR_TOOLS_SURPLUS_H
#define PXR_TOOLS_SURPLUS_H

#include "folders.h"
#include "publish.h"
#include "shard.h"

/* Initialize with zeros (memset). */
struct surplus {
    struct seen_file *files;
    unsigned count;
    size_t room;
};

/*
 * Finds what is left over of the replaced sets, in the folders that the shards of a set go to.
 * A set is replaced when it has a shard under the name of one of the new shards, and the same
 * recorded file name.  So is then a set of that name of which killed commands have left shards
 * under temporary names.  Returns STATUS_OK, or STATUS_SYSTEM with a message.
 */
int surplus_find(struct surplus *surplus, const struct shard_header *header,
                 const struct folders *folders);
void surplus_free(struct surplus *surplus);

#endif
