/* SPDX-License-Identifier: BSD-3-Clause */
/* Subjects on one shape: compared, timed and reported. */
#include "raid_session.h"

/* The widths of struct row's name below. */
const struct report_form raid_form = {
    .head = "op               variant        disks mode      len  ",
    .csv_head = "operation,variant,disks,mode,len,stripes",
};

static struct row row_of(const struct raid_lineup *lineup, const struct raid_shape *shape,
                         size_t stripes)
{
    const struct raid_op *op = lineup->subject[0].op;
    struct row row = {.count = lineup->count};
    char disks[12] = "";
    for (size_t i = 0; i < lineup->count; i++) {
        const struct raid_subject *s = &lineup->subject[i];
        row.subject[i].name = s->name;
        row.subject[i].refused = s->refused;
        row.subject[i].bytes = raid_op_bytes(s->op, shape->n, (size_t)shape->len);
    }
    if (raid_op_has_disks(op))
        snprintf(disks, sizeof disks, "%u", shape->n);
    snprintf(row.name, sizeof row.name, "%-16s %-14s %5s %-4s %8d  ", op->name, lineup->variant,
             *disks != '\0' ? disks : "-", mode_name(shape->mode), shape->len);
    snprintf(row.csv, sizeof row.csv, "%s,%s,%s,%s,%d,%zu", op->name, lineup->variant, disks,
             mode_name(shape->mode), shape->len, stripes);
    return row;
}

/* Those with other results than they should have are refused: whether there are none. */
static bool compare(struct raid_lineup *lineup)
{
    struct raid_subject *s = lineup->subject;
    bool all = true;
    for (size_t i = lineup->judged ? 0 : 1; i < lineup->count; i++) {
        if (s[i].refused != NULL)
            continue;
        s[i].refused =
            lineup->judged ? raid_subject_judge(&s[i]) : raid_subjects_compare(&s[0], &s[i]);
        all = all && (s[i].refused == NULL || s[i].refused == out_of_memory);
    }
    return all;
}

/* A baseline's stripes are the reference's where there is one walk: then the reference's
   are the ones that hold more. */
static void stage(const struct raid_lineup *lineup)
{
    const struct raid_subject *s = lineup->subject;
    for (size_t i = 1; i < lineup->count; i++)
        if (s[i].walk != s[0].walk)
            raid_subject_stage(&s[i]);
    raid_subject_stage(&s[0]);
}

/* Opened already; the reference is not refused. */
static const char *time_all(struct raid_lineup *lineup, const struct engine_options *engine,
                            struct engine_result *result)
{
    struct engine_options timing = *engine;
    struct engine_subject run[ENGINE_MAX_SUBJECTS];
    size_t count = 0;
    timing.pass = lineup->subject[0].walk->stripes;
    for (size_t i = 0; i < lineup->count; i++) {
        struct raid_subject *s = &lineup->subject[i];
        if (s->refused != NULL)
            continue;
        run[count++] = (struct engine_subject){raid_subject_batch, s};
        if (s->walk->stripes < timing.pass)
            timing.pass = s->walk->stripes;
    }
    stage(lineup);
    return engine_measure(run, count, &timing, result) ? NULL : out_of_memory;
}

static const char *measure_opened(struct raid_session *session, struct raid_lineup *lineup,
                                  const struct engine_options *engine,
                                  struct engine_result *result)
{
    const char *reason = lineup->subject[0].refused;
    if (reason != NULL)
        return reason;
    session->results_differ |= !compare(lineup);
    reason = lineup->subject[0].refused;
    return reason != NULL ? reason : time_all(lineup, engine, result);
}

const char *raid_lineup_measure(struct raid_session *session, struct raid_lineup *lineup,
                                const struct raid_shape *shape,
                                const struct engine_options *engine, struct row *row,
                                struct engine_result *result)
{
    struct walk walks[2];
    *row = row_of(lineup, shape, 0);
    const char *reason = raid_op_refuses(lineup->subject[0].op, shape->n);
    if (reason != NULL)
        return reason;
    reason = raid_subjects_open(lineup->subject, lineup->count, shape,
                                &session->options.setting.placement, &session->arena, walks);
    if (reason == NULL)
        reason = measure_opened(session, lineup, engine, result);
    *row = row_of(lineup, shape, walks[0].stripes);
    raid_subjects_close(lineup->subject, lineup->count);
    return reason;
}

void raid_lineup_run(struct raid_session *session, struct raid_lineup *lineup,
                     const struct raid_shape *shape)
{
    struct row row;
    struct engine_result result;
    const char *reason = raid_lineup_measure(session, lineup, shape,
                                             &session->options.setting.engine, &row, &result);
    if (reason == NULL)
        report_row(&session->report, &row, &result);
    else
        report_refused(&session->report, &row, reason);
}
