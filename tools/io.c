/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "io.h"

#include "direct.h"
#include "permxor_raid.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

/* HOLE_BYTES: the block size of most file systems, and the page size of most CPUs. */
enum { PIPE_BYTES = 1 << 20, CANCEL_POLL_MS = 100, HOLE_BYTES = 4096 };

typedef ssize_t transfer_fn(int fd, const struct iovec *vector, int count, off_t offset);

static ssize_t read_once(int fd, const struct iovec *vector, int count, off_t offset)
{
    return offset == IO_STREAM ? readv(fd, vector, count) : preadv(fd, vector, count, offset);
}

static ssize_t write_once(int fd, const struct iovec *vector, int count, off_t offset)
{
    return offset == IO_STREAM ? writev(fd, vector, count) : pwritev(fd, vector, count, offset);
}

/* Waits for something to read, or for the end.  Returns false when cancelled first. */
static bool wait_readable(int fd, const atomic_bool *cancelled)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    while (!atomic_load(cancelled)) {
        int ready = poll(&wanted, 1, CANCEL_POLL_MS);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return true;
    }
    return false;
}

/*
 * Waits when a pipe is full that another program has made non-blocking.  Returns false, with
 * errno as it was, when there is nothing to wait for.
 */
static bool wait_writable(int fd)
{
    struct pollfd wanted = {.fd = fd, .events = POLLOUT};
    int error = errno;
    int ready = poll(&wanted, 1, -1);
    bool waited = ready > 0 || (ready < 0 && errno == EINTR);
    errno = error;
    return waited;
}

/* Drops `bytes` from the front of a vector.  Returns the number of entries dropped. */
static int vector_advance(struct iovec *vector, int count, size_t bytes)
{
    int dropped = 0;
    while (dropped < count && bytes >= vector[dropped].iov_len)
        bytes -= vector[dropped++].iov_len;
    if (dropped < count) {
        vector[dropped].iov_base = (char *)vector[dropped].iov_base + bytes;
        vector[dropped].iov_len -= bytes;
    }
    return dropped;
}

/*
 * at_nothing: the meaning of a transfer of no bytes, an error or 0 for the end. cancelled:
 * NULL, or a flag; the function waits for something to read until the flag is true.
 */
static ssize_t transfer_all(transfer_fn *once, int fd, struct iovec *vector, int count,
                            off_t offset, int at_nothing, const atomic_bool *cancelled)
{
    ssize_t total = 0;
    int first = vector_advance(vector, count, 0);
    while (first < count && (cancelled == NULL || wait_readable(fd, cancelled))) {
        off_t position = offset == IO_STREAM ? IO_STREAM : offset + total;
        ssize_t moved = once(fd, vector + first, count - first, position);
        if (moved < 0 &&
            (errno == EINTR || (errno == EAGAIN && (cancelled != NULL || wait_writable(fd)))))
            continue;
        if (moved < 0)
            return -1;
        if (moved == 0) {
            errno = at_nothing;
            return at_nothing == 0 ? total : -1;
        }
        total += moved;
        first += vector_advance(vector + first, count - first, (size_t)moved);
    }
    return total;
}

ssize_t io_read_vector(int fd, struct iovec *vector, int count, off_t offset)
{
    return transfer_all(read_once, fd, vector, count, offset, 0, NULL);
}

/* A file that takes no bytes and gives no reason will not take them later either. */
ssize_t io_write_vector(int fd, struct iovec *vector, int count, off_t offset)
{
    return transfer_all(write_once, fd, vector, count, offset, EIO, NULL);
}

ssize_t io_read_pipe(int fd, struct iovec *vector, int count, const atomic_bool *cancelled)
{
    return transfer_all(read_once, fd, vector, count, IO_STREAM, 0, cancelled);
}

ssize_t io_read_at(int fd, void *buffer, size_t length, off_t offset)
{
    if (direct_is_on())
        return direct_read(fd, buffer, length, offset);
    struct iovec vector = {buffer, length};
    return io_read_vector(fd, &vector, 1, offset);
}

ssize_t io_write_at(int fd, const void *buffer, size_t length, off_t offset)
{
    struct iovec vector = {(void *)(uintptr_t)buffer, length};
    return io_write_vector(fd, &vector, 1, offset);
}

/* Works from one block boundary to the next.  Blocks that are not all zeros are written in
   runs. */
ssize_t io_write_sparse(int fd, const void *buffer, size_t length, off_t offset)
{
    const uint8_t *bytes = buffer;
    size_t from = 0, end = 0; /* the run that is still to be written */
    while (end < length) {
        size_t block = HOLE_BYTES - (size_t)(offset + (off_t)end) % HOLE_BYTES;
        size_t part = block < length - end ? block : length - end;
        bool hole = pxr_find_nonzero(bytes + end, part) == part;
        if (hole && from < end &&
            io_write_at(fd, bytes + from, end - from, offset + (off_t)from) < 0)
            return -1;
        end += part;
        if (hole)
            from = end;
    }
    if (from < end && io_write_at(fd, bytes + from, end - from, offset + (off_t)from) < 0)
        return -1;
    return (ssize_t)length;
}

void io_widen_pipe(int fd)
{
#ifdef F_SETPIPE_SZ
    (void)fcntl(fd, F_SETPIPE_SZ, PIPE_BYTES);
#else
    (void)fd;
#endif
}
