/* SPDX-License-Identifier: BSD-3-Clause */
/* cases.h - which shapes are timed: lists from the command line, and the grids. */
#ifndef PERF_CASES_H
#define PERF_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "workload.h"

/* Shapes that belong together: one code, many lengths. */
struct series {
    const char *title;   /* printed above it; NULL: belongs to the series before */
    struct shape shape;  /* its length is taken from the list */
    const char *lengths; /* see lists.h */
    bool sweep;          /* say only where the ratio is least, not every length */
};

/* Every combination of comma-separated lists; where NULL stands the default is taken. */
struct lists {
    const char *operations; /* by their names, or those of their groups */
    const char *codes;      /* "10+4" data and parity shards; "10" with `m`; RAID: disks */
    const char *matrices, *modes, *layouts, *lengths, *suffix;
    int m; /* of codes that do not say; 0: the default */
    bool sweep;
};

struct cases {
    const char *grid; /* NULL: the lists */
    struct lists lists;
};

typedef void series_visitor(const struct series *series, void *context);

/* Tells standard error and returns false when a name or a list is wrong. */
bool cases_each(const struct cases *cases, series_visitor *visit, void *context);

/* Whether all names and lists are right; else there is a message. */
bool cases_valid(const struct cases *cases);

#endif
