/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Access control lists of files (acl(5)).  If a file has a list, the rights of the group in its
 * mode are the list's mask: what named users and groups may have at most.  The file's group
 * itself may have less.
 */
#ifndef PXR_TOOLS_ACCESS_LIST_H
#define PXR_TOOLS_ACCESS_LIST_H

#include <stdbool.h>
#include <sys/types.h>

/* The list of a file, whose size is 0 if the file has none. */
struct access_list {
    void *bytes; /* NULL: there is none, or it could not be read */
    size_t size;
};

struct access_list access_list_of(int fd);
void access_list_free(struct access_list *list);

/* Gives a file the list.  Returns false when the system does not allow it. */
bool access_list_set(const struct access_list *list, int fd);

/* Returns the mode of a file, without the rights of the group if the file has a list. */
mode_t access_list_mode(int fd, mode_t mode);

#endif
