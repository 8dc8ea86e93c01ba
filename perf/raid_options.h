/* SPDX-License-Identifier: BSD-3-Clause */
/* raid_options.h - the command line of raid_perf. */
#ifndef PERF_RAID_OPTIONS_H
#define PERF_RAID_OPTIONS_H

#include <stdbool.h>

#include "setting.h"

enum raid_job {
    JOB_LIBRARIES, /* by ISA-L's names */
    JOB_OWN,       /* functions of permxor.h against baselines */
    JOB_SETS,      /* kernel sets against the first of a list */
    JOB_SPEED      /* one table: kernel sets by functions */
};

#define RAID_MOST_SETS ENGINE_MAX_SUBJECTS

struct raid_options {
    enum raid_job job;
    int jobs;        /* that the command line asks for */
    bool brief;      /* short lists where nothing else is said */
    char **subjects; /* see lineup.h */
    size_t subject_count;
    const char *sets;       /* a list of 2 to RAID_MOST_SETS */
    const char *operations; /* a list of known ones; NULL: what the job is about */
    const char *disks, *lengths, *modes;
    const char *suffix;
    struct setting setting;
};

enum options_verdict raid_options_parse(struct raid_options *options, int argc, char **argv);

#endif
