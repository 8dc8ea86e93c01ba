/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "ranges.h"

#include "list.h"

#include <stdlib.h>

bool ranges_add(struct ranges *ranges, uint64_t offset, uint64_t length)
{
    struct range *range =
        list_grown(ranges->range, ranges->count, &ranges->room, sizeof *range);
    if (range == NULL)
        return false;
    ranges->range = range;
    ranges->range[ranges->count++] = (struct range){offset, length};
    return true;
}

static int by_offset(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

void ranges_merge(struct ranges *ranges)
{
    size_t used = 0;
    if (ranges->count == 0)
        return;
    qsort(ranges->range, ranges->count, sizeof *ranges->range, by_offset);
    for (size_t i = 1; i < ranges->count; i++) {
        struct range *last = &ranges->range[used];
        if (last->offset + last->length == ranges->range[i].offset)
            last->length += ranges->range[i].length;
        else
            ranges->range[++used] = ranges->range[i];
    }
    ranges->count = used + 1;
}

uint64_t ranges_sum(const struct ranges *ranges)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < ranges->count; i++)
        sum += ranges->range[i].length;
    return sum;
}

void ranges_free(struct ranges *ranges)
{
    free(ranges->range);
    *ranges = (struct ranges){0};
}
