/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ec_perf - time libraries side by side: those with ISA-L's binary interface at coding, RAID
 * and scans, and those with jerasure's and gf-complete's interfaces at their functions.
 *
 * How the figures come about, and what they mean: doc/perf-method.md.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "engine.h"
#include "lineup.h"
#include "operations.h"
#include "options.h"
#include "report.h"
#include "roofs.h"
#include "shape_roofs.h"
#include "workload.h"

enum { SUCCESS = 0, BYTES_DIFFER = 1, NO_MEASUREMENT = 2 };

struct session {
    struct options options;
    struct lineup lineup;
    struct arena arena;
    struct report report;
    struct roofs roofs;
    bool bytes_differ;
};

/* -------------------------------------------------------------- one shape -- */

/* The lineup's subjects and, where there is one, the baseline of the reference. */
#define MOST_SUBJECTS (LINEUP_MOST + 1)

_Static_assert(MOST_SUBJECTS <= ENGINE_MAX_SUBJECTS, "all can be measured together");

/* The memory that a shape is measured on: its own shards, and those of the baseline, which may
   be of another number. */
struct bench {
    size_t shapes;
    struct shape shape[2];
    struct workload work[2];
    size_t subjects;
    struct subject subject[MOST_SUBJECTS];
};

static size_t find_shapes(const struct session *session, const struct shape *shape,
                          struct shape shapes[2])
{
    const char *against = shape->operation->against;
    shapes[0] = shapes[1] = *shape;
    if (!session->options.baseline || against == NULL)
        return 1;
    shapes[1].operation = operation_find(against, strlen(against));
    operation_fix_shape(&shapes[1]);
    return 2;
}

static void open_subjects(struct session *session, struct bench *bench)
{
    struct subject *const subject = bench->subject;
    const struct entry *entry = session->lineup.entry;
    for (; bench->subjects < session->lineup.count; bench->subjects++)
        subject_open(&subject[bench->subjects], &entry[bench->subjects], subject,
                     &bench->work[0]);
    if (bench->shapes == 2)
        subject_open(&subject[bench->subjects++], &entry[0], subject, &bench->work[1]);
}

static void compare(struct session *session, struct bench *bench)
{
    const size_t count = session->lineup.count;
    bool same = subjects_compare(bench->subject, count);
    if (bench->shapes == 2 && bench->subject[count].refused == NULL)
        same = subjects_compare(&bench->subject[count], 1) && same;
    if (!same)
        session->bytes_differ = true;
}

/* Time the subjects that are not refused.  The caller makes sure that the reference is not. */
static const char *time_all(struct bench *bench, const struct engine_options *engine,
                            struct engine_result *result)
{
    struct engine_subject run[MOST_SUBJECTS];
    struct engine_options timing = *engine;
    size_t count = 0;
    timing.pass = bench->work[0].walk.stripes;
    for (size_t i = 0; i < bench->shapes; i++) {
        const size_t stripes = bench->work[i].walk.stripes;
        workload_stage(&bench->work[i], stripes);
        timing.pass = stripes < timing.pass ? stripes : timing.pass;
    }
    for (size_t i = 0; i < bench->subjects; i++)
        if (bench->subject[i].refused == NULL)
            run[count++] = (struct engine_subject){subject_batch, &bench->subject[i]};
    return engine_measure(run, count, &timing, result) ? NULL : out_of_memory;
}

static const char *measure_on(struct session *session, struct bench *bench,
                              const struct engine_options *engine, struct row *row,
                              struct engine_result *result)
{
    open_subjects(session, bench);
    if (bench->subject[0].refused == NULL)
        compare(session, bench);
    const char *reason = bench->subject[0].refused;
    if (reason == NULL)
        reason = time_all(bench, engine, result);
    for (size_t i = 0; i < bench->subjects; i++) {
        row->subject[i].refused = bench->subject[i].refused;
        subject_close(&bench->subject[i]);
    }
    return reason;
}

/* Time one shape.  Returns NULL, or the reason why it was not timed. */
static const char *measure(struct session *session, const struct shape *shape,
                           const struct engine_options *engine, struct row *row,
                           struct engine_result *result)
{
    struct bench bench = {.subjects = 0};
    bench.shapes = find_shapes(session, shape, bench.shape);
    const struct shape *baseline = bench.shapes == 2 ? &bench.shape[1] : NULL;
    const char *reason = operation_refuses(shape);
    *row = report_row_of(shape, baseline, 0, &session->lineup);
    if (reason != NULL)
        return reason;
    if (!workloads_open(bench.work, bench.shape, bench.shapes,
                        &session->options.setting.placement, &session->arena))
        return out_of_memory;
    *row = report_row_of(shape, baseline, bench.work[0].walk.stripes, &session->lineup);
    if (session->options.limits)
        row_roofs(row, &session->roofs, shape, &session->lineup);
    reason = measure_on(session, &bench, engine, row, result);
    workloads_close(bench.work, bench.shapes);
    return reason;
}

