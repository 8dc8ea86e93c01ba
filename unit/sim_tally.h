/* SPDX-License-Identifier: BSD-3-Clause */
/* What the simulator has counted, and what it has found wrong. */
#ifndef PXR_UNIT_SIM_TALLY_H
#define PXR_UNIT_SIM_TALLY_H

#include <stdbool.h>
#include <stdint.h>

struct sim_tally {
    uint64_t histories;  /* each begins with an empty array */
    uint64_t operations; /* that were submitted */
    uint64_t crashes;    /* points in time at which crashes were tried */
    uint64_t states;     /* what a crash left on all members: outcomes of the writes */
    uint64_t losses;     /* states times sets of lost members: each was assembled and read */
    uint64_t replays;    /* crashes during the assembly, or after it */
    uint64_t refusals;   /* assemblies that members which had been lost before prevented */
    uint64_t blocks;     /* that were read and compared */
    uint64_t faults;     /* that were injected: errors, flips, lost and misdirected writes */
    uint64_t changes;    /* members that failed, came back, or were replaced */
    uint64_t comebacks;  /* members that came back with what they had */
    uint64_t scrubs;
    uint64_t healed;      /* members that were sound after a scrub, and had rot before it */
    uint64_t wrong;       /* has to be 0 */
    bool told;            /* whether sim_note() prints */
    char about[160];      /* what is running, so that a message can say how to repeat it */
    char first_wrong[64]; /* the kind of the first thing that was wrong */
};

/*
 * Counts something wrong, and prints it if few were printed before.  `kind` is a word or two:
 * "a wrong value", "a hang".  The message goes on behind it.
 */
void sim_wrong(struct sim_tally *tally, const char *kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints what happens, if that is wanted. */
void sim_note(const struct sim_tally *tally, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints the numbers in a line, with the seconds of this process. */
void sim_tally_print(const struct sim_tally *tally, const char *title);

#endif
