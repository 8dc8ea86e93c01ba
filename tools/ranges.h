/* SPDX-License-Identifier: BSD-3-Clause */
/* Byte ranges of a file, collected in any order. */
#ifndef PXR_TOOLS_RANGES_H
#define PXR_TOOLS_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
    uint64_t offset, length;
};

struct ranges {
    struct range *range;
    size_t count, room;
};

/* Adds a range that is not empty and overlaps no other.  Returns false without memory. */
bool ranges_add(struct ranges *ranges, uint64_t offset, uint64_t length);

/* Sorts the ranges, and merges neighbours. */
void ranges_merge(struct ranges *ranges);

/* Returns the number of bytes in all ranges. */
uint64_t ranges_sum(const struct ranges *ranges);

void ranges_free(struct ranges *ranges);

#endif
