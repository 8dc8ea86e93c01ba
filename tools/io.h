/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading and writing that continues after short transfers and signals.
 *
 * The functions change the entries of the vectors.  Every function returns the number of bytes
 * transferred, or -1 with errno set.  At the end of the file, fewer bytes than asked for are
 * read.  Writing never transfers fewer bytes.
 */
#ifndef PXR_TOOLS_IO_H
#define PXR_TOOLS_IO_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/* Used as an offset: the position of a pipe. */
#define IO_STREAM ((off_t)-1)

ssize_t io_read_at(int fd, void *buffer, size_t length, off_t offset);
ssize_t io_write_at(int fd, const void *buffer, size_t length, off_t offset);

/*
 * Writes into a part of a file that has only zeros.  Whole blocks of zeros are not written, so
 * holes stay holes.  The file may end before.
 */
ssize_t io_write_sparse(int fd, const void *buffer, size_t length, off_t offset);

ssize_t io_read_vector(int fd, struct iovec *vector, int count, off_t offset);
ssize_t io_write_vector(int fd, struct iovec *vector, int count, off_t offset);

/*
 * Reads from a pipe.  Returns fewer bytes also when *cancelled became true, so that no thread
 * sleeps on a silent pipe after another thread has failed.
 */
ssize_t io_read_pipe(int fd, struct iovec *vector, int count, const atomic_bool *cancelled);

/* Lets a pipe hold more than the usual 64 KiB. Other files are left alone. */
void io_widen_pipe(int fd);

#endif
