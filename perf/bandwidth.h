/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bandwidth.h - how fast one core moves bytes to and from memory of a given size.
 *
 * GB/s count the bytes of one side: a copy of n bytes moves n, and so does a modification in
 * place.  Every kind is measured along several streams at once, since a stripe is read so:
 * prefetchers follow a limited number of streams, and each stream crosses its own pages.
 */
#ifndef PERF_BANDWIDTH_H
#define PERF_BANDWIDTH_H

#include <stdbool.h>
#include <stddef.h>

#include "buffers.h"

enum bandwidth_kind {
    BANDWIDTH_READ,     /* a xor of all vectors */
    BANDWIDTH_WRITE,    /* ordinary stores: a line that the cache lacks is read before */
    BANDWIDTH_MODIFY,   /* read, change and write in place */
    BANDWIDTH_COPY,     /* read here, write there by ordinary stores */
    BANDWIDTH_NT_WRITE, /* stores around the caches; what the CPU lacks is 0 */
    BANDWIDTH_NT_COPY,
    BANDWIDTH_KINDS
};

/* In how many streams at once, and with or without prefetch instructions. */
struct bandwidth_way {
    const char *name;
    size_t streams;
    bool prefetch;
};

#define BANDWIDTH_WAYS 3
extern const struct bandwidth_way bandwidth_ways[BANDWIDTH_WAYS];

struct bandwidth {
    double gbs[BANDWIDTH_KINDS][BANDWIDTH_WAYS];
};

const char *bandwidth_kind_name(enum bandwidth_kind kind);

/* Bytes of a vector of the loops: the widest that the CPU has, where the loops know it. */
size_t bandwidth_width(void);

/*
 * Measure `footprint` bytes at the start of the arena, each figure for about so many
 * seconds, but no less than three passes.  False when memory runs out.
 */
bool bandwidth_measure(struct arena *arena, size_t footprint, double seconds,
                       struct bandwidth *bandwidth);

/* Of the ways the fastest. */
double bandwidth_best(const struct bandwidth *bandwidth, enum bandwidth_kind kind);

#endif
