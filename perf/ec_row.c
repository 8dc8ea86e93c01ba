/* SPDX-License-Identifier: BSD-3-Clause */
#include "ec_row.h"

#include "operations.h"

/* The widths of `name` below. */
const struct report_form ec_form = {
    .head = "op       matrix code    mode      len  ",
    .csv_head = "operation,variant,matrix,k,m,mode,len,stripes,bytes",
};

const char ec_roofs_head[] = "A B/cycle A of the nearest roof  ";

struct row ec_row(const struct shape *shape, size_t stripes)
{
    char code[24], len[16] = "-";
    const struct operation *op = shape->operation;
    const size_t bytes = operation_bytes(shape);
    struct row row = {.bytes = {bytes, bytes}};
    operation_code(shape, code, sizeof(code));
    if (op->sized)
        snprintf(len, sizeof(len), "%d", shape->len);
    snprintf(row.name, sizeof(row.name), "%-8s %-6s %-7s %-4s %8s  ", op->name,
             op->code == CODE_K_M ? matrix_name(shape->matrix) : "-", code,
             op->sized ? mode_name(shape->mode) : "-", len);
    snprintf(row.csv, sizeof(row.csv), "%s,%s,%s,%d,%d,%s,%d,%zu,%zu", op->name,
             *shape->suffix ? shape->suffix : "dispatched", matrix_name(shape->matrix),
             shape->k, shape->m, mode_name(shape->mode), shape->len, stripes, bytes);
    return row;
}

/* Bytes of source per cycle, and the share of what the nearest roof allows. */
void ec_row_roof(struct row *row, const struct roofs *roofs, const struct shape *shape,
                 double seconds)
{
    struct roof nearest;
    char cycle[16] = "-";
    if (!roofs_nearest(roofs, shape, NULL, &nearest)) {
        snprintf(row->more, sizeof(row->more), "%9s %-22s ", "-", "-");
        return;
    }
    const double speed = 1e-9 * (double)operation_bytes(shape) / seconds;
    if (roofs->clock > 0)
        snprintf(cycle, sizeof(cycle), "%.2f", speed / roofs->clock);
    snprintf(row->more, sizeof(row->more), "%9s %3.0f %% %-24.24s ", cycle,
             100 * speed / nearest.gbs, nearest.name);
}
