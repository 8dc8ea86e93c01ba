/* SPDX-License-Identifier: BSD-3-Clause */
#include "stats.h"

#include <stdlib.h>

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Linear interpolation between closest ranks: quantile q lies at rank q*(count-1). */
static double quantile(const double *sorted, size_t count, double q)
{
    double rank = q * (double)(count - 1);
    size_t below = (size_t)rank;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (rank - (double)below) * (sorted[below + 1] - sorted[below]);
}

struct spread spread_of(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), ascending);
    return (struct spread){
        .min = values[0],
        .q1 = quantile(values, count, 0.25),
        .median = quantile(values, count, 0.5),
        .q3 = quantile(values, count, 0.75),
        .max = values[count - 1],
        .low = quantile(values, count, 0.25),
        .high = quantile(values, count, 0.75),
    };
}

double spread_width(const struct spread *s)
{
    return s->median > 0 ? (s->q3 - s->q1) / s->median : 0;
}
