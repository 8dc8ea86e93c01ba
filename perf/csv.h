/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.h - the CSV file that a program's --csv names. */
#ifndef PERF_CSV_H
#define PERF_CSV_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Open the file at `path` for writing and empty it. *csv is NULL where `path` is NULL.  Returns
 * false, with a message, when that fails.  Programs call it after they have got all else that
 * they need, and before they measure.
 */
bool csv_open(FILE **csv, const char *path);

/* Close the file; NULL is allowed.  Returns false, with a message, when not everything could be
   written. */
bool csv_close(FILE *csv);

#endif
