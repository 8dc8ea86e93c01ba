/* SPDX-License-Identifier: BSD-3-Clause */
/* The shard files given on the command line, combined into one set. */
#ifndef PXR_TOOLS_SHARDSET_H
#define PXR_TOOLS_SHARDSET_H

#include "options.h"
#include "shardlist.h"

struct shard_set {
    struct shard_list list;
    struct shard_header header; /* what all shards have in common; index 0 */
    pxr_code *code;
    /* By index: the copies of each shard, those without flaws first, or NULL. */
    struct shard_file *shard[PXR_MAX_SHARDS];
};

/*
 * Scans the operands, chooses the set (the only one, or that of --set) and opens its shards.
 * Shards of several sets are refused, with a list.  Shards under temporary names do not count
 * for this as long as others are usable.
 */
int shard_set_open(struct shard_set *set, const struct options *options);
void shard_set_close(struct shard_set *set);

/* Return k + m, and how many of these shards exist. */
unsigned shard_set_size(const struct shard_set *set);
unsigned shard_set_present(const struct shard_set *set);

/*
 * Returns the number of stripes of which that many shards hold something.  Nothing is left of
 * stripes beyond the reach of 1 shard, and stripes beyond the reach of k shards cannot be
 * restored.  A header may claim any length; this is what really exists.
 */
uint64_t shard_set_reach(const struct shard_set *set, unsigned shards);

/* Returns the number of shards that hold something of the last of this many stripes. */
unsigned shard_set_reaching(const struct shard_set *set, uint64_t stripes);

/* Complains that stripes are beyond the reach of k shards. */
int shard_set_beyond(const struct shard_set *set);

#endif
