/* SPDX-License-Identifier: BSD-3-Clause */
/* What is where a missing shard would be written. */
#ifndef PXR_TOOLS_PLACE_H
#define PXR_TOOLS_PLACE_H

#include "folders.h"
#include "shardset.h"

enum place_state {
    PLACE_FREE,
    PLACE_EMPTY,      /* an empty file, as a crash leaves: nothing to lose */
    PLACE_UNUSABLE,   /* something that is no shard, as far as can be seen */
    PLACE_UNREADABLE, /* something that the system fails to open or to read */
    PLACE_USABLE,     /* a shard, be it of the shards given or not */
    PLACE_NONE        /* no folder is left for the disk that it was on */
};

/*
 * Look under the usual name of a shard in a folder; a file is called empty only
 * where that is not one of --output alone, which might hold anything.
 * *path: allocated, or NULL where there is no folder, or where the set has no
 * name to create files under.
 */
int place_look(const struct shard_set *set, unsigned index, const struct folder *folder,
               enum place_state *state, char **path);

/* The first of the shards that are there. */
const struct shard_file *place_neighbour(const struct shard_set *set);

#endif