static void measure_and_report(struct session *session, const struct shape *shape)
{
    struct engine_result result;
    struct row row;
    const char *reason =
        measure(session, shape, &session->options.setting.engine, &row, &result);
    if (reason != NULL)
        report_refused(&session->report, &row, reason);
    else
        report_row(&session->report, &row, &result);
}

/* --------------------------------------------------------------- a series -- */

#define SWEEP_LOWEST 8

/* The lengths with the least speed-ups of any subject, in ascending order of speed-up. */
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

static double least_speedup(const struct row *row, const struct engine_result *result)
{
    double least = INFINITY;
    size_t timed = 1;
    for (size_t i = 1; i < row->count; i++) {
        if (row->subject[i].refused != NULL)
            continue;
        const double speedup = result->relative[timed++].median;
        least = speedup < least ? speedup : least;
    }
    return least;
}

/*
 * Thousands of lengths get a short measurement each.  The least of thousands of inexact figures
 * is the one with the largest error downwards, so the lowest ones are measured again at full
 * length, and only these figures count.
 */
static void sweep(struct session *session, const struct series *series)
{
    struct engine_options brief = session->options.setting.engine;
    struct engine_result result;
    struct lowest lowest = {0};
    struct shape shape = series->shape;
    struct row row;
    char matrix[MATRIX_TEXT];
    size_t measured = 0;
    brief.batch_seconds /= 4;
    brief.total_seconds /= 20;
    for (size_t i = 0; i < series->count; i++) {
        shape.len = series->lengths[i];
        operation_fix_shape(&shape);
        const char *reason = measure(session, &shape, &brief, &row, &result);
        if (reason != NULL) {
            report_refused(&session->report, &row, reason);
            continue;
        }
        report_missing(&session->report, &row);
        report_csv(&session->report, &row, &result);
        if (isfinite(least_speedup(&row, &result)))
            lowest_note(&lowest, least_speedup(&row, &result), shape.len);
        measured++;
    }
    matrix_print(&shape.matrix, matrix);
    printf("%s %d+%d %s %s %s: %zu lengths", shape.operation->name, shape.k, shape.m, matrix,
           mode_names[shape.mode], layout_names[shape.layout], measured);
    if (lowest.count > 0)
        printf(", the lowest %zu measured again at full length:", lowest.count);
    printf("\n");
    for (size_t i = 0; i < lowest.count; i++) {
        shape.len = lowest.len[i];
        measure_and_report(session, &shape);
    }
}

static void run_series(const struct series *series, void *context)
{
    struct session *session = context;
    struct shape shape = series->shape;
    if (series->title != NULL)
        report_title(&session->report, series->title);
    if (series->sweep && shape.operation->sized) {
        sweep(session, series);
        return;
    }
    for (size_t i = 0; i < series->count; i++) {
        shape.len = series->lengths[i];
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
    /* The roofs filled the arena with copies of one vector; shapes need random bytes. */
    arena_close(&session->arena);
    session->report.roofs = true;
    if (session->roofs.clock > 0)
        printf("clock: %.2f GHz when the roofs were measured\n", session->roofs.clock);
    return true;
}

static int run(struct session *session)
{
    lineup_describe(&session->lineup);
    setting_pin(&session->options.setting);
    setting_describe(&session->options.setting);
    setting_describe_shards(&session->options.setting);
    session->arena.pages = session->options.setting.pages;
    if (session->options.limits && !measure_roofs(session))
        return NO_MEASUREMENT;
    cases_each(&session->options.cases, run_series, session);
    report_end(&session->report, &session->arena);
    arena_close(&session->arena);
    if (session->report.failed)
        return NO_MEASUREMENT;
    return session->bytes_differ ? BYTES_DIFFER : SUCCESS;
}

int main(int argc, char **argv)
{
    static struct session session;
    enum options_verdict verdict = options_parse(&session.options, argc, argv);
    if (verdict != OPTIONS_RUN)
        return verdict == OPTIONS_HELP ? SUCCESS : NO_MEASUREMENT;
    setting_apply(&session.options.setting, argc, argv);
    if (!lineup_open(&session.lineup, session.options.subjects, session.options.subject_count))
        return NO_MEASUREMENT;
    int status = NO_MEASUREMENT;
    if (report_open(&session.report, session.options.setting.csv)) {
        status = run(&session);
        if (!csv_close(session.report.csv))
            status = NO_MEASUREMENT;
    }
    lineup_close(&session.lineup);
    return status;
}
