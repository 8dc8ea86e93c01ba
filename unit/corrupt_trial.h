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
    TRIAL_DECODED,  /* decode succeeded, before any repair */
    TRIAL_REFUSED,  /* decode failed */
    TRIAL_OWED,     /* decode had to succeed (facts.must_decode) */
    TRIAL_SALVAGED, /* decode --salvage wrote what was left of the file */
    TRIAL_HEALED,   /* repair succeeded completely */
    TRIAL_FORGED,   /* the bytes were not judged (facts.honest) */
    TRIAL_COUNTS
};

struct trial {
    uint64_t seed, number;
    const char *root; /* the folder in which the commands work */
    const struct original *set, *other;
    struct folder folder;
    enum choice choice;
    struct facts facts;
    struct dice dice;
    struct command command;
    char story[STORY];
    uint64_t count[TRIAL_COUNTS];
    bool failed; /* this case has failed, and the failure was printed */
};

/* Runs the commands on a folder that has been corrupted, and judges them. */
void trial_run(struct trial *trial);

/* Prints that the case has failed, and why.  Only the first failure of a case is printed. */
void trial_fail(struct trial *trial, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
