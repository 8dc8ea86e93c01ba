/* SPDX-License-Identifier: BSD-3-Clause */
/* cases.h - which shapes are timed: those of the command line's lists, and of the grids. */
#ifndef PERF_CASES_H
#define PERF_CASES_H

#include <stdbool.h>
#include <stddef.h>

#include "workload.h"

/* Shapes that belong together: one code with many lengths. */
struct series {
    const char *title;  /* printed above it; NULL: it belongs to the series before */
    struct shape shape; /* without the length */
    const int *lengths;
    size_t count; /* of lengths */
    bool sweep;   /* print only where the ratio is least, not every length */
};

/* Every combination of comma-separated lists.  The default takes the place of a list that is
   NULL. */
struct lists {
    const char *operations; /* by their names, or by those of their groups */
    const char *codes;      /* "10+4" data and parity shards, or "10" with `m`; of RAID the
                               disks */
    const char *matrices, *modes, *layouts, *lengths;
    int m; /* parity shards of codes that do not name them; 0: the default */
    bool sweep;
};

struct cases {
    const char *grid; /* NULL: take the lists */
    struct lists lists;
};

typedef void series_visitor(const struct series *series, void *context);

/* Call `visit` for each series; NULL only checks the names and lists.  Writes a message to
   standard error and returns false when one of them is wrong. */
bool cases_each(const struct cases *cases, series_visitor *visit, void *context);

#endif
