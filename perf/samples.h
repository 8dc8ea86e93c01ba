/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.h - the figures of a measurement's rounds, and what follows from them. */
#ifndef PERF_SAMPLES_H
#define PERF_SAMPLES_H

#include "engine.h"

#define SAMPLES_ROUNDS 4000

/* Figures per call of each subject, round by round. */
struct samples {
    size_t count;  /* number of subjects */
    size_t rounds; /* complete rounds */
    bool counted;  /* cycles and instructions are known in all rounds */
    double *seconds[ENGINE_MAX_SUBJECTS];
    double *cycles[ENGINE_MAX_SUBJECTS];
    double *instructions[ENGINE_MAX_SUBJECTS];
    double *room; /* the memory of all of the above, and scratch */
};

/* Returns false when memory runs out. */
bool samples_open(struct samples *samples, size_t count);
void samples_close(struct samples *samples);

/*
 * Fill in rounds, seconds, relative, causes, cycles and instructions of the result.  A cause is
 * NOISE_SPREAD where the middle half of a subject's ratios (of a single subject's times) is
 * wider than noise_limit.  It is NOISE_DRIFT where the medians of the first and the second half
 * of these values are further apart than half of noise_limit.
 */
void samples_summarise(const struct samples *samples, double noise_limit,
                       struct engine_result *result);

#endif
