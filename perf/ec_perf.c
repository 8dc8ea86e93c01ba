/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ec_perf - time two libraries with ISA-L's binary interface side by side.
 *
 * How the figures come about, and what they mean: doc/perf-method.md.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "engine.h"
#include "environment.h"
#include "library.h"
#include "limits.h"
#include "machine.h"
#include "operations.h"
#include "options.h"
#include "report.h"
#include "workload.h"

enum { SUCCESS = 0, BYTES_DIFFER = 1, NO_MEASUREMENT = 2 };

struct session {
    struct options options;
    struct library library[2];
    struct arena arena;
    struct report report;
    struct limits limits;
    int cpu;
    bool fixed_addresses;
    bool bytes_differ;
    bool failed;
};

/* -------------------------------------------------------------- one shape -- */

static const char *compare_and_time(struct session *session, struct subject *subjects,
                                    const struct engine_options *engine,
                                    struct engine_result *result)
{
    const char *reason = subjects_compare(subjects, 2);
    if (reason != NULL) {
        session->bytes_differ = true;
        return reason;
    }
    struct engine_subject run[2];
    for (int i = 0; i < 2; i++)
        run[i] =
            (struct engine_subject){subjects[i].work->shape.operation->batch, &subjects[i]};
    struct engine_options timing = *engine;
    timing.pass = subjects[0].work->stripes;
    return engine_measure(run, 2, &timing, result) ? NULL : "out of memory";
}

static const char *measure_on(struct session *session, struct workload *work,
                              const struct engine_options *engine, struct engine_result *result)
{
    static char text[160];
    struct subject subjects[2];
    for (int i = 0; i < 2; i++) {
        const char *reason = subject_open(&subjects[i], &session->library[i], work);
        if (reason != NULL) {
            if (i == 1)
                subject_close(&subjects[0]);
            snprintf(text, sizeof(text), "%c: %s", "AB"[i], reason);
            return text;
        }
    }
    const char *reason = compare_and_time(session, subjects, engine, result);
    subject_close(&subjects[0]);
    subject_close(&subjects[1]);
    return reason;
}

/* Time one shape: NULL, or the reason why that was not done. */
static const char *measure(struct session *session, const struct shape *shape,
                           const struct engine_options *engine, size_t *stripes,
                           struct engine_result *result)
{
    struct workload work;
    if (!workload_open(&work, shape, &session->options.placement, &session->arena)) {
        session->failed = true;
        return "out of memory";
    }
    const char *reason = measure_on(session, &work, engine, result);
    *stripes = work.stripes;
    workload_close(&work);
    return reason;
}

static void measure_and_report(struct session *session, const struct shape *shape)
{
    struct engine_result result;
    size_t stripes;
    const char *reason = measure(session, shape, &session->options.engine, &stripes, &result);
    if (reason == NULL)
        report_row(&session->report, shape, stripes, &result);
    else
        report_refused(&session->report, shape, reason);
}

/* --------------------------------------------------------------- a series -- */

#define SWEEP_LOWEST 8

/* The lengths with the least speed-ups, in ascending order. */
struct lowest {
    size_t count;
    double speedup[SWEEP_LOWEST];
    int len[SWEEP_LOWEST];
};

static void lowest_note(struct lowest *lowest, double speedup, int len)
{
    size_t at = lowest->count;
    if (at < SWEEP_LOWEST)
        lowest->count++;
    else if (speedup >= lowest->speedup[at - 1])
        return;
    else
        at--;
    for (; at > 0 && speedup < lowest->speedup[at - 1]; at--) {
        lowest->speedup[at] = lowest->speedup[at - 1];
        lowest->len[at] = lowest->len[at - 1];
    }
    lowest->speedup[at] = speedup;
    lowest->len[at] = len;
}

/*
 * Thousands of lengths get a short measurement each.  The least of thousands of
 * figures with an error is the one with the largest error downwards, so the
 * lowest ones are measured again at full length and count as measured then.
 */
static void sweep(struct session *session, const struct series *series)
{
    struct engine_options brief = session->options.engine;
    struct engine_result result;
    struct lowest lowest = {0};
    struct shape shape = series->shape;
    size_t stripes, measured = 0;
    long previous = 0;
    const char *at = series->lengths;
    brief.batch_seconds /= 4;
    brief.total_seconds /= 20;
    while (lengths_next(&at, &previous, &shape.len)) {
        const char *reason = measure(session, &shape, &brief, &stripes, &result);
        if (reason != NULL) {
            report_refused(&session->report, &shape, reason);
            continue;
        }
        report_csv(&session->report, &shape, stripes, &result);
        lowest_note(&lowest, result.relative[1].median, shape.len);
        measured++;
    }
    printf("%s %d+%d %s %s: %zu lengths, the lowest %zu measured again at full length:\n",
           shape.operation->name, shape.k, shape.m, matrix_name(shape.matrix),
           mode_name(shape.mode), measured, lowest.count);
    for (size_t i = 0; i < lowest.count; i++) {
        shape.len = lowest.len[i];
        measure_and_report(session, &shape);
    }
}

