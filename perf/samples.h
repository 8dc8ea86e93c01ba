/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.h - what the rounds of a measurement gave, and what follows from it. */
#ifndef PERF_SAMPLES_H
#define PERF_SAMPLES_H

#include "engine.h"

#define SAMPLES_ROUNDS 4000

/* Per call of each subject, round by round. */
struct samples {
    size_t count;  /* subjects */
    size_t rounds; /* complete ones */
    bool counted;  /* cycles and instructions are known in all rounds */
    double *seconds[ENGINE_MAX_SUBJECTS];
    double *cycles[ENGINE_MAX_SUBJECTS];
    double *instructions[ENGINE_MAX_SUBJECTS];
    double *room; /* all of the above, and scratch */
};

/* False when memory runs out. */
bool samples_open(struct samples *samples, size_t count);
void samples_close(struct samples *samples);

/*
 * Fill in rounds, seconds, relative, causes, cycles and instructions of the result.  The
 * causes are NOISE_SPREAD where the middle half of a subject's ratios (of a single
 * subject's times) is wider than noise_limit, and NOISE_DRIFT where the medians of their
 * first and second half are further apart than half of that.
 */
void samples_summarise(const struct samples *samples, double noise_limit,
                       struct engine_result *result);

#endif
