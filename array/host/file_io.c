/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "file_io.h"

#include "core/member.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* A buffer on the stack for callers whose own one is not aligned. */
enum { BOUNCE = 16 * CORE_BLOCK };

static bool is_aligned(const void *buffer)
{
    return (uintptr_t)buffer % CORE_BLOCK == 0;
}

static int error_of(ssize_t done)
{
    return done < 0 ? errno : EIO; /* 0: the file has become shorter */
}

static int read_aligned(int fd, uint64_t offset, size_t len, void *buffer)
{
    uint8_t *bytes = buffer;
    while (len > 0) {
        const ssize_t done = pread(fd, bytes, len, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return error_of(done);
        bytes += done;
        offset += (uint64_t)done;
        len -= (size_t)done;
    }
    return 0;
}

int io_pread(int fd, uint64_t offset, size_t len, void *buffer)
{
    _Alignas(CORE_BLOCK) uint8_t bounce[BOUNCE];
    if (is_aligned(buffer))
        return read_aligned(fd, offset, len, buffer);
    for (size_t at = 0; at < len; at += BOUNCE) {
        const size_t part = len - at < BOUNCE ? len - at : BOUNCE;
        const int error = read_aligned(fd, offset + at, part, bounce);
        if (error != 0)
            return error;
        memcpy((uint8_t *)buffer + at, bounce, part);
    }
    return 0;
}

/*
 * Writes some bytes, and sets *durable to false when they are durable already, so that no flush
 * of the whole file is needed.
 */
static ssize_t write_some(int fd, const void *bytes, size_t len, uint64_t offset, bool *durable)
{
#ifdef RWF_DSYNC
    if (*durable) {
        const struct iovec vector = {(void *)bytes, len};
        const ssize_t done = pwritev2(fd, &vector, 1, (off_t)offset, RWF_DSYNC);
        if (done >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS)) {
            *durable = false;
            return done;
        }
    }
#endif
    return pwrite(fd, bytes, len, (off_t)offset);
}

static int write_aligned(int fd, uint64_t offset, size_t len, const void *buffer, bool durable)
{
    const uint8_t *bytes = buffer;
    bool flush = false;
    while (len > 0) {
        bool left = durable;
        const ssize_t done = write_some(fd, bytes, len, offset, &left);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return error_of(done);
        flush = flush || left;
        bytes += done;
        offset += (uint64_t)done;
        len -= (size_t)done;
    }
    return flush ? io_sync(fd) : 0;
}

int io_pwrite(int fd, uint64_t offset, size_t len, const void *buffer, bool durable)
{
    _Alignas(CORE_BLOCK) uint8_t bounce[BOUNCE];
    if (is_aligned(buffer))
        return write_aligned(fd, offset, len, buffer, durable);
    for (size_t at = 0; at < len; at += BOUNCE) {
        const size_t part = len - at < BOUNCE ? len - at : BOUNCE;
        memcpy(bounce, (const uint8_t *)buffer + at, part);
        const int error = write_aligned(fd, offset + at, part, bounce, durable);
        if (error != 0)
            return error;
    }
    return 0;
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
        const uint64_t part = len - at < BOUNCE ? len - at : BOUNCE;
        const int error = write_aligned(fd, offset + at, (size_t)part, zeros, false);
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
