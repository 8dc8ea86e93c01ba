/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.h - the CSV file that a program's --csv names. */
#ifndef PERF_CSV_H
#define PERF_CSV_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Open the file at `path` for writing, emptied; *csv is NULL where `path` is.  False, with a
 * message, when that fails.  Programs do so when all else that they need is there, and before
 * they measure.
 */
bool csv_open(FILE **csv, const char *path);

/* Close it, unless it is NULL.  False, with a message, when not everything could be written. */
bool csv_close(FILE *csv);

#endif
