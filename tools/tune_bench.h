/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparing kernel sets on arrays of shards in memory.
 *
 * The shards are at displaced addresses in memory that has been written before.  The sets take
 * turns, on one core: see perf/buffers.h and perf/engine.h.
 */
#ifndef PXR_TOOLS_TUNE_BENCH_H
#define PXR_TOOLS_TUNE_BENCH_H

#include "../perf/buffers.h"
#include "../perf/engine.h"
#include "options.h"

struct tune_bench {
    const struct options *options;
    pxr_code *code;
    struct arena arena;
    uint8_t **shards; /* k+m pointers for each stripe */
    size_t stripes;   /* 1 when warm */
    size_t next;      /* the next stripe of the walk */
    size_t bytes;     /* of all shards */
    size_t sample;    /* the first bytes of each shard, for the work before the comparison */
    size_t cache;     /* bytes of the last cache, 0 when unknown */
    int core;         /* the core that measures; -1: any */
    bool failed;      /* a call failed while it was measured */
};

/* The result of a set. */
struct tune_entry {
    struct tune_bench *bench;
    const char *name;
    bool slow;           /* slower than half the best: left out of the comparison */
    struct spread rate;  /* GB/s of data */
    struct spread ratio; /* to the first entry's rate in the same round */
};

/* Facts about a comparison. */
struct tune_run {
    size_t rounds;
    long preempted;
    unsigned noise; /* causes of noise (../perf/noise.h) */
    bool few;       /* there were too few rounds in the time allowed */
};

/* Each of the following prints its messages and returns an exit code.  Close in any state, also
   after open has failed. */

/* Makes the code and writes the shards.  `core` is the core that will measure. */
int tune_bench_open(struct tune_bench *bench, const struct options *options, int core);
void tune_bench_close(struct tune_bench *bench);

/* Checks that the sets give the bytes that base gives: parity, rebuilt and updated shards. */
int tune_bench_verify(struct tune_bench *bench, const struct tune_entry *entries,
                      unsigned count);

/* Marks the sets that cannot win, so that they do not take most of the time: base would be a
   hundred times slower than the others.  The first set is never marked. */
void tune_bench_screen(struct tune_entry *entries, unsigned count);

/* Fills in rate and ratio of the sets that are not slow.  It takes `seconds`, or three times as
   long when measuring is noisy or slow, and completes the round in which this time ends. */
int tune_bench_measure(struct tune_entry *entries, unsigned count, double seconds,
                       struct tune_run *run);

/* Returns how much memory a walk must cover so that nothing of it is left in the core's caches
   when the walk comes round. */
size_t tune_bench_cold_bytes(int core);

/* Returns the spread of work/x, where s is the spread of x. */
struct spread tune_bench_inverse(double work, const struct spread *s);

#endif
