/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that work on open files, and getrandom(). */
#undef _FILE_OFFSET_BITS
#undef _TIME_BITS
#include "calls.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { STREAM = -1 };

/* ---------------------------------------------------------- transfers -- */

static ssize_t pass_stream(bool writes, int fd, const struct iovec *vector, int count)
{
    ssize_t (*next)(int, const struct iovec *, int);
    *(void **)&next = next_function(writes ? "writev" : "readv");
    return next(fd, vector, count);
}

static ssize_t pass(bool writes, int fd, const struct iovec *vector, int count, off64_t offset)
{
    if (offset == STREAM)
        return pass_stream(writes, fd, vector, count);
    ssize_t (*next)(int, const struct iovec *, int, off64_t);
    *(void **)&next = next_function(writes ? "pwritev64" : "preadv64");
    return next(fd, vector, count, offset);
}

/* The first half of the first buffer that is not empty; at least one byte of it. */
static struct iovec first_half(const struct iovec *vector, int count)
{
    while (count > 1 && vector->iov_len == 0) {
        vector++;
        count--;
    }
    return (struct iovec){vector->iov_base, (vector->iov_len + 1) / 2};
}

static ssize_t write_noted(int fd, const struct iovec *vector, int count, off64_t offset)
{
    loss_before_write(fd);
    off64_t from = offset == STREAM ? lseek64(fd, 0, SEEK_CUR) : offset;
    ssize_t moved = pass(true, fd, vector, count, offset);
    int error = errno;
    if (moved > 0)
        loss_written(fd, (off_t)from, (size_t)moved);
    errno = error;
    return moved;
}

static ssize_t transfer(const char *name, bool writes, int fd, const struct iovec *vector,
                        int count, off64_t offset)
{
    const char *path = watched_fd(fd);
    if (path == NULL)
        return pass(writes, fd, vector, count, offset);
    enum verdict verdict = call_begin(name, path);
    struct iovec half = {0};
    ssize_t moved = verdict == FAIL ? -1 : 0;
    if (verdict == SHORT || (verdict == TORN && writes)) {
        half = first_half(vector, count);
        vector = &half;
        count = 1;
    }
    if (verdict != FAIL && verdict != ZERO)
        moved = writes ? write_noted(fd, vector, count, offset)
                       : pass(false, fd, vector, count, offset);
    call_end(verdict);
    return moved;
}

ssize_t read(int fd, void *buffer, size_t size)
{
    return transfer("read", false, fd, &(struct iovec){buffer, size}, 1, STREAM);
}

ssize_t write(int fd, const void *buffer, size_t size)
{
    return transfer("write", true, fd, &(struct iovec){(void *)(uintptr_t)buffer, size}, 1,
                    STREAM);
}

ssize_t readv(int fd, const struct iovec *vector, int count)
{
    return transfer("readv", false, fd, vector, count, STREAM);
}

ssize_t writev(int fd, const struct iovec *vector, int count)
{
    return transfer("writev", true, fd, vector, count, STREAM);
}

