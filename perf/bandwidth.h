/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bandwidth.h - how fast one core moves bytes to and from memory of a given size.
 *
 * GB/s count the bytes of one side: a copy of n bytes counts as n, and so does a modification
 * in place.  Every kind is measured along several streams at once, because a stripe is read in
 * this way: prefetchers follow a limited number of streams, and each stream crosses pages of
 * its own.
 */
#ifndef PERF_BANDWIDTH_H
#define PERF_BANDWIDTH_H

#include <stdbool.h>
#include <stddef.h>

#include "buffers.h"

enum bandwidth_kind {
    BANDWIDTH_READ,     /* the xor of all vectors */
    BANDWIDTH_WRITE,    /* ordinary stores: the CPU first reads a line that the cache lacks */
    BANDWIDTH_MODIFY,   /* read, change and write in place */
    BANDWIDTH_COPY,     /* read one area, and write another by ordinary stores */
    BANDWIDTH_NT_WRITE, /* stores around the caches; 0 where the CPU has none */
    BANDWIDTH_NT_COPY,
    BANDWIDTH_KINDS
};

/* How many streams are read at once, with or without prefetch instructions. */
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

/* Bytes of a vector of the loops: the widest vector of the CPU for which there are loops. */
size_t bandwidth_width(void);

/*
 * Measure `footprint` bytes at the start of the arena.  Each figure takes about `seconds`
 * seconds, but at least three passes.  Returns false when memory runs out.
 */
bool bandwidth_measure(struct arena *arena, size_t footprint, double seconds,
                       struct bandwidth *bandwidth);

/* The rate of the fastest way. */
double bandwidth_best(const struct bandwidth *bandwidth, enum bandwidth_kind kind);

#endif
