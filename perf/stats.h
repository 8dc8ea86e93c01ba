/* SPDX-License-Identifier: BSD-3-Clause */
/* stats.h - order statistics of timing samples. */
#ifndef PERF_STATS_H
#define PERF_STATS_H

#include <stddef.h>

/* The five-number summary of a sample, and the interval of its median. */
struct spread {
    double min, q1, median, q3, max;
    double low, high;
};

/* Summarise values[0..count), count > 0.  Sorts the array in place. */
struct spread spread_of(double *values, size_t count);

/*
 * Width of the middle half of the sample in terms of its median.  Preempted
 * and interrupted batches sit in the upper tail and do not move it.
 */
double spread_width(const struct spread *s);

#endif
