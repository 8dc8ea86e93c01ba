/* SPDX-License-Identifier: BSD-3-Clause */
/* raid_session.h - what the jobs of raid_perf have in common. */
#ifndef PERF_RAID_SESSION_H
#define PERF_RAID_SESSION_H

#include "lineup.h"
#include "raid_options.h"
#include "raid_subject.h"
#include "report.h"

struct raid_session {
    struct raid_options options;
    struct lineup lineup; /* of libraries */
    struct arena arena;
    struct report report;
    bool results_differ;
};

typedef void raid_visitor(struct raid_session *session, const struct raid_op *op,
                          const struct raid_shape *shape);

/* Calls `visit` for each combination of the lists' disks, lengths and modes. */
void raid_each_shape(struct raid_session *session, const struct raid_op *op,
                     raid_visitor *visit);

/* Subjects on one shape, the reference first. */
struct raid_lineup {
    const char *variant; /* how the table calls what they have in common */
    size_t count;
    struct raid_subject subject[ENGINE_MAX_SUBJECTS];
    bool judged; /* each is held against the portable set, not against the reference */
};

/* Compare the results and time those that agree: the row and its figures.  NULL, or the
   reason why that was not done. */
const char *raid_lineup_measure(struct raid_session *session, struct raid_lineup *lineup,
                                const struct raid_shape *shape,
                                const struct engine_options *engine, struct row *row,
                                struct engine_result *result);

/* The same, and report it. */
void raid_lineup_run(struct raid_session *session, struct raid_lineup *lineup,
                     const struct raid_shape *shape);

/* Takes --sets apart; false, with a message, where a set does not run here. */
bool raid_sets_parse(const char *sets);

/* The jobs. */
void raid_job_libraries(struct raid_session *session);
void raid_job_own(struct raid_session *session);
void raid_job_sets(struct raid_session *session);
void raid_job_speed(struct raid_session *session);

extern const struct report_form raid_form;

#endif
