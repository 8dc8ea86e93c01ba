/* SPDX-License-Identifier: BSD-3-Clause */
#include "ec_row.h"

#include "operations.h"
#include "roofs_shape.h"

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
    name_shape(&row, shape, stripes, lineup_variant(lineup, shape->suffix));
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

void ec_row_roofs(struct row *row, const struct roofs *roofs, const struct shape *shape,
                  const struct lineup *lineup)
{
    for (size_t i = 0; i < lineup->count; i++) {
        struct row_subject *subject = &row->subject[i];
        const struct entry *entry = &lineup->entry[i];
        struct shape own = *shape;
        struct roof nearest;
        own.suffix = entry_suffix(entry, shape->suffix);
        if ((i > 0 && *entry->set == '\0') ||
            !roofs_nearest(roofs, &own, *entry->set != '\0' ? entry->set : NULL, &nearest))
            continue;
        snprintf(subject->roof, sizeof(subject->roof), "%s", nearest.name);
        subject->roof_gbs = nearest.gbs;
    }
}
