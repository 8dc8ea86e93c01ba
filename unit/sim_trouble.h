/* SPDX-License-Identifier: BSD-3-Clause */
/* What goes wrong with the members of a simulated array, and how it is repaired. */
#ifndef PXR_UNIT_SIM_TROUBLE_H
#define PXR_UNIT_SIM_TROUBLE_H

#include "sim_world.h"

/*
 * Makes trouble for a member, or repairs a member that had some.  No more than m members have
 * trouble at a time.  The dice are the history's.
 */
void sim_trouble(struct sim_world *world, struct dice *dice);

/* Rot in the data of members, and scrubs that repair it. */
void sim_rot(struct sim_world *world, struct dice *dice);

#endif
