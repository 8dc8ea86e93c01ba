/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Crashes of a simulated array.
 *
 * A crash decides about every write that is not durable.  Then members are lost: up to m,
 * together with those that the core had already counted as missing.  What is left is assembled
 * as another world and read.  Each block has to hold what the model allows.  During the
 * assembly there may be another crash, with other losses.  After it, each block has to stay as
 * it was read:
 *
 * - after another crash, with other losses, also when members come back that are stale by then;
 * - after the array was stopped, whatever m members are lost then.  This is so only if all
 * parity agrees with the data.
 */
#ifndef PXR_UNIT_SIM_CRASH_H
#define PXR_UNIT_SIM_CRASH_H

#include "sim_world.h"

/* How much is tried at a crash. */
struct sim_effort {
    /* States: if all fates of the writes are at most so many, each, otherwise so many random
       ones. A write is there or not. */
    unsigned states;
    unsigned torn;   /* more states, in which writes are there in part */
    unsigned losses; /* random sets of lost members, or 0 for every set */
    unsigned replay; /* the percentage of the writes of a replay with a crash */
    unsigned stay;   /* the percentage of the assembled arrays that crash again */
    unsigned stop;   /* the percentage that is stopped and read with other losses */
    unsigned kill;   /* the percentage of the crashes at which also only the process ends */
    bool killed;     /* this is such an end: the disks keep their caches */
};

/* Tries crashes at this moment.  The world itself stays as it is, except for its dice. */
void sim_crash_try(struct sim_world *world, const struct sim_effort *effort);

/*
 * Crashes the world, with random fates and losses.  Frees it, and returns the world that
 * follows. If nothing was wrong, the array is assembled and has been read.
 */
struct sim_world *sim_crash_now(struct sim_world *world);

#endif
