/* SPDX-License-Identifier: BSD-3-Clause */
/* Schedules: making them from matrices of bits, and running them. */
#ifndef PXR_JERASURE_SCHEDULE_H
#define PXR_JERASURE_SCHEDULE_H

#include <stdbool.h>

#include "bits.h"
#include "units.h"

/* The numbers of an operation.  An operation whose source device is -1 ends a schedule. */
enum { JER_FROM, JER_FROM_PACKET, JER_TO, JER_TO_PACKET, JER_XOR, JER_NUMBERS };

/* Makes the schedule of rows of bits.  Each w rows make a device, from `to` on, one device
   after the other.  The columns stand for the packets of the source devices.  NULL: no memory.
 */
int **jer_schedule_make(const struct pxr_bits *bits, int w, int to, bool smart);

/* Runs a schedule on all units of these devices, and counts the work. */
void jer_schedule_run(int **schedule, struct jer_units units, char *const *devices);

#endif
