/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks at what is on the disks of an array that was stopped, without the core. */
#ifndef PXR_UNIT_SIM_VERIFY_H
#define PXR_UNIT_SIM_VERIFY_H

#include "sim_world.h"

/*
 * Checks every row of the regions that were written: each block of these roles has the checksum
 * that its disk has for it, and if that is all roles, the parity is what the reference's
 * arithmetic makes of the data, and the data are what the model says.
 */
void sim_verify(struct sim_world *world, pxa_mask roles);

#endif
