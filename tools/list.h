/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that grow by one entry at a time. */
#ifndef PXR_TOOLS_LIST_H
#define PXR_TOOLS_LIST_H

#include <stddef.h>

/*
 * Returns the list with room for one more entry than the `count` entries of `size` bytes that
 * it has.  The list may move.  A list without room is NULL.  Returns NULL without memory
 * (errno), and then the list stays as it was.
 */
void *list_grown(void *list, size_t count, size_t *room, size_t size);

#endif
