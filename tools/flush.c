/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "flush.h"

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * NFS, CIFS and FUSE send the remaining data when a descriptor is closed, even if others are
 * open for the same file.  A copy is closed here, because closing the first descriptor would
 * release the lock on the file.
 */
static int close_copy(int fd)
{
    int result;
    do {
        int copy = dup(fd);
        result = copy >= 0 ? close(copy) : -1;
    } while (result != 0 && errno == EINTR);
    return result;
}

int flush_file(int fd, bool sync)
{
    return sync ? fsync(fd) : close_copy(fd);
}

int flush_stream(int fd)
{
    if (fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS)
        return 0;
    return -1;
}

/* EACCES: a directory that may be written but not read cannot be opened. */
static bool cannot_be_synced(int error)
{
    return error == EINVAL || error == EBADF || error == ENOTSUP || error == EACCES;
}

int flush_directory(const char *path)
{
    char *directory = path_directory(path);
    if (directory == NULL)
        return -1;
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = fd >= 0 && fsync(fd) == 0 ? 0 : errno;
    if (fd >= 0)
        close(fd);
    free(directory);
    errno = error;
    return error == 0 || cannot_be_synced(error) ? 0 : -1;
}
