/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that work on names: they open, rename, link, remove, list and look up files. */
#undef _FILE_OFFSET_BITS
#undef _TIME_BITS
#include "calls.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --------------------------------------------------------------- open -- */

static bool is_there(int folder, const char *path)
{
    return faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static int open_any(const char *name, int folder, const char *path, int flags, mode_t mode)
{
    int (*next)(int, const char *, int, ...);
    *(void **)&next = next_function("openat64");
    const char *where = watched_path(folder, path);
    if (where == NULL)
        return next(folder, path, flags, mode);
    enum verdict verdict = call_begin(name, where);
    int fd = -1;
    if (verdict != FAIL) {
        bool named = (flags & O_TMPFILE) != O_TMPFILE;
        bool made = (flags & O_CREAT) && named && !is_there(folder, path);
        fd = next(folder, path, flags, mode);
        watch_fd(fd, where);
        if (fd >= 0 && made)
            loss_record(MADE, where, where, NULL);
    }
    call_end(verdict);
    return fd;
}

static mode_t mode_argument(int flags, va_list arguments)
{
    bool given = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
    return given ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name)                                           \
    int name(const char *path, int flags, ...)               \
    {                                                        \
        va_list arguments;                                   \
        va_start(arguments, flags);                          \
        mode_t mode = mode_argument(flags, arguments);       \
        va_end(arguments);                                   \
        return open_any(#name, AT_FDCWD, path, flags, mode); \
    }

#define OPENAT(name)                                       \
    int name(int folder, const char *path, int flags, ...) \
    {                                                      \
        va_list arguments;                                 \
        va_start(arguments, flags);                        \
        mode_t mode = mode_argument(flags, arguments);     \
        va_end(arguments);                                 \
        return open_any(#name, folder, path, flags, mode); \
    }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

/* With _FORTIFY_SOURCE, a compiler calls these in place of open().  No header declares them. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);

int __open_2(const char *path, int flags)
{
    return open_any("open", AT_FDCWD, path, flags, 0);
}

int __open64_2(const char *path, int flags)
{
    return open_any("open64", AT_FDCWD, path, flags, 0);
}

/* ------------------------------------------------------------- rename -- */

static int rename_any(const char *name, int from_folder, const char *from, int to_folder,
                      const char *to, unsigned flags)
{
    int (*next)(int, const char *, int, const char *, unsigned);
    *(void **)&next = next_function("renameat2");
    const char *where_to = watched_path(to_folder, to);
    const char *where_from = watched_path(from_folder, from);
    if (where_to == NULL || where_from == NULL)
        return next(from_folder, from, to_folder, to, flags);
    enum verdict verdict = call_begin(name, where_to);
    int result = -1;
    if (verdict != FAIL) {
        char *kept = flags == 0 ? loss_keep(where_to) : NULL;
        result = next(from_folder, from, to_folder, to, flags);
        int error = errno;
        if (result == 0)
            loss_record(flags & RENAME_EXCHANGE ? EXCHANGED : RENAMED, where_from, where_to,
                        kept);
        errno = error;
    }
    call_end(verdict);
    return result;
}

int rename(const char *from, const char *to)
{
    return rename_any("rename", AT_FDCWD, from, AT_FDCWD, to, 0);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    return rename_any("renameat", from_folder, from, to_folder, to, 0);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    return rename_any("renameat2", from_folder, from, to_folder, to, flags);
}

/* ---------------------------------------------------- links, removals -- */

WRAP(int, -1, link, (const char *from, const char *to), (from, to), watched_path(AT_FDCWD, to),
     , if (result == 0) loss_record(MADE, path_of_call, path_of_call, NULL))
WRAP(int, -1, linkat,
     (int from_folder, const char *from, int to_folder, const char *to, int flags),
     (from_folder, from, to_folder, to, flags), watched_path(to_folder, to), ,
     if (result == 0) loss_record(MADE, path_of_call, path_of_call, NULL))
WRAP(int, -1, unlink, (const char *path), (path), watched_path(AT_FDCWD, path),
     char *kept = loss_keep(path_of_call),
     if (result == 0) loss_record(REMOVED, path_of_call, path_of_call, kept))
WRAP(int, -1, unlinkat, (int folder, const char *path, int flags), (folder, path, flags),
     watched_path(folder, path), char *kept = loss_keep(path_of_call),
     if (result == 0) loss_record(REMOVED, path_of_call, path_of_call, kept))

/* ------------------------------------------------------------ folders -- */

WRAP(DIR *, NULL, opendir, (const char *path), (path), watched_path(AT_FDCWD, path), ,
     if (result != NULL) watch_fd(dirfd(result), path_of_call))
WRAP(DIR *, NULL, fdopendir, (int fd), (fd), watched_fd(fd), , )
WRAP(struct dirent *, NULL, readdir, (DIR * folder), (folder), watched_fd(dirfd(folder)), , )
WRAP(struct dirent64 *, NULL, readdir64, (DIR * folder), (folder), watched_fd(dirfd(folder)),
     , )

/* scandir() makes its calls inside the C library, so it fails or passes as a whole. */
typedef int choose_fn(const struct dirent *);
typedef int order_fn(const struct dirent **, const struct dirent **);
typedef int choose64_fn(const struct dirent64 *);
typedef int order64_fn(const struct dirent64 **, const struct dirent64 **);
WRAP(int, -1, scandir,
     (const char *path, struct dirent ***list, choose_fn *choose, order_fn *order),
     (path, list, choose, order), watched_path(AT_FDCWD, path), , )
WRAP(int, -1, scandir64,
     (const char *path, struct dirent64 ***list, choose64_fn *choose, order64_fn *order),
     (path, list, choose, order), watched_path(AT_FDCWD, path), , )

/* ------------------------------------------------------------ lookups -- */

/* glibc 2.33 and later have these as functions.  Before, they are calls of functions such as
   __fxstat(). */
WRAP(int, -1, stat, (const char *path, struct stat *status), (path, status),
     watched_path(AT_FDCWD, path), , )
WRAP(int, -1, stat64, (const char *path, struct stat64 *status), (path, status),
     watched_path(AT_FDCWD, path), , )
WRAP(int, -1, lstat, (const char *path, struct stat *status), (path, status),
     watched_path(AT_FDCWD, path), , )
WRAP(int, -1, lstat64, (const char *path, struct stat64 *status), (path, status),
     watched_path(AT_FDCWD, path), , )
WRAP(int, -1, fstatat, (int folder, const char *path, struct stat *status, int flags),
     (folder, path, status, flags), watched_path(folder, path), , )
WRAP(int, -1, fstatat64, (int folder, const char *path, struct stat64 *status, int flags),
     (folder, path, status, flags), watched_path(folder, path), , )
WRAP(int, -1, fstat, (int fd, struct stat *status), (fd, status), watched_fd(fd), , )
WRAP(int, -1, fstat64, (int fd, struct stat64 *status), (fd, status), watched_fd(fd), , )
WRAP(char *, NULL, realpath, (const char *path, char *resolved), (path, resolved),
     watched_path(AT_FDCWD, path), , )
