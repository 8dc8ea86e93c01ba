/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading and writing files that may have to be used past the page cache. */
#ifndef PXA_HOST_FILE_IO_H
#define PXA_HOST_FILE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Offsets and lengths are multiples of CORE_BLOCK.  The calls return 0 when everything is done,
 * or a number of errno.h.
 */
int io_pread(int fd, uint64_t offset, size_t len, void *buffer);
int io_pwrite(int fd, uint64_t offset, size_t len, const void *buffer, bool durable);
int io_zeros(int fd, uint64_t offset, uint64_t len);
int io_sync(int fd);

#endif
