/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "direct.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/*
 * Offsets, sizes and addresses of direct reads are multiples of this: no disk has larger
 * sectors.
 */
enum { BLOCK = 4096, BOUNCE_MOST = 1 << 20 };

static bool on;

void direct_begin(void)
{
    on = true;
}

bool direct_is_on(void)
{
    return on;
}

static bool is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

int direct_open(const char *path, int flags)
{
    int fd = open(path, flags | O_DIRECT);
    if (fd < 0 && errno == EINVAL && !is_regular(path))
        return open(path, flags);
    return fd;
}

/* Returns the bytes of the blocks that hold the first `length` bytes from `skip` on. */
static size_t blocks_around(size_t skip, size_t length)
{
    size_t most = BOUNCE_MOST - skip;
    size_t end = skip + (length < most ? length : most);
    return (end + BLOCK - 1) / BLOCK * BLOCK;
}

/* Reads some of the bytes that are asked for, at least one.  Returns 0 at the end of the file.
 */
static ssize_t read_some(int fd, uint8_t *bounce, uint8_t *buffer, size_t length, off_t offset)
{
    size_t skip = (size_t)(offset % BLOCK);
    struct iovec vector = {bounce, blocks_around(skip, length)};
    ssize_t got;
    do
        got = preadv(fd, &vector, 1, offset - (off_t)skip);
    while (got < 0 && errno == EINTR);
    if (got <= (ssize_t)skip)
        return got < 0 ? -1 : 0;
    size_t usable = (size_t)got - skip;
    if (usable > length)
        usable = length;
    memcpy(buffer, bounce + skip, usable);
    return (ssize_t)usable;
}

ssize_t direct_read(int fd, void *buffer, size_t length, off_t offset)
{
    uint8_t *bounce = aligned_alloc(BLOCK, blocks_around((size_t)(offset % BLOCK), length));
    size_t total = 0;
    ssize_t got = bounce != NULL ? 1 : -1;
    while (got > 0 && total < length) {
        got = read_some(fd, bounce, (uint8_t *)buffer + total, length - total,
                        offset + (off_t)total);
        total += got > 0 ? (size_t)got : 0;
    }
    int error = errno;
    free(bounce);
    errno = error;
    return got < 0 ? -1 : (ssize_t)total;
}
