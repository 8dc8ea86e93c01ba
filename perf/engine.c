/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "engine.h"

#include "samples.h"

#include <math.h>
#include <time.h>

#define PATIENCE 3 /* a noisy measurement may take this many times as long */

/* A subject is warm when so many batches in a row agree within this limit, or when this share
   of the time for all rounds is over. */
#define WARM_BATCHES 3
#define WARM_LIMIT 0.02
#define WARM_SHARE 0.1

double engine_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct run {
    const struct engine_subject *subjects;
    size_t count;
    const struct engine_options *options;
    struct engine_result *result;
    double last; /* when the run must end */
    struct counters counters;
    struct samples samples;
};

/*
 * Some functions return with the upper halves of vector registers in use (ISA-L's CRC-32C and
 * its AVX-512 functions without GFNI).  Until something cleans the registers, code made of SSE
 * instructions is slow, and that would be measured as the time of the next subject.
 */
static void clean_registers(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("vzeroupper"
                         :
                         :
                         : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                           "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                           "xmm15");
#endif
}

static void batch(const struct run *run, size_t i, size_t calls)
{
    run->subjects[i].batch(run->subjects[i].context, calls);
}

static double time_batch(const struct run *run, size_t i, size_t calls)
{
    clean_registers();
    double start = run->options->now();
    batch(run, i, calls);
    return run->options->now() - start;
}

/* -------------------------------------------------------------- calibration -- */

/*
 * Warm the subject up by batches, the first of which took `took`.  Returns the least time, so
 * that an interruption does not leave the subject with batches that are too short.
 */
static double warm_up(const struct run *run, size_t i, size_t calls, double took)
{
    const struct engine_options *o = run->options;
    double until = o->now() + WARM_SHARE * o->total_seconds / (double)run->count;
    double best = took, least = took, most = took;
    int alike = 1;
    if (until > run->last)
        until = run->last;
    while (alike < WARM_BATCHES && o->now() < until) {
        took = time_batch(run, i, calls);
        least = took < least ? took : least;
        most = took > most ? took : most;
        alike++;
        if (most > (1 + WARM_LIMIT) * least) {
            least = most = took;
            alike = 1;
        }
        best = took < best ? took : best;
    }
    return best;
}

/* Returns the seconds per call once the subject is warm. */
static double pace(const struct run *run, size_t i)
{
    size_t calls = 1;
    double took = time_batch(run, i, calls);
    while (took < run->options->batch_seconds / 4) {
        calls *= 2;
        took = time_batch(run, i, calls);
    }
    return warm_up(run, i, calls, took) / (double)calls;
}

static size_t common_divisor(size_t a, size_t b)
{
    while (b != 0) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/*
 * The calls of a batch when all subjects do the same batch: one of the parts into which a pass
 * is cut.  Every second round is in the same order, and two rounds are 4 * count batches.  So a
 * subject meets all parts in turn where their number has no divisor in common with that one.
 */
static size_t calls_of_pass(const struct engine_options *o, double slowest, size_t count)
{
    size_t parts = (size_t)(slowest * (double)o->pass / o->pass_seconds) | 1;
    while (common_divisor(parts, count) != 1)
        parts += 2;
    size_t calls = o->pass / parts;
    return calls > 0 ? calls : 1;
}

/* Calls that fill one batch. */
static size_t calls_of_batch(const struct engine_options *o, double each)
{
    double calls = o->batch_seconds / each;
    return calls < 1 ? 1 : (size_t)calls;
}

static bool is_walking(const struct engine_options *o)
{
    return o->pass > 1;
}

static void calibrate(const struct run *run)
{
    const struct engine_options *o = run->options;
    size_t *calls = run->result->calls;
    double slowest = 0;
    for (size_t i = 0; i < run->count; i++) {
        double each = pace(run, i);
        slowest = each > slowest ? each : slowest;
        calls[i] = calls_of_batch(o, each);
    }
    for (size_t i = 0; is_walking(o) && i < run->count; i++)
        calls[i] = calls_of_pass(o, slowest, run->count);
}

/* ------------------------------------------------------------------- rounds -- */

/*
 * Before a batch is timed, the caches should be as this subject leaves them, and not as the
 * subject before it did.  In a walk that takes a whole batch (engine_options.pass).  Otherwise
 * all calls do the same, and one of them is enough.
 */
static void settle(const struct run *run, size_t i)
{
    batch(run, i, is_walking(run->options) ? run->result->calls[i] : 1);
}

static void one_turn(struct run *run, size_t i)
{
    struct samples *s = &run->samples;
    struct counts before, after;
    size_t calls = run->result->calls[i], round = s->rounds;
    settle(run, i);
    bool counted = counters_read(&run->counters, &before);
    s->seconds[i][round] = time_batch(run, i, calls) / (double)calls;
    s->counted = counters_read(&run->counters, &after) && counted && s->counted;
    s->cycles[i][round] = (after.first - before.first) / (double)calls;
    s->instructions[i][round] = (after.second - before.second) / (double)calls;
}

static void one_round(struct run *run)
{
    struct samples *s = &run->samples;
    for (size_t turn = 0; turn < run->count; turn++)
        one_turn(run, s->rounds % 2 == 0 ? turn : run->count - 1 - turn);
    s->rounds++;
}

/* Do the rounds of one stage, and judge all rounds so far. */
static void one_stage(struct run *run, int stage, const struct noise_look *before)
{
    const struct engine_options *o = run->options;
    double until = before->now + stage * o->total_seconds;
    size_t enough = (size_t)stage * o->min_rounds;
    size_t *rounds = &run->samples.rounds;
    struct noise_look after;
    do
        one_round(run);
    while (*rounds < SAMPLES_ROUNDS && o->now() < run->last &&
           (*rounds < enough || o->now() < until));
    o->look(&after);
    run->result->noise = noise_between(before, &after);
    samples_summarise(&run->samples, o->noise_limit, run->result);
}

/* Returns whether more rounds may help.  They do not if neighbours are the only cause. */
static bool worth_extending(const struct run *run)
{
    unsigned causes = run->result->noise.causes;
    for (size_t i = 0; i < run->count; i++)
        causes |= run->result->causes[i];
    return (causes & ~(unsigned)NOISE_NEIGHBOURS) != 0;
}

static void all_rounds(struct run *run)
{
    const struct engine_options *o = run->options;
    struct noise_look before;
    o->look(&before);
    int stage = 0;
    do
        one_stage(run, ++stage, &before);
    while (worth_extending(run) && stage < PATIENCE && run->samples.rounds < SAMPLES_ROUNDS &&
           o->now() < run->last);
}

static void conclude(const struct run *run)
{
    struct engine_result *r = run->result;
    const unsigned of_the_machine = r->noise.causes;
    for (size_t i = 0; i < run->count; i++) {
        r->causes[i] |= of_the_machine;
        r->noise.causes |= r->causes[i];
        if (r->causes[i] == 0)
            continue;
        spread_widen(&r->seconds[i]);
        spread_widen(&r->relative[i]);
    }
}

bool engine_measure(const struct engine_subject *subjects, size_t count,
                    const struct engine_options *options, struct engine_result *result)
{
    struct run run = {.subjects = subjects,
                      .count = count,
                      .options = options,
                      .result = result,
                      .last = INFINITY};
    if (options->bounded)
        run.last = options->now() + PATIENCE * options->total_seconds;
    *result = (struct engine_result){0};
    if (!samples_open(&run.samples, count))
        return false;
    counters_open(&run.counters, options->events);
    calibrate(&run);
    all_rounds(&run);
    conclude(&run);
    counters_close(&run.counters);
    samples_close(&run.samples);
    return true;
}

double engine_fastest_call(engine_batch *work, void *context, double seconds)
{
    const struct engine_subject subject = {work, context};
    struct engine_options options = ENGINE_DEFAULTS;
    struct engine_result result;
    options.total_seconds = seconds;
    options.min_rounds = 3;
    options.noise_limit = 1; /* the spread of the other batches does not matter */
    if (!engine_measure(&subject, 1, &options, &result))
        return -1;
    return result.seconds[0].min;
}
