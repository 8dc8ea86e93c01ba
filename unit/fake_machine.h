/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fake_machine.h - a machine whose clock is a number, for the tests of the measuring engine.
 * The test decides how long subjects take and how the system disturbs them, so nothing depends
 * on real time.
 */
#ifndef PXR_UNIT_FAKE_MACHINE_H
#define PXR_UNIT_FAKE_MACHINE_H

#include "../perf/engine.h"

/* One batch that the engine asked for. */
struct fake_batch {
    unsigned subject;
    size_t calls;
    double start; /* time on the clock */
};

#define FAKE_LOG 20000

extern struct fake_machine {
    double now;
    struct noise_look look; /* what the system would report, except `now` */

    /* After each `run_for` seconds of running, other programs have the core for `away`
       seconds. */
    double run_for, away;
    bool stolen;   /* the hypervisor takes the core, not the system */
    double others; /* cores busy with other work */

    size_t batches; /* the number of all batches; the log holds the first ones */
    struct fake_batch log[FAKE_LOG];
} fake_machine;

/* The factor by which a call takes longer than usual in the subject's batch number n.  This
   batch begins at time `now`. */
typedef double fake_factor(size_t n, double now);

struct fake_subject {
    double seconds; /* that a call takes */
    fake_factor *factor;
    unsigned number;
    size_t batches; /* so far */
};

engine_batch fake_run;

/* Starts a quiet machine.  Returns the engine's defaults, except that the engine reads the
   clock and the noise of this machine. */
struct engine_options fake_machine_start(void);

/* The next of a sequence of numbers from 0 to below 1.  The sequence is the same in every
   run. */
double fake_random(void);

#endif
