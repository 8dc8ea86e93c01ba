/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cli_shim: a library that unit/cli_test.sh preloads into the command, to simulate faults of
 * file systems.  $CLI_FAULT names the fault.  THE FILE is any file whose path contains
 * $CLI_FAULT_PATH.
 *
 *     write-0    the first call of pwritev() transfers nothing
 *     write      writing to THE FILE fails
 *     reread     the first byte of THE FILE is another one when it is read again
 *     own-modes  everybody may read THE FILE, and its mode cannot be set
 *     no-time    the times of a file cannot be set
 *     close      closing THE FILE fails
 *     fsync      syncing THE FILE fails
 *     fsync-dir  syncing a directory fails
 *     die-fsync  the program is killed when it syncs THE FILE
 *     die-dir    the program is killed when it syncs a directory
 *     no-flags   renaming with flags fails, and so do hard links
 *     no-swap    an exchange of two names only renames one, and reports success
 *     stuck      renaming fails from the second call of renameat2() on, and SIGINT comes then
 *     kill       the program is killed when it calls renameat2() for the second time
 *     cached     reading through the page cache fails
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static bool fault_is(const char *name)
{
    const char *fault = getenv("CLI_FAULT");
    return fault != NULL && strcmp(fault, name) == 0;
}

static bool leads_to_fault(int fd)
{
    char link[64], path[4096];
    const char *part = getenv("CLI_FAULT_PATH");
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (part == NULL || length < 0)
        return false;
    path[length] = '\0';
    return strstr(path, part) != NULL;
}

ssize_t pwritev(int fd, const struct iovec *vector, int count, off_t offset)
{
    static atomic_bool done;
    ssize_t (*next)(int, const struct iovec *, int, off_t);
    const char *name = sizeof(off_t) > sizeof(long) ? "pwritev64" : "pwritev";
    if (fault_is("write-0") && !atomic_exchange(&done, true))
        return 0;
    if (fault_is("write") && leads_to_fault(fd)) {
        errno = EIO;
        return -1;
    }
    *(void **)&next = dlsym(RTLD_NEXT, name);
    return next(fd, vector, count, offset);
}

int fchmod(int fd, mode_t mode)
{
    if (!fault_is("own-modes") || !leads_to_fault(fd))
        return (int)syscall(SYS_fchmod, fd, mode);
    errno = EPERM;
    return -1;
}

int fstat(int fd, struct stat *status)
{
    int result = fstatat(fd, "", status, AT_EMPTY_PATH);
    if (result == 0 && fault_is("own-modes") && leads_to_fault(fd))
        status->st_mode |= 0044;
    return result;
}

int futimens(int fd, const struct timespec times[2])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (!fault_is("no-time"))
        return utimensat(AT_FDCWD, link, times, 0);
    errno = EPERM;
    return -1;
}

/* Whether the start of THE FILE is read again. */
static bool is_reread(int fd, off64_t offset)
{
    static atomic_bool done;
    return fault_is("reread") && offset == 0 && leads_to_fault(fd) &&
           atomic_exchange(&done, true);
}

/* Reads for both names of the function: preadv64() and, where a plain off_t has 64 bits,
   preadv(). */
static ssize_t read_faulty(const char *name, int fd, const struct iovec *vector, int count,
                           off64_t offset)
{
    ssize_t (*next)(int, const struct iovec *, int, off64_t);
    if (fault_is("cached") && (fcntl(fd, F_GETFL) & O_DIRECT) == 0) {
        errno = EIO;
        return -1;
    }
    *(void **)&next = dlsym(RTLD_NEXT, name);
    ssize_t got = next(fd, vector, count, offset);
    if (got > 0 && is_reread(fd, offset))
        *(char *)vector[0].iov_base ^= 1;
    return got;
}

ssize_t preadv64(int fd, const struct iovec *vector, int count, off64_t offset)
{
    return read_faulty("preadv64", fd, vector, count, offset);
}

#if __SIZEOF_LONG__ == 8
ssize_t preadv(int fd, const struct iovec *vector, int count, off_t offset)
{
    return read_faulty("preadv", fd, vector, count, offset);
}
#endif

int close(int fd)
{
    bool fails = fault_is("close") && leads_to_fault(fd);
    int result = (int)syscall(SYS_close, fd);
    if (!fails)
        return result;
    errno = EIO;
    return -1;
}

static bool is_directory(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
}

int fsync(int fd)
{
    bool fails =
        fault_is("fsync-dir") ? is_directory(fd) : fault_is("fsync") && leads_to_fault(fd);
    if ((fault_is("die-fsync") && leads_to_fault(fd)) ||
        (fault_is("die-dir") && is_directory(fd)))
        raise(SIGKILL);
    if (!fails)
        return (int)syscall(SYS_fsync, fd);
    errno = EIO;
    return -1;
}

static atomic_bool stuck;

int rename(const char *from, const char *to)
{
    if (!atomic_load(&stuck))
        return renameat(AT_FDCWD, from, AT_FDCWD, to);
    errno = EIO;
    return -1;
}

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
    static int renamed;
    if (fault_is("no-flags") && flags != 0) {
        errno = EINVAL;
        return -1;
    }
    if (fault_is("kill") && ++renamed == 2)
        raise(SIGKILL);
    if (fault_is("stuck") && ++renamed >= 2) {
        if (!atomic_exchange(&stuck, true))
            raise(SIGINT);
        errno = EIO;
        return -1;
    }
    if (fault_is("no-swap") && (flags & RENAME_EXCHANGE))
        flags = 0;
    return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}

int link(const char *from, const char *to)
{
    if (!fault_is("no-flags"))
        return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
    errno = EPERM;
    return -1;
}
