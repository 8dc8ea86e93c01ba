/* SPDX-License-Identifier: BSD-3-Clause */
/* The files given on the command line, whether they are shards or not. */
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
    bool headless;      /* neither header nor trailer was found */
    const char *why;    /* why it is not usable, unless `error` tells */
    int error;          /* of the system, when opening or reading the file; else 0 */
    int fd;             /* open for the chosen set, else -1 */
    unsigned flaws;     /* SHARD_FLAW_..., as far as the file could be read */
    struct stat status; /* filled in if usable */
    struct shard_header header;
    struct shard_file *next; /* another copy of the same shard, or NULL */
    struct tally corrupt;    /* of a pass: stripes whose cell in this file is bad, */
    struct tally unreadable; /* or could not be read */
};

struct shard_list {
    struct shard_file *files;
    size_t count, room;
    struct lock lock; /* on the folders of all files, */
    bool locked;      /* if the lock was obtained */
};

/*
 * Looks at each operand; a directory stands for the files *.pxr in it.  Files that are not
 * usable stay in the list, marked as such, and shard_list_tell() reports them.  Commands that
 * were killed leave shards in a directory under temporary names: these are in the list, too.
 * Until shard_list_unlock() no other command replaces the files, if there are locks, and if no
 * other process holds one for long.
 */
int shard_list_scan(struct shard_list *list, char **operands, int count);
void shard_list_unlock(struct shard_list *list);
void shard_list_free(struct shard_list *list);

/*
 * Adds the shards that killed commands have left in a directory under temporary names, or none
 * if the directory cannot be listed.  No lock is taken.
 */
int shard_list_add_left_behind(struct shard_list *list, const char *directory);

/* Reports the files that are not usable to standard error, and why. */
void shard_list_tell(const struct shard_list *list);

/*
 * Complains that no shard is usable: STATUS_REFUSED, or STATUS_SYSTEM when the system did not
 * let us read some file that may have been one.
 */
int shard_list_useless(const struct shard_list *list);

/* Fills in what there is to know about a path.  Prints nothing. */
struct shard_file shard_file_look(char *path);

/* Opens a file for reading.  It does not wait if the file is a named pipe. */
int shard_file_open(const char *path);

/*
 * Handles an error of opening or reading a file.  The file counts as missing, unless the error
 * is a lack of resources, or of direct reads that were asked for.  In that case any statement
 * about the shards would be wrong, so the function fails with a message.
 */
int shard_file_failed(const struct shard_file *file, int error);

#endif
