/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stats.h - order statistics of timing samples.
 *
 * The confidence interval of a median comes from the sign test and assumes nothing about the
 * distribution: a value drawn at random lies below the true median with probability 1/2, so of
 * n independent ones the number below it is binomial B(n, 1/2).  The median lies below the
 * (d+1)-th least value only when at most d values lie below the median, and likewise at the
 * upper end.  Hence the interval from the (d+1)-th least to the (d+1)-th greatest value
 * contains it with probability
 *
 *     1 - 2 P(B(n, 1/2) <= d)
 *
 * (W. J. Conover, Practical Nonparametric Statistics, 3rd ed., Wiley 1999, section 3.2,
 * confidence interval for a quantile). d is the largest number with which the probability is at
 * least 95 %.
 *
 * Rounds that follow one another are not independent: the clock drifts, a neighbour comes and
 * goes.  To take them for n independent values would give an interval far too narrow.  So the
 * sample, in the order in which it was taken, is cut into 12 contiguous blocks, and the
 * interval is that of the blocks' 12 medians.  A disturbance that lasts shorter than a block
 * stays within it, and one that lasts longer moves whole blocks apart and so widens the
 * interval.  The median of a block has the median of its values as its own median (exactly
 * where the block has an odd number of values: more than half of its values lie above that with
 * probability 1/2), so the interval is still one of the same median.  With 12 blocks d = 2: the
 * interval goes from the third least to the third greatest, 96.1 %. More blocks would be
 * shorter and so more dependent; fewer would give a wider interval.
 *
 * 6 to 11 values are one block each (96.1 to 99.2 %).  Fewer than 6 cannot give 95 %. The
 * interval is then all of them, which contains the median with probability 1 - 2/2^n (5: 93.8
 * %, 4: 87.5 %, 3: 75 %, 2: 50 %, 1: 0).
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

/* Summarise values[0..count), count > 0, in the order in which they were taken.  Sorts the
   array in place.  The interval contains the sample's median. */
struct spread spread_of(double *values, size_t count);

/*
 * Width of the middle half of the sample, as a share of its median.  Preempted and interrupted
 * batches lie in the upper tail and do not move it.
 */
double spread_width(const struct spread *s);

/* Widen the interval of a noisy measurement, so that it reaches at least the quartiles. */
void spread_widen(struct spread *s);

/* How far the medians of the first and the second half are apart, as a share of the lesser one.
   values[0..count) are as for spread_of(), and are sorted here, too. */
double spread_drift(double *values, size_t count);

/* The probability that the median lies between the (left_out+1)-th least and the
   (left_out+1)-th greatest of `count` independent values; 2 * left_out < count. */
double interval_coverage(size_t count, size_t left_out);

/* How many values to leave out at either end so that the coverage is the least that reaches
   STATS_CONFIDENCE; 0 where none reaches it. */
size_t interval_left_out(size_t count);

#endif
