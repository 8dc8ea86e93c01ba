/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * disks.h - members in memory that take their time like disks.
 *
 * A disk moves the bytes of its operations one after the other at its bandwidth, and answers
 * each of them `delay` later, so that any number of delays pass at the same time.  With
 * neither, an operation ends within its call.  Nobody sleeps: whoever drives the core asks
 * disks_answer() again and again.
 */
#ifndef PERF_ARRAY_DISKS_H
#define PERF_ARRAY_DISKS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/member.h"

/* Nanoseconds of the monotonic clock. */
uint64_t disks_clock(void);

struct disk_speed {
    uint64_t delay;     /* nanoseconds */
    uint64_t bandwidth; /* bytes in a second; 0: no limit */
    bool forgets; /* what is written in runs of blocks.  A disk fetches this by itself; here
                     the caller's processor would have to copy it */
};

/* What was asked of all disks. */
struct disk_counts {
    uint64_t reads, writes, flushes;
    uint64_t bytes_read, bytes_written;
};

struct disks;

/* Makes `count` disks of `size` bytes each, which are zeros.  Returns NULL when there is not
   enough memory. */
struct disks *disks_make(unsigned count, uint64_t size, struct disk_speed speed);
void disks_free(struct disks *disks);

struct core_member disks_member(struct disks *disks, unsigned index);
struct disk_counts disks_counts(const struct disks *disks);

/* Ends the operations that are due.  Returns whether there were any. */
bool disks_answer(struct disks *disks, uint64_t now);

#endif
