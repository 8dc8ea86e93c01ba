/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How encode distributes shards to the folders of --output: one after the other, again and
 * again.
 */
#ifndef PXR_TOOLS_DEAL_H
#define PXR_TOOLS_DEAL_H

#include "folders.h"
#include "options.h"
#include "shard.h"

/*
 * Lists the folders to which the shards go: those of --output, in their order, or else the
 * folder of a file.  Refuses a folder that is given twice, and more folders than shards.  Warns
 * when several folders are on one file system.  Prints messages, and returns STATUS_OK,
 * STATUS_USAGE or STATUS_SYSTEM.
 */
int deal_folders(struct folders *folders, const struct options *options, const char *file);

/* Returns the folder of a shard. */
const char *deal_to(const struct folders *folders, unsigned index);

/*
 * For use when nothing may be replaced.  Refuses files that have the name of a shard and are in
 * a folder to which this shard does not go: the folders would then hold shards of two sets.
 * Returns STATUS_OK, or STATUS_SYSTEM with a message.
 */
int deal_check(const struct folders *folders, const struct shard_header *header);

/* Prints how many folders may be lost, if there are several. */
void deal_say(const struct folders *folders, const struct shard_header *header);

#endif
