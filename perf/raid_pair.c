/* SPDX-License-Identifier: BSD-3-Clause */
/* Two subjects, A and B: compared, timed and reported. */
#include "lists.h"
#include "raid_session.h"

/* The widths of struct row's name below. */
const struct report_form raid_form = {
    .head = "op               A              B              disks mode      len  ",
    .csv_head = "operation,variant,against,disks,mode,len,stripes,bytes,b_bytes",
};

/* -------------------------------------------------------------- the shapes -- */

static void each_length(struct raid_session *session, const struct raid_op *op,
                        struct raid_shape shape, raid_visitor *visit)
{
    const char *at = session->options.lengths;
    long previous = 0;
    while (lengths_next(&at, &previous, &shape.len))
        visit(session, op, &shape);
}

static void each_count(struct raid_session *session, const struct raid_op *op,
                       struct raid_shape shape, raid_visitor *visit)
{
    const char *at = session->options.disks;
    long previous = 0;
    int n;
    while (lengths_next(&at, &previous, &n)) {
        /* Without disks the number is of no meaning; one time will do. */
        shape.n = raid_op_has_disks(op) ? (unsigned)n : 2;
        each_length(session, op, shape, visit);
        if (!raid_op_has_disks(op))
            break;
    }
}

bool raid_each_shape(struct raid_session *session, const struct raid_op *op,
                     raid_visitor *visit)
{
    const char *at = session->options.modes, *name;
    size_t length;
    while (name_next(&at, &name, &length)) {
        struct raid_shape shape;
        if (!mode_parse(name, length, &shape.mode))
            return false;
        each_count(session, op, shape, visit);
    }
    return true;
}

/* ---------------------------------------------------------------- the pair -- */

static struct row row_of(const struct raid_pair *pair, const struct raid_shape *shape,
                         size_t stripes)
{
    const struct raid_op *op = pair->subject[0].op;
    struct row row;
    char disks[12] = "-";
    for (int i = 0; i < 2; i++)
        row.bytes[i] = raid_op_bytes(pair->subject[i].op, shape->n, (size_t)shape->len);
    if (raid_op_has_disks(op))
        snprintf(disks, sizeof disks, "%u", shape->n);
    row.more[0] = '\0';
    snprintf(row.name, sizeof row.name, "%-16s %-14s %-14s %5s %-4s %8d  ", op->name,
             pair->variant, pair->against, disks, mode_name(shape->mode), shape->len);
    snprintf(row.csv, sizeof row.csv, "%s,%s,%s,%s,%s,%d,%zu,%zu,%zu", op->name, pair->variant,
             pair->against, disks, mode_name(shape->mode), shape->len, stripes, row.bytes[0],
             row.bytes[1]);
    return row;
}

static const char *compare(const struct raid_pair *pair)
{
    const struct raid_subject *s = pair->subject;
    if (!pair->judged)
        return raid_subjects_compare(&s[0], &s[1]);
    const char *reason = raid_subject_judge(&s[0]);
    return reason != NULL ? reason : raid_subject_judge(&s[1]);
}

/* B's stripes are A's where there is one walk: then A's are the ones that hold more. */
static void stage(const struct raid_pair *pair)
{
    const struct raid_subject *s = pair->subject;
    if (s[1].walk != s[0].walk)
        raid_subject_stage(&s[1]);
    raid_subject_stage(&s[0]);
}

/* Opened already. */
static const char *compare_and_time(struct raid_session *session, struct raid_pair *pair,
                                    struct engine_result *result)
{
    struct engine_options engine = session->options.setting.engine;
    const struct engine_subject run[] = {{raid_subject_batch, &pair->subject[0]},
                                         {raid_subject_batch, &pair->subject[1]}};
    const size_t pass[] = {pair->subject[0].walk->stripes, pair->subject[1].walk->stripes};
    const char *reason = compare(pair);
    if (reason != NULL) {
        session->results_differ = true;
        return reason;
    }
    stage(pair);
    engine.pass = pass[0] < pass[1] ? pass[0] : pass[1];
    return engine_measure(run, 2, &engine, result) ? NULL : "out of memory";
}

void raid_pair_run(struct raid_session *session, struct raid_pair *pair,
                   const struct raid_shape *shape, const char *refused)
{
    struct walk walks[2];
    struct engine_result result;
    struct row row = row_of(pair, shape, 0);
    const char *reason =
        refused != NULL ? refused : raid_op_refuses(pair->subject[0].op, shape->n);
    if (reason == NULL) {
        reason =
            raid_subjects_open(pair->subject, 2, shape, &session->options.setting.placement,
                               &session->arena, walks);
        session->failed |= reason != NULL;
    }
    if (reason == NULL) {
        row = row_of(pair, shape, walks[0].stripes);
        reason = compare_and_time(session, pair, &result);
    }
    raid_subjects_close(pair->subject, 2);
    if (reason == NULL)
        report_row(&session->report, &row, &result);
    else
        report_refused(&session->report, &row, reason);
}
