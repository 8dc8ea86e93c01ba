/* SPDX-License-Identifier: BSD-3-Clause */
/* The shard files given on the command line, brought together as one set. */
#ifndef PXR_TOOLS_SHARDSET_H
#define PXR_TOOLS_SHARDSET_H

#include "options.h"
#include "shard.h"
#include "stripe.h"

#include <sys/stat.h>

struct shard_file {
    char *path;
    bool usable;        /* the header was understood */
    int fd;             /* open for the chosen set, else -1 */
    unsigned flaws;     /* SHARD_FLAW_... */
    struct stat status; /* where usable */
    struct shard_header header;
};

/* Every file that was named, whether or not it is a shard. */
struct shard_list {
    struct shard_file *files;
    size_t count, room;
};

/*
 * Look at each operand; a directory stands for the files *.pxr in it.  What is
 * not usable is reported on standard error, and kept in the list as such.
 */
int shard_list_scan(struct shard_list *list, char **operands, int count);
void shard_list_free(struct shard_list *list);

/* Is there a shard of some set, whichever, at this path?  Says nothing. */
bool shard_file_usable(char *path);

struct shard_set {
    struct shard_list list;
    struct shard_header header; /* what all have in common; index 0 */
    pxr_code *code;
    struct shard_file *shard[PXR_MAX_SHARDS]; /* by index, NULL where missing */
};

/*
 * Scan the operands, choose the set (the only one, or that of --set) and open
 * its shards.  Shards of several sets are refused, with a list.
 */
int shard_set_open(struct shard_set *set, const struct options *options);
void shard_set_close(struct shard_set *set);

/* k + m, and how many of them there are */
unsigned shard_set_size(const struct shard_set *set);
unsigned shard_set_present(const struct shard_set *set);

/* Stripes up to the end of the longest shard: of later ones nothing is left. */
uint64_t shard_set_reach(const struct shard_set *set);

/* Load cells, those of data first, until `enough` are good or none is left. */
void shard_set_gather(const struct shard_set *set, struct stripe *stripe, unsigned enough);

/*
 * Rebuild cells of a gathered stripe: those of the first `count` shards that
 * are not at hand, and for which wanted (NULL: any) is true.  Fails with a
 * message when fewer than k cells are good.
 */
int shard_set_rebuild(const struct shard_set *set, struct stripe *stripe, unsigned count,
                      const bool *wanted);

#endif