#define AT_OFFSET(type, read_name, write_name, readv_name, writev_name)                   \
    ssize_t read_name(int fd, void *buffer, size_t size, type offset)                     \
    {                                                                                     \
        return transfer(#read_name, false, fd, &(struct iovec){buffer, size}, 1, offset); \
    }                                                                                     \
    ssize_t write_name(int fd, const void *buffer, size_t size, type offset)              \
    {                                                                                     \
        return transfer(#write_name, true, fd,                                            \
                        &(struct iovec){(void *)(uintptr_t)buffer, size}, 1, offset);     \
    }                                                                                     \
    ssize_t readv_name(int fd, const struct iovec *vector, int count, type offset)        \
    {                                                                                     \
        return transfer(#readv_name, false, fd, vector, count, offset);                   \
    }                                                                                     \
    ssize_t writev_name(int fd, const struct iovec *vector, int count, type offset)       \
    {                                                                                     \
        return transfer(#writev_name, true, fd, vector, count, offset);                   \
    }

AT_OFFSET(off_t, pread, pwrite, preadv, pwritev)
AT_OFFSET(off64_t, pread64, pwrite64, preadv64, pwritev64)

/* ---------------------------------------------------- syncs, closes -- */

static bool means_lost(int error)
{
    return error == EIO || error == ENOSPC || error == EDQUOT;
}

/*
 * A sync or a close.  An error that it reports belongs to an earlier write.  A sync does not go
 * to the disk, because thousands of runs would have to wait for it.  That is enough, because
 * loss.c decides what a crash loses.
 */
static int settle(const char *name, int fd)
{
    int (*next)(int);
    *(void **)&next = next_function(name);
    const char *path = watched_fd(fd);
    if (path == NULL)
        return next(fd);
    bool closes = strcmp(name, "close") == 0;
    enum verdict verdict = call_begin(name, path);
    int result = verdict == FAIL ? -1 : 0;
    if (verdict == FAIL && means_lost(errno))
        (closes ? loss_at_close : loss_of_unsynced)(fd);
    else if (verdict != FAIL)
        (closes ? loss_closed : loss_synced)(fd);
    if (closes) { /* a close that reports an error closes, too */
        watch_fd(fd, NULL);
        (void)next(fd);
    }
    call_end(verdict);
    return result;
}

int close(int fd)
{
    return settle("close", fd);
}

int fsync(int fd)
{
    return settle("fsync", fd);
}

int fdatasync(int fd)
{
    return settle("fdatasync", fd);
}

WRAP(int, -1, sync_file_range, (int fd, off64_t offset, off64_t length, unsigned flags),
     (fd, offset, length, flags), watched_fd(fd), , )

/* ----------------------------------------------------- sizes and modes -- */

#define SIZES(type, fallocate_name, ftruncate_name)                                    \
    WRAP(int, -1, fallocate_name, (int fd, int mode, type offset, type length),        \
         (fd, mode, offset, length), watched_fd(fd), loss_before_write(fd),            \
         loss_written(fd, (off_t)offset, 0))                                           \
    WRAP(int, -1, ftruncate_name, (int fd, type length), (fd, length), watched_fd(fd), \
         loss_before_write(fd), loss_written(fd, (off_t)length, 0))

SIZES(off_t, fallocate, ftruncate)
SIZES(off64_t, fallocate64, ftruncate64)

WRAP(int, -1, fchmod, (int fd, mode_t mode), (fd, mode), watched_fd(fd), , )
WRAP(int, -1, fchown, (int fd, uid_t user, gid_t group), (fd, user, group), watched_fd(fd), , )
WRAP(int, -1, dup, (int fd), (fd), watched_fd(fd), ,
     if (result >= 0) watch_fd(result, watched_fd(fd)))
WRAP(int, -1, flock, (int fd, int operation), (fd, operation), watched_fd(fd), , )

/* ------------------------------------------------------ random numbers -- */

/* Runs with the same seed get the same numbers, so that a run can be repeated. */
static void fill(uint8_t *bytes, size_t size)
{
    static uint64_t state;
    static bool begun;
    const char *seed = getenv("FAULTS_SEED");
    if (!begun && seed != NULL)
        state = strtoull(seed, NULL, 10);
    begun = true;
    for (size_t i = 0; i < size; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        bytes[i] = (uint8_t)(state >> 56);
    }
}

ssize_t getrandom(void *buffer, size_t size, unsigned flags)
{
    if (!is_watching()) {
        ssize_t (*next)(void *, size_t, unsigned);
        *(void **)&next = next_function("getrandom");
        return next(buffer, size, flags);
    }
    enum verdict verdict = call_begin("getrandom", "-");
    size_t given = verdict == ZERO || verdict == FAIL ? 0 : verdict == SHORT ? size / 2 : size;
    fill(buffer, given);
    call_end(verdict);
    return verdict == FAIL ? -1 : (ssize_t)given;
}
