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
#include "ec_row.h"
#include "engine.h"
#include "library.h"
#include "lists.h"
#include "operations.h"
#include "options.h"
#include "report.h"
#include "roofs.h"
#include "workload.h"

enum { SUCCESS = 0, BYTES_DIFFER = 1, NO_MEASUREMENT = 2 };

struct session {
    struct options options;
    struct library library[2];
    struct arena arena;
    struct report report;
    struct roofs roofs;
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
    timing.pass = subjects[0].work->walk.stripes;
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
    if (!workload_open(&work, shape, &session->options.setting.placement, &session->arena)) {
        session->failed = true;
        return "out of memory";
    }
    const char *reason = measure_on(session, &work, engine, result);
    *stripes = work.walk.stripes;
    workload_close(&work);
    return reason;
}

static void measure_and_report(struct session *session, const struct shape *shape)
{
    struct engine_result result;
    size_t stripes = 0;
    const char *reason =
        measure(session, shape, &session->options.setting.engine, &stripes, &result);
    struct row row = ec_row(shape, stripes);
    if (reason != NULL) {
        report_refused(&session->report, &row, reason);
        return;
    }
    if (session->options.limits)
        ec_row_roof(&row, &session->roofs, shape, result.seconds[0].median);
    report_row(&session->report, &row, &result);
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
    struct engine_options brief = session->options.setting.engine;
    struct engine_result result;
    struct lowest lowest = {0};
    struct shape shape = series->shape;
    size_t stripes = 0, measured = 0;
    long previous = 0;
    const char *at = series->lengths;
    brief.batch_seconds /= 4;
    brief.total_seconds /= 20;
    while (lengths_next(&at, &previous, &shape.len)) {
        const char *reason = measure(session, &shape, &brief, &stripes, &result);
        const struct row row = ec_row(&shape, stripes);
        if (reason != NULL) {
            report_refused(&session->report, &row, reason);
            continue;
        }
        report_csv(&session->report, &row, &result);
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

static bool measure_roofs(struct session *session)
{
    if (!roofs_measure(&session->roofs, &session->options.setting, &session->arena)) {
        fprintf(stderr, "ec_perf: out of memory\n");
        return false;
    }
    session->report.more_head = ec_roofs_head;
    if (session->roofs.clock > 0)
        printf("clock: %.2f GHz when the roofs were measured\n", session->roofs.clock);
    return true;
}

static int run(struct session *session)
{
    libraries_describe(session->library);
    setting_describe(&session->options.setting, "k*len");
    session->arena.pages = session->options.setting.pages;
    if (session->options.limits && !measure_roofs(session))
        return NO_MEASUREMENT;
    const struct options *o = &session->options;
    bool ran = o->grid != NULL ? grid_each(o->grid, run_series, session)
                               : lists_each(&o->lists, run_series, session);
    if (ran)
        report_end(&session->report, &session->arena,
                   session->options.setting.engine.noise_limit);
    arena_close(&session->arena);
    if (!ran || session->failed)
        return NO_MEASUREMENT;
    return session->bytes_differ ? BYTES_DIFFER : SUCCESS;
}

int main(int argc, char **argv)
{
    struct session session = {0};
    enum options_verdict verdict = options_parse(&session.options, argc, argv);
    if (verdict != OPTIONS_RUN)
        return verdict == OPTIONS_HELP ? SUCCESS : NO_MEASUREMENT;
    setting_apply(&session.options.setting, argc, argv);
    if (!report_open(&session.report, session.options.setting.csv, &ec_form))
        return NO_MEASUREMENT;
    int status = NO_MEASUREMENT;
    if (libraries_open(session.library, session.options.path)) {
        status = run(&session);
        libraries_close(session.library);
    }
    if (!report_close(&session.report))
        status = NO_MEASUREMENT;
    return status;
}
