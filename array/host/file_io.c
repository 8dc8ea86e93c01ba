/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "file_io.h"

#include "core/member.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A buffer on the stack for pieces that are not aligned. */
enum { BOUNCE = 16 * CORE_BLOCK };

bool io_are_aligned(const struct iovec *piece, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if ((uintptr_t)piece[i].iov_base % CORE_BLOCK != 0)
            return false;
    return true;
}

static int error_of(ssize_t done)
{
    return done < 0 ? errno : EIO; /* 0: the file has become shorter */
}

/* What is left of a transfer, of which the system may do less than it was asked for. */
struct rest {
    uint64_t offset;
    struct iovec piece[CORE_PIECES];
    unsigned first, count;
};

static void begin(struct rest *rest, uint64_t offset, const struct iovec *piece, unsigned count)
{
    rest->offset = offset;
    rest->first = 0;
    rest->count = count;
    memcpy(rest->piece, piece, count * sizeof *piece);
}

static void advance(struct rest *rest, size_t done)
{
    rest->offset += done;
    while (rest->first < rest->count && done >= rest->piece[rest->first].iov_len)
        done -= rest->piece[rest->first++].iov_len;
    if (rest->first == rest->count)
        return;
    struct iovec *piece = &rest->piece[rest->first];
    piece->iov_base = (uint8_t *)piece->iov_base + done;
    piece->iov_len -= done;
}

static int read_aligned(int fd, uint64_t offset, const struct iovec *piece, unsigned count)
{
    struct rest rest;
    begin(&rest, offset, piece, count);
    while (rest.first < rest.count) {
        const ssize_t done = preadv(fd, rest.piece + rest.first, (int)(rest.count - rest.first),
                                    (off_t)rest.offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return error_of(done);
        advance(&rest, (size_t)done);
    }
    return 0;
}

static int read_bounced(int fd, uint64_t offset, const struct iovec *piece)
{
    _Alignas(CORE_BLOCK) uint8_t bounce[BOUNCE];
    for (size_t at = 0; at < piece->iov_len; at += BOUNCE) {
        const size_t left = piece->iov_len - at;
        const struct iovec part = {bounce, left < BOUNCE ? left : BOUNCE};
        const int error = read_aligned(fd, offset + at, &part, 1);
        if (error != 0)
            return error;
        memcpy((uint8_t *)piece->iov_base + at, bounce, part.iov_len);
    }
    return 0;
}

int io_preadv(int fd, uint64_t offset, const struct iovec *piece, unsigned count)
{
    if (io_are_aligned(piece, count))
        return read_aligned(fd, offset, piece, count);
    int error = 0;
    for (unsigned i = 0; error == 0 && i < count; i++) {
        error = read_bounced(fd, offset, &piece[i]);
        offset += piece[i].iov_len;
    }
    return error;
}

/*
 * Writes some bytes, and sets *durable to false when they are durable already, so that no flush
 * of the whole file is needed.
 */
static ssize_t write_some(int fd, const struct rest *rest, bool *durable)
{
    const struct iovec *piece = rest->piece + rest->first;
    const int count = (int)(rest->count - rest->first);
#ifdef RWF_DSYNC
    if (*durable) {
        const ssize_t done = pwritev2(fd, piece, count, (off_t)rest->offset, RWF_DSYNC);
        if (done >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS)) {
            *durable = false;
            return done;
        }
    }
#endif
    return pwritev(fd, piece, count, (off_t)rest->offset);
}

static int write_aligned(int fd, uint64_t offset, const struct iovec *piece, unsigned count,
                         bool durable)
{
    struct rest rest;
    bool flush = false;
    begin(&rest, offset, piece, count);
    while (rest.first < rest.count) {
        bool left = durable;
        const ssize_t done = write_some(fd, &rest, &left);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return error_of(done);
        flush = flush || left;
        advance(&rest, (size_t)done);
    }
    return flush ? io_sync(fd) : 0;
}

static int write_bounced(int fd, uint64_t offset, const struct iovec *piece, bool durable)
{
    _Alignas(CORE_BLOCK) uint8_t bounce[BOUNCE];
    for (size_t at = 0; at < piece->iov_len; at += BOUNCE) {
        const size_t left = piece->iov_len - at;
        const struct iovec part = {bounce, left < BOUNCE ? left : BOUNCE};
        memcpy(bounce, (const uint8_t *)piece->iov_base + at, part.iov_len);
        const int error = write_aligned(fd, offset + at, &part, 1, durable);
        if (error != 0)
            return error;
    }
    return 0;
}

int io_pwritev(int fd, uint64_t offset, const struct iovec *piece, unsigned count, bool durable)
{
    if (io_are_aligned(piece, count))
        return write_aligned(fd, offset, piece, count, durable);
    int error = 0;
    for (unsigned i = 0; error == 0 && i < count; i++) {
        error = write_bounced(fd, offset, &piece[i], durable);
        offset += piece[i].iov_len;
    }
    return error;
}

/* The system's own ways to make zeros.  Both read as zeros afterwards, also of a disk. */
static bool zero_quickly(int fd, uint64_t offset, uint64_t len)
{
#ifdef FALLOC_FL_PUNCH_HOLE
    static const int modes[] = {FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE};
    for (int i = 0; i < 2; i++)
        if (fallocate(fd, modes[i], (off_t)offset, (off_t)len) == 0)
            return true;
#else
    (void)fd;
    (void)offset;
    (void)len;
#endif
    return false;
}

int io_zeros(int fd, uint64_t offset, uint64_t len)
{
    static _Alignas(CORE_BLOCK) const uint8_t zeros[BOUNCE];
    if (zero_quickly(fd, offset, len))
        return 0;
    for (uint64_t at = 0; at < len; at += BOUNCE) {
        const struct iovec part = {(void *)zeros, len - at < BOUNCE ? len - at : BOUNCE};
        const int error = write_aligned(fd, offset + at, &part, 1, false);
        if (error != 0)
            return error;
    }
    return 0;
}

int io_sync(int fd)
{
    while (fdatasync(fd) != 0)
        if (errno != EINTR)
            return errno;
    return 0;
}
