/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "identity.h"

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

bool same_inode(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Renaming a file changes its ctime, and nothing else that is compared here. */
bool same_but_renamed(const struct stat *a, const struct stat *b)
{
    return same_inode(a, b) && a->st_size == b->st_size && same_time(&a->st_mtim, &b->st_mtim);
}

bool same_file(const struct stat *a, const struct stat *b)
{
    return same_but_renamed(a, b) && same_time(&a->st_ctim, &b->st_ctim);
}