static void run_series(const struct series *series, void *context)
{
    struct session *session = context;
    struct shape shape = series->shape;
    long previous = 0;
    const char *at = series->lengths;
    if (series->title != NULL)
        report_title(&session->report, series->title);
    if (series->sweep && shape.operation->sized) {
        sweep(session, series);
        return;
    }
    while (lengths_next(&at, &previous, &shape.len)) {
        operation_fix_shape(&shape);
        measure_and_report(session, &shape);
    }
}

/* ---------------------------------------------------------------- session -- */

static bool open_libraries(struct session *session)
{
    if (!library_open(&session->library[0], session->options.path[0]))
        return false;
    if (!library_open(&session->library[1], session->options.path[1])) {
        library_close(&session->library[0]);
        return false;
    }
    return true;
}

static void describe_libraries(const struct session *session)
{
    const struct library *a = &session->library[0], *b = &session->library[1];
    printf("A: %s (%s)\n", a->path, a->version);
    printf("B: %s (%s)\n", b->path, b->version);
    if (getenv("PERMXOR_KERNELS") != NULL)
        printf("PERMXOR_KERNELS=%s (permxor's own functions obey it)\n",
               getenv("PERMXOR_KERNELS"));
    printf("loaded: %s\n", a->base == b->base
                               ? "one file under both letters (self-test: expect 1.00)"
                               : "two different files");
}

static void describe_setting(const struct session *session)
{
    const struct options *o = &session->options;
    size_t cache = machine_last_cache(session->cpu < 0 ? 0 : session->cpu);
    machine_describe(stdout, "", session->cpu < 0 ? 0 : session->cpu);
    if (session->cpu >= 0)
        printf("core: pinned to %d\n", session->cpu);
    else
        printf("core: NOT pinned, the system refused\n");
    printf("address-space randomisation: %s\n",
           session->fixed_addresses ? "off"
           : o->keep_addresses      ? "ON, as asked"
                                    : "ON, the system refused to switch it off");
    printf("shards: %zu bytes behind 64-byte boundaries, displaced by %zu\n",
           o->placement.offset, o->placement.displace);
    printf("cold set: %zu MiB, last-level cache %zu MiB%s\n", o->placement.cold_set >> 20,
           cache >> 20,
           o->placement.cold_set <= cache ? " - WARNING: the set fits into the cache" : "");
    printf("GB/s: 1e9 bytes of source data (k*len) per second, one thread\n");
}

static void describe_end(const struct session *session)
{
    const struct report *r = &session->report;
    static const char *const kinds[] = {"default", "small", "huge"};
    printf("\npages: %s; %zu of the last %zu MiB lay on huge pages\n",
           kinds[session->arena.pages], arena_huge_bytes(&session->arena) >> 20,
           session->arena.size >> 20);
    printf(
        "%zu shapes timed, %zu of them noisy (middle half of the ratios wider than %.0f %%), "
        "%zu not timed\n",
        r->rows, r->noisy, 100 * session->options.engine.noise_limit, r->refused);
}

static bool measure_limits(struct session *session)
{
    if (!limits_measure(&session->limits)) {
        fprintf(stderr, "ec_perf: out of memory\n");
        return false;
    }
    session->report.limits = &session->limits;
    if (session->limits.clock > 0)
        printf("clock: %.2f GHz when the limits were measured\n", session->limits.clock);
    return true;
}

static int run(struct session *session)
{
    describe_libraries(session);
    describe_setting(session);
    session->arena.pages = session->options.pages;
    if (session->options.limits && !measure_limits(session))
        return NO_MEASUREMENT;
    const struct options *o = &session->options;
    bool ran = o->grid != NULL ? grid_each(o->grid, run_series, session)
                               : lists_each(&o->lists, run_series, session);
    if (ran)
        describe_end(session);
    arena_close(&session->arena);
    if (!ran || session->failed)
        return NO_MEASUREMENT;
    return session->bytes_differ ? BYTES_DIFFER : SUCCESS;
}

static void print_command(int argc, char **argv)
{
    printf("command:");
    for (int i = 0; i < argc; i++)
        printf(" %s", argv[i]);
    printf("\n");
}

int main(int argc, char **argv)
{
    struct session session = {0};
    enum options_verdict verdict = options_parse(&session.options, argc, argv);
    if (verdict != OPTIONS_RUN)
        return verdict == OPTIONS_HELP ? SUCCESS : NO_MEASUREMENT;
    if (!session.options.keep_addresses)
        session.fixed_addresses = environment_fix_addresses(argv);
    session.cpu = environment_pin(session.options.cpu);
    /* The figures are the library's own choice's, not this machine's tune file's. */
    setenv("PERMXOR_TUNE", "", 0);
    print_command(argc, argv);
    if (!report_open(&session.report, session.options.csv))
        return NO_MEASUREMENT;
    int status = NO_MEASUREMENT;
    if (open_libraries(&session)) {
        status = run(&session);
        library_close(&session.library[0]);
        library_close(&session.library[1]);
    }
    if (!report_close(&session.report))
        status = NO_MEASUREMENT;
    return status;
}
