/* SPDX-License-Identifier: BSD-3-Clause */
/* Shards that have lost header and trailer, known by their cells. */
#ifndef PXR_TOOLS_ADOPT_H
#define PXR_TOOLS_ADOPT_H

#include "shardlist.h"

/*
 * Try the first cells of each file without a header as cells of each shard of a
 * set: a checksum that is right proves set, shard and place.  Such a file
 * becomes a usable one, with flaws.
 */
int adopt_headless(struct shard_list *list, const struct shard_header *header);

#endif
