/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * raid_perf - time RAID parity and the scans around it, against another library,
 * against baselines, and one kernel set against another.
 *
 * How the figures come about, and what they mean: doc/perf-method.md.
 */
#include <stdio.h>

#include "raid_session.h"

enum { SUCCESS = 0, RESULTS_DIFFER = 1, NO_MEASUREMENT = 2 };

static const char bytes_counted[] =
    "n*len, of a partial syndrome count*len, of updates and scans len";

static bool run_job(struct raid_session *session)
{
    const struct raid_options *o = &session->options;
    setting_pin(&session->options.setting);
    setting_describe(&o->setting, bytes_counted);
    session->arena.pages = o->setting.pages;
    switch (o->job) {
    case JOB_LIBRARIES:
        return raid_job_libraries(session);
    case JOB_OWN:
        return raid_job_own(session);
    case JOB_SETS:
        return raid_job_sets(session);
    default:
        return raid_job_speed(session);
    }
}

static int run(struct raid_session *session)
{
    bool ran = run_job(session);
    if (ran && session->options.job != JOB_SPEED)
        report_end(&session->report, &session->arena);
    arena_close(&session->arena);
    if (!ran || session->failed)
        return NO_MEASUREMENT;
    return session->results_differ ? RESULTS_DIFFER : SUCCESS;
}

static int run_libraries(struct raid_session *session)
{
    const struct raid_options *o = &session->options;
    if (!lineup_open(&session->lineup, o->subjects, o->subject_count))
        return NO_MEASUREMENT;
    lineup_describe(&session->lineup);
    int status = run(session);
    lineup_close(&session->lineup);
    return status;
}

int main(int argc, char **argv)
{
    static struct raid_session session;
    enum options_verdict verdict = raid_options_parse(&session.options, argc, argv);
    if (verdict != OPTIONS_RUN)
        return verdict == OPTIONS_HELP ? SUCCESS : NO_MEASUREMENT;
    setting_apply(&session.options.setting, argc, argv);
    if (!report_open(&session.report, session.options.setting.csv, &raid_form))
        return NO_MEASUREMENT;
    int status = session.options.job == JOB_LIBRARIES ? run_libraries(&session) : run(&session);
    if (!report_close(&session.report))
        status = NO_MEASUREMENT;
    return status;
}
