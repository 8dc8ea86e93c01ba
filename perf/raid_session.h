/* SPDX-License-Identifier: BSD-3-Clause */
/* raid_session.h - what the jobs of raid_perf have in common. */
#ifndef PERF_RAID_SESSION_H
#define PERF_RAID_SESSION_H

#include "raid_options.h"
#include "raid_subject.h"
#include "report.h"

struct raid_session {
    struct raid_options options;
    struct library library[2];
    struct arena arena;
    struct report report;
    bool results_differ;
    bool failed;
};

typedef void raid_visitor(struct raid_session *session, const struct raid_op *op,
                          const struct raid_shape *shape);

/* Calls `visit` for each combination of the lists' disks, lengths and modes; false, with
   a message, where there is no such mode. */
bool raid_each_shape(struct raid_session *session, const struct raid_op *op,
                     raid_visitor *visit);

/* Two subjects, A and B. */
struct raid_pair {
    struct raid_subject subject[2];
    const char *variant, *against; /* how the table calls A and B */
    bool judged; /* A and B do not do the same work: each is held against the portable set */
};

/* Compare a pair's results, time it, and report it; refused: NULL, or why not. */
void raid_pair_run(struct raid_session *session, struct raid_pair *pair,
                   const struct raid_shape *shape, const char *refused);

/* The jobs: false when the command line was wrong. */
bool raid_job_libraries(struct raid_session *session);
bool raid_job_own(struct raid_session *session);
bool raid_job_sets(struct raid_session *session);
bool raid_job_speed(struct raid_session *session);

extern const struct report_form raid_form;

#endif
