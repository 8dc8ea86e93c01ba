/* SPDX-License-Identifier: BSD-3-Clause */
/* shape_roofs.h - which of the roofs is the nearest one for a shape. */
#ifndef PERF_SHAPE_ROOFS_H
#define PERF_SHAPE_ROOFS_H

#include "lineup.h"
#include "report.h"
#include "roofs.h"
#include "workload.h"

/* The kernel set that an entry is confined to, by its own set, its suffix or PERMXOR_KERNELS;
   or NULL.  ISA-L's _sse and _avx functions both work on 16-byte vectors. */
const char *entry_kernels(const struct entry *entry);

/* Find the nearest roof of a shape for a kernel set, or for the fastest one where `set` is
   NULL. Returns false when there is none: the operation does not code shards, or this machine
   lacks the set. */
bool roofs_nearest(const struct roofs *roofs, const struct shape *shape, const char *set,
                   struct roof *nearest);

/* Fill in the roofs of the reference and of each subject that works with a named kernel set. */
void row_roofs(struct row *row, const struct roofs *roofs, const struct shape *shape,
               const struct lineup *lineup);

#endif
