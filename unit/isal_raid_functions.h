/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ISA-L's RAID functions as a table, so that a test can go through all of them, here
 * and in another library.
 */
#ifndef PXR_UNIT_ISAL_RAID_FUNCTIONS_H
#define PXR_UNIT_ISAL_RAID_FUNCTIONS_H

#include <stdbool.h>

typedef int isal_raid_fn(int vects, int len, void **array);

struct isal_raid_function {
    const char *name;
    unsigned parities; /* among the buffers: 1 is P, 2 is P and Q */
    bool checks;       /* it checks them and does not write */
    int least;         /* the smallest number of vects */
    int multiple;      /* of which len must be a multiple */
    isal_raid_fn *ours;
};

/* Ends with a NULL name. */
extern const struct isal_raid_function isal_raid_functions[];

#endif
