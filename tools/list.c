/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "list.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

void *list_grown(void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return list;
    if (*room > (SIZE_MAX / size - 16) / 2) {
        errno = ENOMEM;
        return NULL;
    }
    void *grown = realloc(list, (2 * *room + 16) * size);
    if (grown != NULL)
        *room = 2 * *room + 16;
    return grown;
}
