/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "engine.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#define MAX_ROUNDS 4000
#define PATIENCE 3 /* a noisy measurement may take this many times as long */

double engine_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long preemptions(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

static double time_batch(const struct engine_subject *subject, size_t calls)
{
    double start = engine_now();
    subject->batch(subject->context, calls);
    return engine_now() - start;
}

/*
 * Calls that fill one batch.  Doubling until a quarter of the aim is reached
 * also warms caches, branch predictors and the vector units' power state; the
 * shorter of two timings is scaled up, so that an interruption does not leave
 * the subject with batches that are too short.
 */
static size_t calibrate(const struct engine_subject *subject, double aim)
{
    size_t calls = 1;
    double took = time_batch(subject, calls);
    while (took < aim / 4) {
        calls *= 2;
        took = time_batch(subject, calls);
    }
    double again = time_batch(subject, calls);
    double best = again < took ? again : took;
    double scaled = (double)calls * aim / best;
    return scaled < 1 ? 1 : (size_t)scaled;
}

/* The same batch for all subjects: an odd part of a pass. */
static size_t calibrate_pass(const struct engine_subject *subjects, size_t count,
                             const struct engine_options *options)
{
    double slowest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t calls = calibrate(&subjects[i], options->batch_seconds);
        if (calls > options->pass)
            calls = options->pass;
        double each = time_batch(&subjects[i], calls) / (double)calls;
        slowest = each > slowest ? each : slowest;
    }
    size_t parts = (size_t)(slowest * (double)options->pass / options->pass_seconds);
    size_t calls = options->pass / (parts | 1);
    return calls > 0 ? calls : 1;
}

struct samples {
    size_t rounds;
    double *seconds[ENGINE_MAX_SUBJECTS];
    double *sorted; /* scratch for the summaries */
};

static void samples_close(struct samples *s)
{
    for (size_t i = 0; i < ENGINE_MAX_SUBJECTS; i++)
        free(s->seconds[i]);
    free(s->sorted);
}

static bool samples_open(struct samples *s, size_t count)
{
    *s = (struct samples){.sorted = malloc(MAX_ROUNDS * sizeof(double))};
    bool complete = s->sorted != NULL;
    for (size_t i = 0; i < count; i++) {
        s->seconds[i] = malloc(MAX_ROUNDS * sizeof(double));
        complete = complete && s->seconds[i] != NULL;
    }
    if (!complete)
        samples_close(s);
    return complete;
}

static void one_round(const struct engine_subject *subjects, size_t count, const size_t *calls,
                      bool walking, struct samples *s)
{
    for (size_t turn = 0; turn < count; turn++) {
        size_t i = s->rounds % 2 == 0 ? turn : count - 1 - turn;
        if (walking)
            subjects[i].batch(subjects[i].context, calls[i]);
        s->seconds[i][s->rounds] = time_batch(&subjects[i], calls[i]) / (double)calls[i];
    }
    s->rounds++;
}

static void summarise(struct samples *s, size_t count, double noise_limit,
                      struct engine_result *result)
{
    result->rounds = s->rounds;
    result->noisy = false;
    for (size_t i = 0; i < count; i++) {
        for (size_t r = 0; r < s->rounds; r++)
            s->sorted[r] = s->seconds[i][r] / s->seconds[0][r];
        result->relative[i] = spread_of(s->sorted, s->rounds);
        for (size_t r = 0; r < s->rounds; r++)
            s->sorted[r] = s->seconds[i][r];
        result->seconds[i] = spread_of(s->sorted, s->rounds);
        if (spread_width(&result->relative[i]) > noise_limit)
            result->noisy = true;
    }
}

bool engine_measure(const struct engine_subject *subjects, size_t count,
                    const struct engine_options *options, struct engine_result *result)
{
    struct samples samples;
    if (!samples_open(&samples, count))
        return false;
    *result = (struct engine_result){0};
    double last =
        options->bounded ? engine_now() + PATIENCE * options->total_seconds : INFINITY;
    bool walking = options->pass > 1;
    size_t shared = walking ? calibrate_pass(subjects, count, options) : 0;
    for (size_t i = 0; i < count; i++)
        result->calls[i] = walking ? shared : calibrate(&subjects[i], options->batch_seconds);

    long before = preemptions();
    double start = engine_now();
    for (int stage = 1; stage <= PATIENCE; stage++) {
        double until = start + stage * options->total_seconds;
        size_t enough = (size_t)stage * options->min_rounds;
        do
            one_round(subjects, count, result->calls, walking, &samples);
        while (samples.rounds < MAX_ROUNDS && engine_now() < last &&
               (samples.rounds < enough || engine_now() < until));
        summarise(&samples, count, options->noise_limit, result);
        if (!result->noisy || samples.rounds == MAX_ROUNDS || engine_now() >= last)
            break;
    }
    result->preempted = preemptions() - before;
    samples_close(&samples);
    return true;
}
