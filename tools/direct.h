/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading past the page cache.  The cache may hold good bytes of a file that has gone bad on
 * the disk.  With direct reads, the command judges what the disk returns.
 */
#ifndef PXR_TOOLS_DIRECT_H
#define PXR_TOOLS_DIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* From here on shards are opened and read this way.  Call it before there are threads. */
void direct_begin(void);
bool direct_is_on(void);

/*
 * Opens a file for direct reads; EINVAL when the file system has none.  A file that is not
 * regular is opened as usual, because it will not be read.
 */
int direct_open(const char *path, int flags);

/* Works like io_read_at(), at any offset and length.  It reads the whole blocks around the
   bytes, and drops the rest. */
ssize_t direct_read(int fd, void *buffer, size_t length, off_t offset);

#endif
