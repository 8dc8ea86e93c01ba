/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading and writing that goes on after short transfers and signals.
 *
 * The vectors are used up: their entries are changed on the way.  Every
 * function returns the bytes transferred, or -1 with errno set; fewer bytes than
 * asked for are read at the end of the file, and never written.
 */
#ifndef PXR_TOOLS_IO_H
#define PXR_TOOLS_IO_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

/* An offset that stands for the position of a pipe. */
#define IO_STREAM ((off_t)-1)

ssize_t io_read(int fd, void *buffer, size_t length, off_t offset);
ssize_t io_write(int fd, const void *buffer, size_t length, off_t offset);

/*
 * Write into a part of a file that has only zeros, and leave what is zero in
 * whole blocks as it is: holes, where there were.  The file may end before.
 */
ssize_t io_write_sparse(int fd, const void *buffer, size_t length, off_t offset);

ssize_t io_read_vector(int fd, struct iovec *vector, int count, off_t offset);
ssize_t io_write_vector(int fd, struct iovec *vector, int count, off_t offset);

/*
 * Read from a pipe; fewer bytes also when *cancelled became true, so that no
 * thread sleeps on a silent pipe after another one has failed.
 */
ssize_t io_read_pipe(int fd, struct iovec *vector, int count, const atomic_bool *cancelled);

/* Let a pipe hold more than the usual 64 KiB; other files are left alone. */
void io_widen_pipe(int fd);

#endif
