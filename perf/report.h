/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report.h - the table for people and the CSV file for programs.
 *
 * What names a row differs between the programs, which hand it in as text; the
 * figures behind it are the same.
 */
#ifndef PERF_REPORT_H
#define PERF_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "buffers.h"
#include "engine.h"

/* What differs from program to program. */
struct report_form {
    const char *head;     /* the heads of the columns that name a row */
    const char *csv_head; /* the same of the CSV file, without a comma at the end */
};

struct report {
    struct report_form form;
    FILE *csv;             /* or NULL */
    const char *more_head; /* of the columns in struct row's `more`; NULL: none */
    size_t rows;           /* of the table so far */
    size_t noisy;          /* of them */
    size_t refused;        /* rows that were not timed */
    bool headed;           /* column heads are printed */
};

/* What was measured: subject 0 is A, subject 1 is B. */
struct row {
    char name[112];  /* the columns that name it */
    char csv[160];   /* the same for the CSV file */
    char more[48];   /* columns before the speed-up */
    size_t bytes[2]; /* of source data in a call of A and of B; 0: has no meaning */
};

/* Open the CSV file, unless `path` is NULL.  False when that fails. */
bool report_open(struct report *report, const char *path, const struct report_form *form);

/* Close it.  False when not everything could be written. */
bool report_close(struct report *report);

/* Start a new part of the table. */
void report_title(struct report *report, const char *title);

void report_row(struct report *report, const struct row *row,
                const struct engine_result *result);

/* The same for the CSV file alone. */
void report_csv(struct report *report, const struct row *row,
                const struct engine_result *result);

/* A row that was not timed, and why. */
void report_refused(struct report *report, const struct row *row, const char *reason);

/* The last lines: where the memory lay, and how many rows there were. */
void report_end(const struct report *report, const struct arena *arena, double noise_limit);

#endif
