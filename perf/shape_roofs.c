/* SPDX-License-Identifier: BSD-3-Clause */
#include "shape_roofs.h"

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

const char *entry_kernels(const struct entry *entry)
{
    if (*entry->set != '\0')
        return entry->set;
    if (strcmp(entry->suffix, "sse") == 0 || strcmp(entry->suffix, "avx") == 0)
        return "ssse3";
    return *entry->suffix != '\0' ? entry->suffix : getenv("PERMXOR_KERNELS");
}

bool roofs_nearest(const struct roofs *roofs, const struct shape *shape, const char *set,
                   struct roof *nearest)
{
    struct roof list[ROOFS_MAX];
    if (!shape->operation->sized || shape->operation->group != GROUP_CODING)
        return false;
    const struct roof_work work = work_of(shape);
    const size_t count = roofs_list(roofs, &work, set, list);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || list[i].gbs < nearest->gbs)
            *nearest = list[i];
    return count > 0;
}

void row_roofs(struct row *row, const struct roofs *roofs, const struct shape *shape,
               const struct lineup *lineup)
{
    for (size_t i = 0; i < lineup->count; i++) {
        struct row_subject *subject = &row->subject[i];
        const struct entry *entry = &lineup->entry[i];
        struct roof nearest;
        if ((i > 0 && *entry->set == '\0') ||
            !roofs_nearest(roofs, shape, entry_kernels(entry), &nearest))
            continue;
        snprintf(subject->roof, sizeof(subject->roof), "%s", nearest.name);
        subject->roof_gbs = nearest.gbs;
    }
}
