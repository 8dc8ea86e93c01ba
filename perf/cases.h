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

/* What the command line asks for: every combination, lists comma-separated. */
struct lists {
    int k, m;
    const char *lengths, *matrices, *operations, *modes, *layouts, *suffix;
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
