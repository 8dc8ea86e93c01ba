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
    unsigned parities; /* of the buffers: 1, P, or 2, P and Q */
    bool checks;       /* instead of writing them */
    int least;         /* of vects */
    int multiple;      /* that len has to be of */
    isal_raid_fn *ours;
};

/* Ends with a NULL name. */
extern const struct isal_raid_function isal_raid_functions[];

#endif
