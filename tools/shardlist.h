/* SPDX-License-Identifier: BSD-3-Clause */
/* The files given on the command line, whether or not they are shards. */
#ifndef PXR_TOOLS_SHARDLIST_H
#define PXR_TOOLS_SHARDLIST_H

#include "lock.h"
#include "shard.h"
#include "tally.h"

#include <sys/stat.h>

struct shard_file {
    char *path;
    bool usable;        /* the header was understood */
    bool hidden;        /* under a temporary name */
    bool headless;      /* neither header nor trailer could be had */
    const char *why;    /* it is not usable, unless `error` says so */
    int error;          /* of the system, when opening or reading it; else 0 */
    int fd;             /* open for the chosen set, else -1 */
    unsigned flaws;     /* SHARD_FLAW_..., as far as it could be read */
    struct stat status; /* where usable */
    struct shard_header header;
    struct shard_file *next; /* another copy of the same shard, or NULL */
    struct tally corrupt;    /* by a pass: stripes whose cell in it is bad, */
    struct tally unreadable; /* or which the system failed to read */
};

struct shard_list {
    struct shard_file *files;
    size_t count, room;
    struct lock lock; /* on the folders of all, */
    bool locked;      /* if it could be had */
};

/*
 * Look at each operand; a directory stands for the files *.pxr in it.  What is
 * not usable is kept in the list as such, for shard_list_tell() to say.
 * Commands that were killed leave shards in a directory under temporary names:
 * those are in the list, too.  Until shard_list_unlock() no other command
 * replaces the files, where there are locks, and nobody holds one for long.
 */
int shard_list_scan(struct shard_list *list, char **operands, int count);
void shard_list_unlock(struct shard_list *list);
void shard_list_free(struct shard_list *list);

/* Name the files that are not usable on standard error, and why. */
void shard_list_tell(const struct shard_list *list);

/*
 * Complain that no shard is usable: STATUS_REFUSED, or STATUS_SYSTEM where the
 * system has kept some file from us, which may have been one.
 */
int shard_list_useless(const struct shard_list *list);

/* Fill in what there is to know of a path; says nothing. */
struct shard_file shard_file_look(char *path);

/* Open for reading, without waiting where that is a named pipe. */
int shard_file_open(const char *path);

/*
 * What follows from an error of opening or reading a file: it counts as missing,
 * unless it is for want of resources, or of direct reads that were asked for.
 * Then what is said about the shards would be wrong, and this fails with a message.
 */
int shard_file_failed(const struct shard_file *file, int error);

#endif
