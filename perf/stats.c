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

static double sort_for_median(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), ascending);
    return quantile(values, count, 0.5);
}

/* The binomial coefficients of a row of Pascal's triangle follow one another by
   C(n, i+1) = C(n, i) (n-i) / (i+1). */
double interval_coverage(size_t count, size_t left_out)
{
    double probability = 1, tail = 0;
    for (size_t i = 0; i < count; i++)
        probability /= 2;
    for (size_t i = 0; i <= left_out; i++) {
        tail += probability;
        probability *= (double)(count - i) / (double)(i + 1);
    }
    return 1 - 2 * tail;
}

size_t interval_left_out(size_t count)
{
    size_t left_out = 0;
    while (2 * (left_out + 1) < count &&
           interval_coverage(count, left_out + 1) >= STATS_CONFIDENCE)
        left_out++;
    return left_out;
}

/* Sorts each block; the caller's summary sorts the whole. */
static void interval_of(struct spread *s, double *values, size_t count)
{
    double median[STATS_BLOCKS];
    size_t blocks = count < STATS_BLOCKS ? count : STATS_BLOCKS;
    size_t left_out = interval_left_out(blocks);
    for (size_t b = 0, from = 0; b < blocks; b++) {
        size_t to = (b + 1) * count / blocks;
        median[b] = sort_for_median(values + from, to - from);
        from = to;
    }
    sort_for_median(median, blocks);
    s->low = median[left_out];
    s->high = median[blocks - 1 - left_out];
}

/* Widen the interval, if need be, so that it contains both values. */
static void reach(struct spread *s, double low, double high)
{
    if (s->low > low)
        s->low = low;
    if (s->high < high)
        s->high = high;
}

void spread_widen(struct spread *s)
{
    reach(s, s->q1, s->q3);
}

struct spread spread_of(double *values, size_t count)
{
    struct spread s;
    interval_of(&s, values, count);
    s.median = sort_for_median(values, count);
    s.min = values[0];
    s.q1 = quantile(values, count, 0.25);
    s.q3 = quantile(values, count, 0.75);
    s.max = values[count - 1];
    reach(&s, s.median, s.median);
    return s;
}

double spread_width(const struct spread *s)
{
    return s->median > 0 ? (s->q3 - s->q1) / s->median : 0;
}

double spread_drift(double *values, size_t count)
{
    size_t half = count / 2;
    if (half == 0)
        return 0;
    double first = sort_for_median(values, half);
    double second = sort_for_median(values + half, count - half);
    return first < second ? second / first - 1 : first / second - 1;
}
