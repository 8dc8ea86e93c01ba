/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jerasure twice: this build's and the system's.  There are devices for each that begin with
 * the same bytes, and checks of what must be equal afterwards.
 */
#ifndef PXR_UNIT_JERASURE_PAIR_H
#define PXR_UNIT_JERASURE_PAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "jerasure_library.h"

static const struct jerasure_library *const ours = &jerasure_ours;
extern struct jerasure_library theirs;

#define MOST_DEVICES 24
#define MOST_BYTES (64 << 10)

/* The first k+m devices of both libraries hold `size` bytes. */
extern struct devices {
    char *region[2][MOST_DEVICES];
    int k, m, size;
} devices;

/* Both libraries and their devices; false where the system has no jerasure, and the test is
   skipped by name. */
bool pair_open(void);

/* Random bytes, the same in both. */
void fill_devices(int k, int m, int size);

static inline char **data_of(int side)
{
    return devices.region[side];
}

static inline char **coding_of(int side)
{
    return devices.region[side] + devices.k;
}

/* Other bytes than before where something is lost, the same in both libraries; -1 ends the
   list. */
void lose(const int *erasures);

/* Checks that the devices, and the libraries' statistics, are equal. */
void same_devices(void);

/* Checks that two arrays of ints that the libraries returned are equal, and frees them. */
void same_ints(int *got, int *want, size_t count);

/* Checks that two schedules have the same operations. */
void same_schedules(int **got, int **want);

/* Random elements of GF(2^w). */
void fill_numbers(int *numbers, int count, int w);

#endif
