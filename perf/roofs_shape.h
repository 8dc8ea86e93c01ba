/* SPDX-License-Identifier: BSD-3-Clause */
/* roofs_shape.h - the roofs of a shape of ec_perf. */
#ifndef PERF_ROOFS_SHAPE_H
#define PERF_ROOFS_SHAPE_H

#include "roofs.h"
#include "workload.h"

/*
 * Find the nearest roof of a shape.  Where `set` is NULL, the shape's suffix or PERMXOR_KERNELS
 * may name the set.  Returns false when there is none: the operation does not code shards, or
 * this machine lacks the set.
 */
bool roofs_nearest(const struct roofs *roofs, const struct shape *shape, const char *set,
                   struct roof *nearest);

#endif
