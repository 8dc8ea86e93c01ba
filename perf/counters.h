/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counters.h - what the processor counts for the calling thread: cycles and retired
 * instructions, in user space.
 *
 * Cycles tell a slow clock from slow code, and instructions hardly vary from run to run.
 * Many virtual machines offer no counters, and a system may forbid their use: then
 * nothing is read, and the results say 0, not known.
 */
#ifndef PERF_COUNTERS_H
#define PERF_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Two kinds of events that are counted at the same times, in linux/perf_event.h's numbers. */
struct counters_events {
    uint32_t type;
    uint64_t first, second;
};

/* Cycles and instructions. */
extern const struct counters_events counters_processor;

struct counts {
    double first, second;
};

struct counters {
    int leader, member; /* file descriptors */
};

/* Count for the calling thread from now on.  False, with errno set, where that is refused;
   the object can be read and closed then, too. */
bool counters_open(struct counters *counters, const struct counters_events *events);
void counters_close(struct counters *counters);

/* What was counted since they were opened; false where they did not count all the time. */
bool counters_read(const struct counters *counters, struct counts *counts);

/* One line: whether the processor's events are counted here, otherwise why not. */
void counters_describe(FILE *out);

#endif
