/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - ec_perf's table for people and its CSV file for programs.
 */
#ifndef PERF_REPORT_H
#define PERF_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "buffers.h"
#include "engine.h"
#include "lineup.h"
#include "workload.h"

struct report {
    FILE *csv;      /* or NULL */
    bool roofs;     /* print how near each subject comes to its roof */
    int name_width; /* of the subjects' column */
    struct noise_summary noise;
    size_t rows;    /* of the table so far; each is a shape */
    size_t refused; /* shapes that were not timed */
    size_t missing; /* subjects that were not timed though their shape was */
    bool headed;    /* column heads are printed */
    bool failed;    /* memory ran out somewhere */
};

struct row_subject {
    const char *name;
    const char *refused; /* why it was not timed; NULL: it was */
    size_t bytes;        /* of source data in a call; 0: they have no meaning */
    char roof[32];       /* what limits it on this shape; "": not known */
    double roof_gbs;
};

/*
 * A shape and the subjects that were measured on it; subject 0 is the reference.  The figures
 * of an engine_result are those of the subjects that are not refused, in this order.
 */
struct row {
    char name[144]; /* the columns that name the shape */
    char csv[192];  /* the same for the CSV file */
    size_t count;
    struct row_subject subject[ENGINE_MAX_SUBJECTS];
};

/* Open the CSV file, unless `path` is NULL.  Returns false, with a message, when that fails.
   csv_close() closes it. */
bool report_open(struct report *report, const char *path);

/* The row of a shape.  Its subjects are those of the lineup, followed by the baseline where
   there is one. */
struct row report_row_of(const struct shape *shape, const struct shape *baseline,
                         size_t stripes, const struct lineup *lineup);

/* Start a new part of the table. */
void report_title(struct report *report, const char *title);

void report_row(struct report *report, const struct row *row,
                const struct engine_result *result);

/* Write a row to the CSV file alone: a line for each subject that was timed. */
void report_csv(struct report *report, const struct row *row,
                const struct engine_result *result);

/* Print only the table's lines of the subjects that were not timed though their shape was. */
void report_missing(struct report *report, const struct row *row);

/* Report a shape that was not timed, and the reason. */
void report_refused(struct report *report, const struct row *row, const char *reason);

/* Print the last lines: where the memory lay, and how many rows there were. */
void report_end(const struct report *report, const struct arena *arena);

#endif
