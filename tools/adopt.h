/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds shards that have lost both header and trailer, by their cells. */
#ifndef PXR_TOOLS_ADOPT_H
#define PXR_TOOLS_ADOPT_H

#include "shardlist.h"

/*
 * Tries the first cells of each file without a header as cells of each shard of a set.  A
 * correct checksum proves the set, the shard and the place.  Such a file becomes usable, with
 * flaws.
 */
int adopt_headless(struct shard_list *list, const struct shard_header *header);

#endif
