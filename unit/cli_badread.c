/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library that unit/cli_test.sh preloads into the command.  It makes positioned reads fail at
 * chosen places, as they fail on a disk with dead sectors.
 *
 *     PXR_BADREAD="ERRNO SUFFIX OFFSET LENGTH;..."
 *
 * A read fails with ERRNO, a number, if the file's path ends with SUFFIX and the read includes
 * one of the LENGTH bytes from OFFSET on.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

typedef ssize_t preadv_fn(int fd, const struct iovec *vector, int count, off64_t offset);

static bool path_ends(int fd, const char *suffix)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path);
    size_t tail = strlen(suffix);
    return length >= (ssize_t)tail && memcmp(path + length - tail, suffix, tail) == 0;
}

/* The errno with which a read of these bytes is to fail, or 0. */
static int injected(int fd, off64_t offset, size_t size)
{
    const char *rule = getenv("PXR_BADREAD");
    while (rule != NULL) {
        int error;
        char suffix[256];
        long long from, length;
        if (sscanf(rule, "%d %255s %lld %lld", &error, suffix, &from, &length) == 4 &&
            offset < from + length && from < offset + (off64_t)size && path_ends(fd, suffix))
            return error;
        rule = strchr(rule, ';');
        rule = rule != NULL ? rule + 1 : NULL;
    }
    return 0;
}

static ssize_t read_or_fail(const char *name, int fd, const struct iovec *vector, int count,
                            off64_t offset)
{
    size_t size = 0;
    preadv_fn *real = NULL;
    void *symbol = dlsym(RTLD_NEXT, name);
    memcpy(&real, &symbol, sizeof real);
    for (int i = 0; i < count; i++)
        size += vector[i].iov_len;
    errno = injected(fd, offset, size);
    return errno != 0 ? -1 : real(fd, vector, count, offset);
}

ssize_t preadv64(int fd, const struct iovec *vector, int count, off64_t offset)
{
    return read_or_fail("preadv64", fd, vector, count, offset);
}

/* The command calls preadv() by this name where a plain off_t has 64 bits. */
#if __SIZEOF_LONG__ == 8
ssize_t preadv(int fd, const struct iovec *vector, int count, off_t offset)
{
    return read_or_fail("preadv", fd, vector, count, offset);
}
#endif
