/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "access_list.h"

#include <stdlib.h>
#include <sys/xattr.h>

#define NAME "system.posix_acl_access"

static size_t size_of(int fd)
{
    const ssize_t size = fgetxattr(fd, NAME, NULL, 0);
    return size > 0 ? (size_t)size : 0;
}

struct access_list access_list_of(int fd)
{
    struct access_list list = {NULL, size_of(fd)};
    if (list.size > 0)
        list.bytes = malloc(list.size);
    if (list.bytes != NULL &&
        fgetxattr(fd, NAME, list.bytes, list.size) != (ssize_t)list.size) {
        free(list.bytes);
        list.bytes = NULL;
    }
    return list;
}

void access_list_free(struct access_list *list)
{
    free(list->bytes);
    *list = (struct access_list){NULL, 0};
}

bool access_list_set(const struct access_list *list, int fd)
{
    return list->bytes != NULL && fsetxattr(fd, NAME, list->bytes, list->size, 0) == 0;
}

mode_t access_list_mode(int fd, mode_t mode)
{
    return size_of(fd) > 0 ? mode & ~(mode_t)0070 : mode;
}
