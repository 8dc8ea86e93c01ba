/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * workload.h - one shape of work and the memory that all libraries do it on.
 */
#ifndef PERF_WORKLOAD_H
#define PERF_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "library.h"
#include "walk.h"

struct operation;

/* The last one is the Cauchy matrix with its sources in reverse order: no block of it has the
   structure that permxor needs fewer products for. */
enum matrix_kind { MATRIX_VAND, MATRIX_CAUCHY, MATRIX_REVERSED, MATRICES };

struct shape {
    const struct operation *operation;
    int k, m;
    int len;
    enum matrix_kind matrix;
    enum walk_mode mode;
    enum layout layout;
    const char *suffix;
};

/* A stripe is its inputs, then its outputs. */
struct workload {
    struct shape shape;
    size_t inputs, outputs; /* shards of a stripe */
    struct walk walk;       /* the libraries take turns along it */
    u8 **sources;           /* stripes * inputs */
    u8 **targets;           /* stripes * outputs */
    u8 **check;             /* k shards to compare results on: stripe 0's inputs last */
};

const char *matrix_name(enum matrix_kind matrix);

/* Lay the shards of `shape` out in the arena; `displaced`: see layout_placement().  False when
   memory runs out. */
bool workload_open(struct workload *work, const struct shape *shape,
                   const struct placement *displaced, struct arena *arena);

void workload_close(struct workload *work);

#endif
