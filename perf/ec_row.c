/* SPDX-License-Identifier: BSD-3-Clause */
#include "ec_row.h"

#include <stdlib.h>
#include <string.h>

#include "operations.h"

/* The columns have the widths that `name` below gives them. */
const char ec_head[] =
    "op               matrix              code     mode      len  layout      ";
const char ec_csv_head[] = "operation,variant,matrix,k,m,mode,len,layout,stripes";

/* A parameter that an operation does not have stays empty, or 0. */
static void name_shape(struct row *row, const struct shape *shape, size_t stripes,
                       const char *variant)
{
    char code[24], len[16] = "-", matrix[MATRIX_TEXT];
    const struct operation *op = shape->operation;
    const bool coding = op->code == CODE_K_M || op->code == CODE_N;
    operation_code(shape, code, sizeof(code));
    matrix_print(&shape->matrix, matrix);
    if (op->sized)
        snprintf(len, sizeof(len), "%d", shape->len);
    snprintf(row->name, sizeof(row->name), "%-16s %-19s %-8s %-4s %8s  %-10s  ", op->name,
             op->code == CODE_K_M ? matrix : "-", code,
             op->sized ? mode_names[shape->mode] : "-", len,
             op->sized ? layout_names[shape->layout] : "-");
    snprintf(row->csv, sizeof(row->csv), "%s,%s,%s,%d,%d,%s,%d,%s,%zu", op->name, variant,
             coding ? matrix : "", op->code == CODE_NONE ? 0 : shape->k, coding ? shape->m : 0,
             mode_names[shape->mode], shape->len, layout_names[shape->layout], stripes);
}

struct row ec_row(const struct shape *shape, const struct shape *baseline, size_t stripes,
                  const struct lineup *lineup)
{
    struct row row = {.count = lineup->count};
    name_shape(&row, shape, stripes, lineup_variant(lineup));
    for (size_t i = 0; i < lineup->count; i++) {
        row.subject[i].name = lineup->entry[i].name;
        row.subject[i].bytes = operation_bytes(shape);
    }
    if (baseline != NULL) {
        row.subject[row.count].name = baseline->operation->name;
        row.subject[row.count++].bytes = operation_bytes(baseline);
    }
    return row;
}

/* ------------------------------------------------------------------ roofs -- */

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

void ec_row_roofs(struct row *row, const struct roofs *roofs, const struct shape *shape,
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
