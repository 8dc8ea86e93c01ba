/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that grow by one entry at a time. */
#ifndef PXR_TOOLS_LIST_H
#define PXR_TOOLS_LIST_H

#include <stddef.h>

/*
 * The list, moved where it had to be, with room for an entry more than the `count` of `size`
 * bytes that it has; a list of no room is NULL.  NULL without memory (errno): then the list
 * stays as it was.
 */
void *list_grown(void *list, size_t count, size_t *room, size_t size);

#endif
