/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stats.h - order statistics of timing samples.
 *
 * The confidence interval of a median comes from the sign test and asks nothing of
 * the distribution: a value drawn at random lies below the true median with
 * probability 1/2, so of n independent ones the number below it is binomial
 * B(n, 1/2).  The median lies below the (d+1)-th least value only when at most d
 * values lie below the median, and likewise at the upper end; hence the interval
 * from the (d+1)-th least to the (d+1)-th greatest value contains it with probability
 *
 *     1 - 2 P(B(n, 1/2) <= d)
 *
 * (W. J. Conover, Practical Nonparametric Statistics, 3rd ed., Wiley 1999, section
 * 3.2, confidence interval for a quantile).  d is the largest that leaves 95 %.
 *
 * Rounds that follow one another are not independent: the clock drifts, a neighbour
 * comes and goes.  Taking them for n independent values would give an interval far too
 * narrow.  So the sample, in the order in which it was taken, is cut into 12 contiguous
 * blocks, and the interval is that of the 12 medians of blocks: what lasts shorter than
 * a block is spent within it, and what lasts longer moves whole blocks apart and so
 * widens the interval.  The median of a block has the median of its values as its own
 * median (exactly where the block is odd: more than half of its values lie above that
 * with probability 1/2), so the interval is still one of the same median.
 * With 12 blocks d = 2: from the third least to the third greatest, 96.1 %.  More
 * blocks would be shorter and so more dependent, fewer would give a wider interval.
 *
 * 6 to 11 values are one block each (96.1 to 99.2 %).  Fewer than 6 cannot give 95 %:
 * the interval is then all of them, which contains the median with probability
 * 1 - 2/2^n (5: 93.8 %, 4: 87.5 %, 3: 75 %, 2: 50 %, 1: 0).
 */
#ifndef PERF_STATS_H
#define PERF_STATS_H

#include <stddef.h>

#define STATS_BLOCKS 12
#define STATS_CONFIDENCE 0.95

/* The five-number summary of a sample, and the interval of its median. */
struct spread {
    double min, q1, median, q3, max;
    double low, high;
};

/* Summarise values[0..count), count > 0, in the order in which they were taken.  Sorts
   the array in place.  The interval contains the sample's median. */
struct spread spread_of(double *values, size_t count);

/*
 * Width of the middle half of the sample in terms of its median.  Preempted
 * and interrupted batches sit in the upper tail and do not move it.
 */
double spread_width(const struct spread *s);

/* The interval of a noisy measurement: it reaches the quartiles at least. */
void spread_widen(struct spread *s);

/* How far the medians of the first and the second half are apart, in terms of the lesser
   one.  values[0..count) as for spread_of(), which sorts them, too. */
double spread_drift(double *values, size_t count);

/* Probability that the median lies between the (left_out+1)-th least and the
   (left_out+1)-th greatest of so many independent values; 2 * left_out < count. */
double interval_coverage(size_t count, size_t left_out);

/* How many to leave out at either end so that the coverage is the least that reaches
   STATS_CONFIDENCE; 0 where none does. */
size_t interval_left_out(size_t count);

#endif
