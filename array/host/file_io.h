/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading and writing files that may have to be used past the page cache. */
#ifndef PXA_HOST_FILE_IO_H
#define PXA_HOST_FILE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/*
 * Offsets and lengths are multiples of CORE_BLOCK.  There are 1 to CORE_PIECES pieces, which
 * lie in the file one behind the other.  The calls return 0 when everything is done, or a
 * number of errno.h.
 */
int io_preadv(int fd, uint64_t offset, const struct iovec *piece, unsigned count);
int io_pwritev(int fd, uint64_t offset, const struct iovec *piece, unsigned count,
               bool durable);
int io_zeros(int fd, uint64_t offset, uint64_t len);
int io_sync(int fd);

/* Whether a file past the page cache takes these pieces as they are. */
bool io_are_aligned(const struct iovec *piece, unsigned count);

#endif
