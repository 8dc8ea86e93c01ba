/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * workload.h - one shape of work and the memory that all libraries do it on.
 */
#ifndef PERF_WORKLOAD_H
#define PERF_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "buffers.h"
#include "library.h"

struct operation;

enum matrix_kind { MATRIX_VAND, MATRIX_CAUCHY };

enum walk_mode {
    WALK_WARM, /* one stripe again and again */
    WALK_COLD  /* stripe after stripe of a set larger than the caches */
};

struct shape {
    const struct operation *operation;
    int k, m;
    int len;
    enum matrix_kind matrix;
    enum walk_mode mode;
    const char *suffix;
};

struct placement {
    size_t offset;   /* of each shard behind a 64-byte boundary */
    size_t displace; /* see buffers.h */
    size_t cold_set; /* bytes that a cold walk touches */
};

/*
 * A stripe is the shards that one call reads and writes.  The libraries take
 * turns along one walk: the next stripe of a cold walk is always the one that
 * was left alone for longest, whoever comes to it.
 */
struct workload {
    struct shape shape;
    size_t inputs, outputs; /* shards of a stripe */
    size_t stripes;
    size_t next;  /* of the walk */
    u8 **sources; /* stripes * inputs */
    u8 **targets; /* stripes * outputs */
    u8 **check;   /* k shards to compare results on: stripe 0's inputs last */
};

const char *matrix_name(enum matrix_kind matrix);
const char *mode_name(enum walk_mode mode);

/* Lay the shards of `shape` out in the arena.  False when memory runs out. */
bool workload_open(struct workload *work, const struct shape *shape,
                   const struct placement *placement, struct arena *arena);

void workload_close(struct workload *work);

/* The stripe to work on now. */
static inline size_t workload_step(struct workload *work)
{
    size_t stripe = work->next;
    work->next = stripe + 1 == work->stripes ? 0 : stripe + 1;
    return stripe;
}

#endif
