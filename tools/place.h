/* SPDX-License-Identifier: BSD-3-Clause */
/* What is in the place where a missing shard would be written. */
#ifndef PXR_TOOLS_PLACE_H
#define PXR_TOOLS_PLACE_H

#include "folders.h"
#include "shardset.h"

enum place_state {
    PLACE_FREE,
    PLACE_EMPTY,      /* an empty file, as a crash leaves it: nothing to lose */
    PLACE_UNUSABLE,   /* a file or a link that is no shard, as far as is visible */
    PLACE_OTHER,      /* a folder, a device or the like, which no command replaces */
    PLACE_UNREADABLE, /* something that the system fails to open or to read */
    PLACE_ITSELF,     /* the shard itself, which was not given to the command */
    PLACE_USABLE,     /* another shard, whether it was given to the command or not */
    PLACE_NONE        /* no folder is left for the disk that held the shard */
};

/*
 * Looks for the usual name of a shard in a folder.  A file is called empty only in a folder
 * that is not just one of --output, because such a folder might hold anything. *path is
 * allocated, or NULL when there is no folder, or when the set has no name for new files.
 */
int place_look(const struct shard_set *set, unsigned index, const struct folder *folder,
               enum place_state *state, char **path);

/* Returns the first of the shards that exist. */
const struct shard_file *place_neighbour(const struct shard_set *set);

#endif
