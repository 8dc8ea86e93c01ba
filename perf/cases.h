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
    const char *lengths, *matrices, *operations, *modes, *suffix;
    bool sweep;
};

typedef void series_visitor(const struct series *series, void *context);

/* Both tell standard error and return false when a name or a list is wrong. */
bool grid_each(const char *name, series_visitor *visit, void *context);
bool lists_each(const struct lists *lists, series_visitor *visit, void *context);

#endif
