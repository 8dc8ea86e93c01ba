/* SPDX-License-Identifier: BSD-3-Clause */
/* report.h - the table for people and the CSV file for programs. */
#ifndef PERF_REPORT_H
#define PERF_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "engine.h"
#include "limits.h"
#include "workload.h"

struct report {
    FILE *csv;                   /* or NULL */
    const struct limits *limits; /* to hold A's speed against; NULL: leave that out */
    size_t rows;                 /* of the table so far */
    size_t noisy;                /* of them */
    size_t refused;              /* shapes that were not timed */
    bool headed;                 /* column heads are printed */
};

/* Open the CSV file, unless `path` is NULL.  False when that fails. */
bool report_open(struct report *report, const char *path);

/* Close it.  False when not everything could be written. */
bool report_close(struct report *report);

/* Start a new part of the table. */
void report_title(struct report *report, const char *title);

/* A measured shape: subject 0 is A, subject 1 is B. */
void report_row(struct report *report, const struct shape *shape, size_t stripes,
                const struct engine_result *result);

/* The same for the CSV file alone. */
void report_csv(struct report *report, const struct shape *shape, size_t stripes,
                const struct engine_result *result);

/* A shape that was not timed, and why. */
void report_refused(struct report *report, const struct shape *shape, const char *reason);

#endif
