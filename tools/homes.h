/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folders of a set, and the folder that each missing shard goes to.  A missing shard goes
 * back to the shards that were given to the same disk.  It never goes to a folder whose loss
 * would then take more shards than encode had planned.
 */
#ifndef PXR_TOOLS_HOMES_H
#define PXR_TOOLS_HOMES_H

#include "folders.h"
#include "shardset.h"

struct homes {
    struct folders folders; /* operands that are folders, those of --output, those of shards */
    bool dealt;             /* shards with the same number modulo `disks` are together; */
    unsigned disks;         /* otherwise each shard counts as being on a disk of its own */
    struct folder *of[PXR_MAX_SHARDS]; /* the folder of a missing shard; NULL: there is none */
};

/*
 * Collects the folders, and which shards of the set are in them.  Initialize with zeros
 * (memset).  Refuses an --output that is given twice.  Prints messages, and returns STATUS_OK,
 * STATUS_USAGE or STATUS_SYSTEM.
 */
int homes_gather(struct homes *homes, const struct shard_set *set,
                 const struct options *options);

/*
 * Adds the folders that hold the shards of a set.  With `losses`, after a survey, they are the
 * folders with which the shards are lost: symbolic links are followed, and a damaged copy of a
 * good shard does not count.
 */
int homes_of_shards(struct folders *folders, const struct shard_set *set, bool losses);

/* Chooses a folder for each missing shard.  From then on the shard counts as being there. */
void homes_choose(struct homes *homes, const struct shard_set *set);
void homes_free(struct homes *homes);

#endif
