/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading past the page cache, which may hold good bytes of a file that has gone
 * bad on the disk: what is judged is then what the disk returns.
 */
#ifndef PXR_TOOLS_DIRECT_H
#define PXR_TOOLS_DIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* From here on shards are opened and read so; to be called before there are threads. */
void direct_begin(void);
bool direct_is_on(void);

/*
 * Open for direct reads; EINVAL where the file system has none.  What is no
 * regular file is opened as ever, since it is not going to be read.
 */
int direct_open(const char *path, int flags);

/* As io_read(), of any bytes: those of the blocks around them are dropped. */
ssize_t direct_read(int fd, void *buffer, size_t length, off_t offset);

#endif
