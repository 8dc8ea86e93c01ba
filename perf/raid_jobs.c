/* SPDX-License-Identifier: BSD-3-Clause */
/* What raid_perf compares: libraries, functions with their baselines, kernel sets. */
#include <stdio.h>
#include <string.h>

#include "lists.h"
#include "raid_session.h"

/* Visits the operations that the command line names, all of them known, or all that have
   something to be held against. */
static bool each_operation(struct raid_session *session, const struct raid_op *ops,
                           size_t count, raid_visitor *visit)
{
    const char *at = session->options.operations, *name;
    size_t length;
    for (size_t i = 0; i < count && at == NULL; i++) {
        if (ops == raid_own && ops[i].against == NULL)
            continue;
        report_title(&session->report, ops[i].what);
        if (!raid_each_shape(session, &ops[i], visit))
            return false;
    }
    while (at != NULL && name_next(&at, &name, &length)) {
        const struct raid_op *op = raid_op_find(ops, count, name, length);
        report_title(&session->report, op->what);
        if (!raid_each_shape(session, op, visit))
            return false;
    }
    return true;
}

/* --------------------------------------------------------- two libraries -- */

/* Where it is NULL, both libraries are within what ISA-L promises. */
static const char *contract(const struct raid_session *session, const struct raid_pair *pair,
                            const struct raid_shape *shape)
{
    static char text[80];
    const struct raid_op *op = pair->subject[0].op;
    for (int i = 0; i < 2; i++)
        if (pair->subject[i].call.any == NULL) {
            snprintf(text, sizeof text, "%c: no such variant of %s", 'A' + i, op->name);
            return text;
        }
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
    struct raid_pair pair = {.variant = *suffix ? suffix : "dispatched", .against = "B"};
    for (int i = 0; i < 2; i++)
        pair.subject[i] = raid_subject_of(op, &session->library[i], suffix);
    raid_pair_run(session, &pair, shape, contract(session, &pair, shape));
}

bool raid_job_libraries(struct raid_session *session)
{
    return each_operation(session, raid_peers, raid_peer_count, visit_library);
}

/* ----------------------------------------------- functions of permxor.h -- */

/* The kernel set that calls use unless another one is asked for. */
static const char *selected_set(void)
{
    static struct pxr_kernel_info row;
    for (unsigned i = 0; pxr_kernel_info(i, &row) == PXR_OK && !row.selected; i++)
        continue;
    return row.name;
}

static void visit_own(struct raid_session *session, const struct raid_op *op,
                      const struct raid_shape *shape)
{
    const char *set = selected_set();
    const struct raid_op *against =
        raid_op_find(raid_own, raid_own_count, op->against, strlen(op->against));
    struct raid_pair pair = {.subject = {{.op = op, .set = set}, {.op = against, .set = set}},
                             .variant = set,
                             .against = against->name,
                             .judged = !op->same};
    raid_pair_run(session, &pair, shape, NULL);
}

bool raid_job_own(struct raid_session *session)
{
    printf("A and B: functions of this build, kernel set %s\n", selected_set());
    return each_operation(session, raid_own, raid_own_count, visit_own);
}

/* ------------------------------------------------------------ kernel sets -- */

/* A list of names taken apart. */
struct sets {
    unsigned count;
    char name[RAID_MOST_SETS][40];
};

static struct sets sets;

static bool sets_parse(const char *at)
{
    const char *name;
    size_t length;
    for (sets.count = 0; name_next(&at, &name, &length); sets.count++) {
        char *to = sets.name[sets.count];
        snprintf(to, sizeof sets.name[0], "%.*s", (int)length, name);
        if (pxr_kernel_select(to) != PXR_OK)
            return name_unknown("kernel set that runs here", name, length);
    }
    pxr_kernel_select(NULL);
    return true;
}

/* Each pair anew: the operation with one set, and with the first one. */
static void visit_sets(struct raid_session *session, const struct raid_op *op,
                       const struct raid_shape *shape)
{
    for (unsigned i = 1; i < sets.count; i++) {
        struct raid_pair pair = {
            .subject = {{.op = op, .set = sets.name[i]}, {.op = op, .set = sets.name[0]}},
            .variant = sets.name[i],
            .against = sets.name[0],
            .judged = true};
        raid_pair_run(session, &pair, shape, NULL);
    }
}

bool raid_job_sets(struct raid_session *session)
{
    if (!sets_parse(session->options.sets))
        return false;
    return each_operation(session, raid_own, raid_own_count, visit_sets);
}
