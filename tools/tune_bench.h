/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparing kernel sets on arrays of shards in memory.
 *
 * The shards lie displaced in memory that has been written before, and the
 * sets take turns, on one core: see perf/buffers.h and perf/engine.h.
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
    uint8_t **shards; /* k+m pointers a stripe */
    size_t stripes;   /* 1 when warm */
    size_t next;      /* the stripe that the walk has come to */
    size_t bytes;     /* of all shards */
    size_t sample;    /* the first bytes of each shard, for what precedes the comparison */
    size_t cache;     /* bytes of the last cache, 0 when unknown */
    int core;         /* that measures; -1: any */
    bool failed;      /* a call has, while it was measured */
};

/* How a set did. */
struct tune_entry {
    struct tune_bench *bench;
    const char *name;
    bool slow;           /* slower than half the best: left out of the comparison */
    struct spread rate;  /* GB/s of data */
    struct spread ratio; /* to the first entry's in the same round */
};

/* How a comparison went. */
struct tune_run {
    size_t rounds;
    long preempted;
    unsigned noise; /* causes of it (../perf/noise.h) */
    bool few;       /* too few rounds in the time allowed */
};

/* Each of these prints its messages and returns an exit code.  Close after any
   state, also after open has failed. */

/* Make the code and write the shards; `core` is the one that will measure. */
int tune_bench_open(struct tune_bench *bench, const struct options *options, int core);
void tune_bench_close(struct tune_bench *bench);

/* Do the sets give the bytes that base gives: parity, rebuilt and updated shards? */
int tune_bench_verify(struct tune_bench *bench, const struct tune_entry *entries,
                      unsigned count);

/* Mark the sets that cannot win, so that they do not take most of the time: base
   would be a hundred times slower than the others.  Never the first. */
void tune_bench_screen(struct tune_entry *entries, unsigned count);

/* Fill in rate and ratio of those that are not slow, in `seconds`, or three times
   as long when it is noisy or slow; the round that this time ends in is added. */
int tune_bench_measure(struct tune_entry *entries, unsigned count, double seconds,
                       struct tune_run *run);

/* Memory that nothing is left of in the core's caches when a walk over it comes round. */
size_t tune_bench_cold_bytes(int core);

/* The spread of work/x where s is that of x. */
struct spread tune_bench_inverse(double work, const struct spread *s);

#endif
