/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "access_list.h"

#include <stdlib.h>
#include <sys/xattr.h>

#define NAME "system.posix_acl_access"

bool access_list_on(int fd)
{
    return fgetxattr(fd, NAME, NULL, 0) > 0;
}

struct access_list access_list_of(int fd)
{
    struct access_list list = {NULL, 0};
    const ssize_t size = fgetxattr(fd, NAME, NULL, 0);
    if (size > 0)
        list.bytes = malloc((size_t)size);
    if (list.bytes != NULL && fgetxattr(fd, NAME, list.bytes, (size_t)size) == size)
        list.size = (size_t)size;
    else
        access_list_free(&list);
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
    return access_list_on(fd) ? mode & ~(mode_t)0070 : mode;
}
