/* SPDX-License-Identifier: BSD-3-Clause */
/* ec_row.h - how ec_perf's tables name a shape. */
#ifndef PERF_EC_ROW_H
#define PERF_EC_ROW_H

#include "report.h"
#include "roofs.h"
#include "workload.h"

extern const struct report_form ec_form;

/* The heads of the columns that say how far A is from its nearest roof. */
extern const char ec_roofs_head[];

struct row ec_row(const struct shape *shape, size_t stripes);

/* These columns, for a call of A that takes so many seconds. */
void ec_row_roof(struct row *row, const struct roofs *roofs, const struct shape *shape,
                 double seconds);

#endif
