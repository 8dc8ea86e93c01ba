/* SPDX-License-Identifier: BSD-3-Clause */
/* What a header of format 2 says of the file beyond its bytes. */
#ifndef PXR_TOOLS_ATTRIBUTES_H
#define PXR_TOOLS_ATTRIBUTES_H

#include "shard.h"

#include <sys/stat.h>

/* Record what a regular file is like. */
void attributes_take(struct shard_header *header, const struct stat *status);

/*
 * Make the id of a reproducible set from what the header says of it, the hash of
 * the file before all.  Returns STATUS_OK or STATUS_SYSTEM, with a message printed.
 */
int attributes_make_id(struct shard_header *header);

/*
 * Give a file that is a true copy the time of its original.  A file system that
 * cannot do that leaves the copy as good as ever: there is a warning.
 */
void attributes_restore_time(const struct shard_header *header, int fd, const char *path);

/* A line for each, on standard output. */
void attributes_print(const struct shard_header *header);

#endif
