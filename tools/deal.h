/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How encode deals shards out to the folders of --output: one after the other,
 * round and round.
 */
#ifndef PXR_TOOLS_DEAL_H
#define PXR_TOOLS_DEAL_H

#include "folders.h"
#include "options.h"
#include "shard.h"

/*
 * The folders that the shards are dealt to: those of --output, in their order,
 * or that of a file.  Refuses one that is given twice, and more folders than
 * shards; warns of several on one file system.  Messages are printed; returns
 * STATUS_OK, STATUS_USAGE or STATUS_SYSTEM.
 */
int deal_folders(struct folders *folders, const struct options *options, const char *file);

/* The folder of a shard. */
const char *deal_to(const struct folders *folders, unsigned index);

/*
 * Where nothing may be replaced: refuse files that have the name of a shard in a
 * folder that this one is not dealt to, for the folders would hold shards of two
 * sets.  Returns STATUS_OK, or STATUS_SYSTEM with a message.
 */
int deal_check(const struct folders *folders, const struct shard_header *header);

/* Say how many folders may be lost, where there are several. */
void deal_say(const struct folders *folders, const struct shard_header *header);

#endif
