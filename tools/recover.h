/* SPDX-License-Identifier: BSD-3-Clause */
/* Journals that repairs have left beside shards, since they were interrupted. */
#ifndef PXR_TOOLS_RECOVER_H
#define PXR_TOOLS_RECOVER_H

#include "options.h"
#include "shardlist.h"

/*
 * Complete the repairs of the shards that the operands name, and remove journals
 * that say nothing.  What does not belong to a shard is named and left alone.
 * *any: has a shard been mended?  Returns STATUS_OK, or STATUS_SYSTEM with a
 * message, also where another repair is at work.
 */
int recover(const struct options *options, bool *any);

/* For commands that only read: say where a repair was interrupted. */
void recover_mention(const struct shard_list *list);

#endif
