/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine.h - the measuring engine of the perf programs.
 *
 * It compares any number of subjects that do the same work.  Single calls are too short for the
 * clock, so each subject is timed in batches.  The number of calls per batch is calibrated for
 * each subject on its own, because one may be hundreds of times faster than another.
 *
 * One round times one batch of every subject, one directly after the other, in the given order
 * in even rounds and in the opposite order in odd ones (A B, B A, A B, ...).  A drift of the
 * clock frequency or a slow neighbour then falls on all subjects of a round alike, and a ratio
 * is taken inside each round.  The median of these ratios is the figure to quote, with its
 * confidence interval (stats.h).  One call, or in a walk (pass, below) a whole batch, comes
 * untimed before each timed batch, because the subject before has left the caches in its own
 * way.
 *
 * Before the rounds every subject is run until it is warm.  It runs batches of a quarter of the
 * length until 3 in a row agree within 2 %, which is when caches, branch predictors, page
 * tables and the vector units' power have settled.  The warm-up ends in any case after a tenth
 * of total_seconds, shared out among the subjects.
 *
 * A measurement is noisy if its figures show it, or if the system reports a disturbance during
 * that time (noise.h).  It is then extended, to up to three times its time, unless busy
 * neighbours are the only cause, who do not go away by waiting.  If it remains noisy, it is
 * flagged, and the intervals reach at least the quartiles.
 */
#ifndef PERF_ENGINE_H
#define PERF_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "counters.h"
#include "noise.h"
#include "stats.h"

#define ENGINE_MAX_SUBJECTS 32

/* Do the work `calls` times. */
typedef void engine_batch(void *context, size_t calls);

struct engine_subject {
    engine_batch *batch;
    void *context;
};

struct engine_options {
    double batch_seconds; /* the wanted length of one batch */
    double total_seconds; /* time to spend on all rounds together */
    size_t min_rounds;    /* rounds to do in any case, however slow the work */
    double noise_limit;   /* widest middle half of the ratios that is quiet, 0.05 = 5 % */
    bool bounded;         /* end after three times total_seconds, whatever is left to do */

    /*
     * Where the subjects take turns along one walk over memory, the calls of
     * one pass, otherwise 0 or 1.  Some parts of the walk are faster than
     * others: a cache may keep a part of a set that is too large for it.  So
     * all subjects get the same batch, a whole pass or, where the slowest takes
     * longer than pass_seconds for that, a part of one.  The number of parts is
     * odd and has no divisor in common with the number of subjects: over twice
     * as many rounds as parts each subject then comes to each part twice, and
     * over any other number about equally often.  And each batch is run once
     * untimed before it is timed, because a batch must also wait for the
     * modified lines that the batch before it left in the caches; these should
     * be the same subject's.
     */
    size_t pass;
    double pass_seconds;

    /* Where the engine reads the time and the disturbances; a test passes its own functions. */
    double (*now)(void);
    void (*look)(struct noise_look *look);
    const struct counters_events *events; /* the events to count: cycles and instructions */
};

#define ENGINE_DEFAULTS                                                                       \
    {                                                                                         \
        .batch_seconds = 200e-6, .total_seconds = 0.2, .min_rounds = 12, .noise_limit = 0.05, \
        .bounded = false, .pass = 0, .pass_seconds = 0.1, .now = engine_now,                  \
        .look = noise_look, .events = &counters_processor                                     \
    }

struct engine_result {
    size_t rounds;
    struct noise noise; /* during the rounds; its causes are those of all subjects together */
    unsigned causes[ENGINE_MAX_SUBJECTS];        /* of noise in the subject's ratio; 0: quiet */
    size_t calls[ENGINE_MAX_SUBJECTS];           /* per batch */
    struct spread seconds[ENGINE_MAX_SUBJECTS];  /* per call */
    struct spread relative[ENGINE_MAX_SUBJECTS]; /* its time divided by subject 0's of the same
                                                    round */
    double cycles[ENGINE_MAX_SUBJECTS];          /* per call, in user space; 0: not known */
    double instructions[ENGINE_MAX_SUBJECTS];
};

/*
 * Compare subjects[0..count).  A bounded measurement does only the least that gives figures in
 * what begins later than three times total_seconds from the start: for each subject the batch
 * that tells its pace, and one round.  Returns false when memory runs out.
 */
bool engine_measure(const struct engine_subject *subjects, size_t count,
                    const struct engine_options *options, struct engine_result *result);

/*
 * Returns the seconds of a call in the fastest batch.  This is the right figure for a rate of
 * the machine, because every disturbance slows a batch.  Takes about `seconds` seconds, but at
 * least three batches.  Returns a negative number when memory runs out.
 */
double engine_fastest_call(engine_batch *batch, void *context, double seconds);

/* Seconds on the monotonic clock. */
double engine_now(void);

#endif
