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
    double start; /* on the clock */
};

#define FAKE_LOG 20000

extern struct fake_machine {
    double now;
    struct noise_look look; /* as the system would tell it, but for `now` */

    /* After each `run_for` seconds of running, others have the core for `away`. */
    double run_for, away;
    bool stolen;   /* by the hypervisor, not by the system */
    double others; /* cores busy with other work */

    size_t batches; /* all of them; the log holds the first ones */
    struct fake_batch log[FAKE_LOG];
} fake_machine;

/* By how many times as much as usual a call takes in the subject's batch number n, which begins
   at time `now`. */
typedef double fake_factor(size_t n, double now);

struct fake_subject {
    double seconds; /* of a call */
    fake_factor *factor;
    unsigned number;
    size_t batches; /* so far */
};

engine_batch fake_run;

/* A quiet machine, and the engine's defaults but for what it reads. */
struct engine_options fake_machine_start(void);

/* Numbers from 0 to below 1, the same ones in every run. */
double fake_random(void);

#endif
