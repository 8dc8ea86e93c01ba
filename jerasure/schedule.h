/* SPDX-License-Identifier: BSD-3-Clause */
/* Schedules: made from matrices of bits, and run. */
#ifndef PXR_JERASURE_SCHEDULE_H
#define PXR_JERASURE_SCHEDULE_H

#include <stdbool.h>

#include "bits.h"
#include "units.h"

/* The numbers of an operation; an operation whose source device is -1 ends a schedule. */
enum { JER_FROM, JER_FROM_PACKET, JER_TO, JER_TO_PACKET, JER_XOR, JER_NUMBERS };

/* The schedule of rows of bits, of which each w make the device at `to`, one after the other,
   from the devices that the columns are of.  NULL: no memory. */
int **jer_schedule_make(const struct pxr_bits *bits, int w, int to, bool smart);

/* Runs a schedule on all units of these devices, and counts what it takes. */
void jer_schedule_run(int **schedule, struct jer_units units, char *const *devices);

#endif
