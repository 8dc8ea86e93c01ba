/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folders of a set, and which of them each missing shard goes to: back to
 * the shards that were dealt to the same disk, and never where a disk would then
 * take more shards with it than encode had planned.
 */
#ifndef PXR_TOOLS_HOMES_H
#define PXR_TOOLS_HOMES_H

#include "folders.h"
#include "shardset.h"

struct homes {
    struct folders folders; /* the operands that are, those of --output, those of shards */
    bool dealt;             /* shards of the same number modulo `disks` lie together; */
    unsigned disks;         /* else each is taken for one on a disk of its own */
    struct folder *of[PXR_MAX_SHARDS]; /* of a missing shard; NULL: there is none */
};

/*
 * Gather the folders, and what is in them of the set.  Start with memset 0.
 * Refuses an --output that is given twice.  Messages are printed; returns
 * STATUS_OK, STATUS_USAGE or STATUS_SYSTEM.
 */
int homes_gather(struct homes *homes, const struct shard_set *set,
                 const struct options *options);

/*
 * Add the folders that the shards of a set are in; with `follow`, those that
 * they are lost with where they are symbolic links.
 */
int homes_of_shards(struct folders *folders, const struct shard_set *set, bool follow);

/* Choose a folder for each missing shard; it counts as being there from then on. */
void homes_choose(struct homes *homes, const struct shard_set *set);
void homes_free(struct homes *homes);

#endif
