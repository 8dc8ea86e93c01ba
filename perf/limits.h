/* SPDX-License-Identifier: BSD-3-Clause */
/* limits.h - the limit of ports.h that a shape is held against. */
#ifndef PERF_LIMITS_H
#define PERF_LIMITS_H

#include <stdbool.h>

#include "ports.h"
#include "workload.h"

#define LIMITS_MAX_SETS 8

struct limits {
    double clock;                /* GHz; 0 unknown */
    bool known[LIMITS_MAX_SETS]; /* measured, in the order of port_sets */
    struct port_rates rates[LIMITS_MAX_SETS];
};

/* Measure every set that this CPU has.  False when memory runs out. */
bool limits_measure(struct limits *limits);

/*
 * The limit in GB/s for a shape that is a dot product, and the kernel set that it is of:
 * the one named by the shape's suffix, by `named` or by PERMXOR_KERNELS, else the fastest
 * that the CPU has.  False when there is none.
 */
bool limits_of(const struct limits *limits, const struct shape *shape, const char *named,
               const struct port_set **set, double *limit);

#endif
