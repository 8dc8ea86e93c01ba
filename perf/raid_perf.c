/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * raid_perf - time RAID parity and the scans around it: libraries side by side,
 * functions against baselines, and kernel sets against one another.
 *
 * How the figures come about, and what they mean: doc/perf-method.md.
 */
#include <stdio.h>

#include "raid_session.h"

enum { SUCCESS = 0, RESULTS_DIFFER = 1, NO_MEASUREMENT = 2 };

static const char bytes_counted[] =
    "n*len, of a partial syndrome count*len, of updates and scans len";

/* Whether what the command line names can be had. */
static bool find_subjects(struct raid_session *session)
{
    const struct raid_options *o = &session->options;
    switch (o->job) {
    case JOB_LIBRARIES:
        return lineup_open(&session->lineup, o->subjects, o->subject_count);
    case JOB_SETS:
        return raid_sets_parse(o->sets);
    default:
        return true;
    }
}

static void run_job(struct raid_session *session)
{
    switch (session->options.job) {
    case JOB_LIBRARIES:
        raid_job_libraries(session);
        break;
    case JOB_OWN:
        raid_job_own(session);
        break;
    case JOB_SETS:
        raid_job_sets(session);
        break;
    case JOB_SPEED:
        raid_job_speed(session);
        break;
    }
}

static int run(struct raid_session *session)
{
    if (session->options.job == JOB_LIBRARIES)
        lineup_describe(&session->lineup);
    setting_pin(&session->options.setting);
    setting_describe(&session->options.setting);
    setting_describe_shards(&session->options.setting, bytes_counted);
    session->arena.pages = session->options.setting.pages;
    run_job(session);
    report_end(&session->report, &session->arena);
    arena_close(&session->arena);
    if (session->report.failed)
        return NO_MEASUREMENT;
    return session->results_differ ? RESULTS_DIFFER : SUCCESS;
}

int main(int argc, char **argv)
{
    static struct raid_session session;
    enum options_verdict verdict = raid_options_parse(&session.options, argc, argv);
    if (verdict != OPTIONS_RUN)
        return verdict == OPTIONS_HELP ? SUCCESS : NO_MEASUREMENT;
    setting_apply(&session.options.setting, argc, argv);
    if (!find_subjects(&session))
        return NO_MEASUREMENT;
    int status = NO_MEASUREMENT;
    if (report_open(&session.report, session.options.setting.csv, &raid_form)) {
        status = run(&session);
        if (!report_close(&session.report))
            status = NO_MEASUREMENT;
    }
    lineup_close(&session.lineup);
    return status;
}
