/* SPDX-License-Identifier: BSD-3-Clause */
/* The shard files given on the command line, brought together as one set. */
#ifndef PXR_TOOLS_SHARDSET_H
#define PXR_TOOLS_SHARDSET_H

#include "options.h"
#include "shardlist.h"

struct shard_set {
    struct shard_list list;
    struct shard_header header; /* what all have in common; index 0 */
    pxr_code *code;
    /* By index: the copies of each shard, those without flaws first, or NULL. */
    struct shard_file *shard[PXR_MAX_SHARDS];
};

/*
 * Scan the operands, choose the set (the only one, or that of --set) and open
 * its shards.  Shards of several sets are refused, with a list; those under
 * temporary names do not count there as long as others are usable.
 */
int shard_set_open(struct shard_set *set, const struct options *options);
void shard_set_close(struct shard_set *set);

/* k + m, and how many of them there are */
unsigned shard_set_size(const struct shard_set *set);
unsigned shard_set_present(const struct shard_set *set);

/*
 * Stripes of which that many shards hold something: of those beyond the reach of
 * one nothing is left, and those beyond that of k cannot be restored.  A header
 * may claim any length; this is what there is.
 */
uint64_t shard_set_reach(const struct shard_set *set, unsigned shards);

/* Shards that hold something of the last of so many stripes. */
unsigned shard_set_reaching(const struct shard_set *set, uint64_t stripes);

/* Complain that stripes lie beyond the reach of k shards. */
int shard_set_beyond(const struct shard_set *set);

#endif
