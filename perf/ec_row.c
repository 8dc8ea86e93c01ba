/* SPDX-License-Identifier: BSD-3-Clause */
#include "ec_row.h"

#include "operations.h"
#include "roofs_shape.h"

/* The widths of `name` below. */
const struct report_form ec_form = {
    .head = "op       matrix code    mode      len  layout      ",
    .csv_head = "operation,variant,matrix,k,m,mode,len,layout,stripes",
};

struct row ec_row(const struct shape *shape, size_t stripes, const struct lineup *lineup)
{
    char code[24], len[16] = "-";
    const struct operation *op = shape->operation;
    struct row row = {.count = lineup->count};
    for (size_t i = 0; i < lineup->count; i++) {
        row.subject[i].name = lineup->entry[i].name;
        row.subject[i].bytes = operation_bytes(shape);
    }
    operation_code(shape, code, sizeof(code));
    if (op->sized)
        snprintf(len, sizeof(len), "%d", shape->len);
    snprintf(row.name, sizeof(row.name), "%-8s %-6s %-7s %-4s %8s  %-10s  ", op->name,
             op->code == CODE_K_M ? matrix_name(shape->matrix) : "-", code,
             op->sized ? mode_name(shape->mode) : "-", len,
             op->sized ? layout_name(shape->layout) : "-");
    snprintf(row.csv, sizeof(row.csv), "%s,%s,%s,%d,%d,%s,%d,%s,%zu", op->name,
             lineup_variant(lineup, shape->suffix), matrix_name(shape->matrix), shape->k,
             shape->m, mode_name(shape->mode), shape->len, layout_name(shape->layout), stripes);
    return row;
}

void ec_row_roofs(struct row *row, const struct roofs *roofs, const struct shape *shape,
                  const struct lineup *lineup)
{
    for (size_t i = 0; i < row->count; i++) {
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
