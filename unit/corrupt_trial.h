/* SPDX-License-Identifier: BSD-3-Clause */
/* One case: a corrupted folder, the commands that are run on it, and what they must do. */
#ifndef PXR_UNIT_CORRUPT_TRIAL_H
#define PXR_UNIT_CORRUPT_TRIAL_H

#include "corrupt_command.h"
#include "corrupt_facts.h"
#include "corrupt_ops.h"

enum trial_count {
    TRIAL_CASES,
    TRIAL_FAILED,
    TRIAL_COMMANDS,
    TRIAL_DECODED,  /* before any repair */
    TRIAL_REFUSED,  /* decode gave an error instead */
    TRIAL_OWED,     /* cases in which decoding had to succeed */
    TRIAL_SALVAGED, /* some of the file */
    TRIAL_HEALED,   /* by repair, completely */
    TRIAL_FORGED,   /* cases whose bytes are not judged: see facts.honest */
    TRIAL_COUNTS
};

struct trial {
    uint64_t seed, number;
    const char *root; /* the folder for it all */
    const struct original *set, *other;
    struct folder folder;
    enum choice choice;
    struct facts facts;
    struct dice dice;
    struct command command;
    char story[STORY];
    uint64_t count[TRIAL_COUNTS];
    bool failed; /* and told so */
};

/* Run the commands on a folder that has been corrupted, and judge them. */
void trial_run(struct trial *trial);

/* Tell that the case has failed, once. */
void trial_fail(struct trial *trial, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
