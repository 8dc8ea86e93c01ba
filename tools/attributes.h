/* SPDX-License-Identifier: BSD-3-Clause */
/* What a header of format 2 records about the file beyond its bytes. */
#ifndef PXR_TOOLS_ATTRIBUTES_H
#define PXR_TOOLS_ATTRIBUTES_H

#include "shard.h"

#include <sys/stat.h>

/* Records the attributes of a regular file. */
void attributes_take(struct shard_header *header, const struct stat *status);

/*
 * Makes the id of a reproducible set from the other fields of the header, above all from the
 * hash of the file.  Returns STATUS_OK, or STATUS_SYSTEM with a message.
 */
int attributes_make_id(struct shard_header *header);

/*
 * Gives a file that is a true copy the time of its original.  When a file system cannot do
 * that, the copy is still valid, and there is only a warning.
 */
void attributes_restore_time(const struct shard_header *header, int fd, const char *path);

/* Prints a line for each attribute to standard output. */
void attributes_print(const struct shard_header *header);

#endif
