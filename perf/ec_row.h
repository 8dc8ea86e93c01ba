/* SPDX-License-Identifier: BSD-3-Clause */
/* ec_row.h - how ec_perf's tables name a shape, and its roofs. */
#ifndef PERF_EC_ROW_H
#define PERF_EC_ROW_H

#include "lineup.h"
#include "report.h"
#include "roofs.h"
#include "workload.h"

/* The heads of the columns that name a shape, in the table and in the CSV file. */
extern const char ec_head[], ec_csv_head[];

/* The row of a shape.  Its subjects are those of the lineup, followed by the baseline where
   there is one. */
struct row ec_row(const struct shape *shape, const struct shape *baseline, size_t stripes,
                  const struct lineup *lineup);

/* The kernel set that an entry is confined to, by its own set, its suffix or PERMXOR_KERNELS;
   or NULL.  ISA-L's _sse and _avx functions both work on 16-byte vectors. */
const char *entry_kernels(const struct entry *entry);

/* Find the nearest roof of a shape for a kernel set, or for the fastest one where `set` is
   NULL. Returns false when there is none: the operation does not code shards, or this machine
   lacks the set. */
bool roofs_nearest(const struct roofs *roofs, const struct shape *shape, const char *set,
                   struct roof *nearest);

/* Fill in the roofs of the reference and of each subject that works with a named kernel set. */
void ec_row_roofs(struct row *row, const struct roofs *roofs, const struct shape *shape,
                  const struct lineup *lineup);

#endif
