/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * workload.h - one shape of work and the memory that all subjects do it on.
 */
#ifndef PERF_WORKLOAD_H
#define PERF_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "library.h"
#include "matrices.h"
#include "walk.h"

struct operation;

struct shape {
    const struct operation *operation;
    int k, m; /* data and parity shards; for RAID the disks, and 1 or 2: P, or P and Q */
    int len;
    struct matrix matrix;
    enum walk_mode mode;
    enum layout layout;
};

/* A stripe is the data shards that a call reads, followed by its parity. */
struct workload {
    struct shape shape;
    size_t data;                      /* data shards of a stripe */
    unsigned first, span;             /* the disks that a partial change concerns */
    size_t inputs, outputs;           /* pointers of a stripe in the arrays below */
    struct walk walk;                 /* the subjects take turns along it */
    unsigned written[PXR_MAX_SHARDS]; /* the shards that a call writes, ascending */
    u8 **sources;                     /* stripes * inputs: the row of pointers for each call */
    u8 **targets;                     /* stripes * outputs: where each call writes */
    u8 **check; /* k shards to compare results on; stripe 0's data are last */
};

/*
 * Lay the shards of `count` shapes out in the arena, one workload behind the other, and fill
 * stripe 0 of each.  For `displaced` see layout_placement().  Returns false when memory runs
 * out.
 */
bool workloads_open(struct workload *works, const struct shape *shapes, size_t count,
                    const struct placement *displaced, struct arena *arena);

void workloads_close(struct workload *works, size_t count);

/* Fill a target of stripe 0 with what it held in the beginning. */
void workload_fill_target(const struct workload *work, size_t target);

/* Put what the operation asks for (enum holds) into the first `stripes` stripes. */
void workload_stage(const struct workload *work, size_t stripes);

/*
 * Add the parity of n data blocks to P and Q, each of which may be NULL, by the arithmetic of
 * its definition:
 *     P ^= sum of data[i],  Q ^= sum of 2^i * data[i]    in GF(2^8), polynomial 0x11d
 * A block that is NULL stands for zeros.
 */
void parity_add(size_t n, u8 *const *data, size_t len, u8 *p, u8 *q);

#endif
