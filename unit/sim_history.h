/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Small histories: words over an alphabet of operations on two stripes.  At each write of a
 * member, crashes are tried.
 */
#ifndef PXR_UNIT_SIM_HISTORY_H
#define PXR_UNIT_SIM_HISTORY_H

#include "sim_crash.h"

/* The letters; sim_history.c says what each does. */
extern const char sim_letters[];

enum { SIM_WORD_MOST = 7 };

struct sim_history {
    const char *word; /* of letters */
    bool together;    /* all operations are under way at once; otherwise one after the other */
    uint64_t seed;    /* of the order of the answers, and of everything random */
};

/* Runs a history.  Whatever is wrong goes into the tally of the setup. */
void sim_history_run(const struct sim_setup *setup, const struct sim_history *history,
                     const struct sim_effort *effort);

/*
 * Runs each word of this length, or so many random ones, with its operations in turn and
 * together. Ends when something is wrong.
 */
void sim_history_all(const struct sim_setup *setup, unsigned length, uint64_t seed,
                     const struct sim_effort *effort);
void sim_history_some(const struct sim_setup *setup, unsigned length, unsigned count,
                      uint64_t seed, const struct sim_effort *effort);

#endif
