/* SPDX-License-Identifier: BSD-3-Clause */
#include "roofs_shape.h"

#include <stdlib.h>
#include <string.h>

#include "operations.h"

/* The work that a shape makes. */
static struct roof_work work_of(const struct shape *shape)
{
    const struct operation *op = shape->operation;
    const int sources = (int)operation_data(shape), targets = (int)operation_parity(shape);
    const int ones = operation_has_ones_row(shape);
    return (struct roof_work){
        .rows = targets - ones,
        .ones = ones,
        .doubled = ones && sources > 1 && targets > 1,
        .writes = (double)targets / sources,
        .adds = op->adds,
        .footprint = (size_t)(sources + targets) * (size_t)shape->len,
        .cold = shape->mode == WALK_COLD,
    };
}

/* The set that a run is confined to, or NULL.  ISA-L's _sse and _avx functions both work on
   16-byte vectors. */
static const char *confined_to(const struct shape *shape)
{
    if (strcmp(shape->suffix, "sse") == 0 || strcmp(shape->suffix, "avx") == 0)
        return "ssse3";
    if (*shape->suffix != '\0')
        return shape->suffix;
    return getenv("PERMXOR_KERNELS");
}

bool roofs_nearest(const struct roofs *roofs, const struct shape *shape, const char *set,
                   struct roof *nearest)
{
    struct roof list[ROOFS_MAX];
    if (!shape->operation->sized || shape->operation->group != GROUP_CODING)
        return false;
    const struct roof_work work = work_of(shape);
    const size_t count = roofs_list(roofs, &work, set != NULL ? set : confined_to(shape), list);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || list[i].gbs < nearest->gbs)
            *nearest = list[i];
    return count > 0;
}
