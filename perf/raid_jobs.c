/* SPDX-License-Identifier: BSD-3-Clause */
/* What raid_perf compares: libraries, functions with their baselines, kernel sets. */
#include <stdio.h>
#include <string.h>

#include "lists.h"
#include "raid_session.h"

/* Visits the operations that the command line names, all of them known, or all that have
   something to be held against. */
static void each_operation(struct raid_session *session, const struct raid_op *ops,
                           size_t count, raid_visitor *visit)
{
    const char *at = session->options.operations, *name;
    size_t length;
    for (size_t i = 0; i < count && at == NULL; i++) {
        if (ops == raid_own && ops[i].against == NULL)
            continue;
        report_title(&session->report, ops[i].what);
        raid_each_shape(session, &ops[i], visit);
    }
    while (at != NULL && name_next(&at, &name, &length)) {
        const struct raid_op *op = raid_op_find(ops, count, name, length);
        report_title(&session->report, op->what);
        raid_each_shape(session, op, visit);
    }
}

/* -------------------------------------------------------------- libraries -- */

/* What ISA-L promises nothing about; NULL: none of that. */
static const char *contract(const struct raid_session *session, const struct raid_op *op,
                            const struct raid_shape *shape)
{
    if (op->parities > 0 && session->options.setting.placement.offset % 32 != 0)
        return "ISA-L's function takes blocks on 32-byte boundaries only";
    if (op->parities == 2 && shape->len % 32 != 0)
        return "ISA-L's function takes multiples of 32 bytes only";
    return NULL;
}

static void visit_library(struct raid_session *session, const struct raid_op *op,
                          const struct raid_shape *shape)
{
    const char *suffix = session->options.suffix;
    struct raid_lineup lineup = {.variant = lineup_variant(&session->lineup, suffix),
                                 .count = session->lineup.count};
    for (size_t i = 0; i < lineup.count; i++)
        lineup.subject[i] = raid_subject_of(op, &session->lineup.entry[i], suffix);
    if (lineup.subject[0].refused == NULL)
        lineup.subject[0].refused = contract(session, op, shape);
    raid_lineup_run(session, &lineup, shape);
}

void raid_job_libraries(struct raid_session *session)
{
    each_operation(session, raid_peers, raid_peer_count, visit_library);
}

/* ----------------------------------------------- functions of permxor.h -- */

static void visit_own(struct raid_session *session, const struct raid_op *op,
                      const struct raid_shape *shape)
{
    const char *set = selected_set(pxr_kernel_info);
    const struct raid_op *against =
        raid_op_find(raid_own, raid_own_count, op->against, strlen(op->against));
    struct raid_lineup lineup = {
        .variant = set,
        .count = 2,
        .subject = {{.op = op, .name = op->name, .set = set},
                    {.op = against, .name = against->name, .set = set}},
        .judged = !op->same,
    };
    raid_lineup_run(session, &lineup, shape);
}

void raid_job_own(struct raid_session *session)
{
    printf("functions of this build, kernel set %s\n", selected_set(pxr_kernel_info));
    each_operation(session, raid_own, raid_own_count, visit_own);
}

/* ------------------------------------------------------------ kernel sets -- */

/* A list of names taken apart. */
struct sets {
    unsigned count;
    char name[RAID_MOST_SETS][40];
};

static struct sets sets;

/* Whether the last set stands in the list before, too; tells standard error. */
static bool named_before(unsigned last)
{
    for (unsigned i = 0; i < last; i++)
        if (strcmp(sets.name[i], sets.name[last]) == 0)
            return fprintf(stderr, "raid_perf: --sets names %s twice\n", sets.name[i]), true;
    return false;
}

bool raid_sets_parse(const char *at)
{
    const char *name;
    size_t length;
    for (sets.count = 0; name_next(&at, &name, &length); sets.count++) {
        char *to = sets.name[sets.count];
        snprintf(to, sizeof sets.name[0], "%.*s", (int)length, name);
        if (pxr_kernel_select(to) != PXR_OK)
            return name_unknown("kernel set that runs here", name, length);
        if (named_before(sets.count))
            return false;
    }
    pxr_kernel_select(NULL);
    return true;
}

static void visit_sets(struct raid_session *session, const struct raid_op *op,
                       const struct raid_shape *shape)
{
    struct raid_lineup lineup = {.variant = "", .count = sets.count, .judged = true};
    for (unsigned i = 0; i < sets.count; i++)
        lineup.subject[i] =
            (struct raid_subject){.op = op, .name = sets.name[i], .set = sets.name[i]};
    raid_lineup_run(session, &lineup, shape);
}

void raid_job_sets(struct raid_session *session)
{
    each_operation(session, raid_own, raid_own_count, visit_sets);
}
