/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two libraries of jerasure: this build's and the system's.  Each library has devices of its
 * own, which begin with the same bytes as the other's.  The functions below also check what
 * must be equal afterwards.
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

/* Opens both libraries and allocates their devices.  Returns false if the system has no
   jerasure; the test is then skipped by name. */
bool pair_open(void);

/* Fills the devices with random bytes, the same in both libraries. */
void fill_devices(int k, int m, int size);

static inline char **data_of(int side)
{
    return devices.region[side];
}

static inline char **coding_of(int side)
{
    return devices.region[side] + devices.k;
}

/* Overwrites the lost devices, with the same bytes in both libraries.  -1 ends the list. */
void lose(const int *erasures);

/* Checks that the devices, and the libraries' statistics, are equal. */
void same_devices(void);

/* Checks that two arrays of ints that the libraries returned are equal, and frees them. */
void same_ints(int *got, int *want, size_t count);

/* Checks that two schedules have the same operations. */
void same_schedules(int **got, int **want);

/* Writes random elements of GF(2^w). */
void fill_numbers(int *numbers, int count, int w);

#endif
