/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counters.h - what the processor counts for the calling thread: cycles and retired
 * instructions, in user space.
 *
 * Cycles tell a slow clock from slow code, and the number of instructions hardly varies from
 * run to run.  Many virtual machines offer no counters, and a system may forbid their use.
 * Nothing is read then, and the results say 0, which means not known.
 */
#ifndef PERF_COUNTERS_H
#define PERF_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Two kinds of events that are counted at the same time, by linux/perf_event.h's numbers. */
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

/* Count for the calling thread from now on.  Returns false, with errno set, where the system
   refuses; counters_read() and counters_close() may be called even then. */
bool counters_open(struct counters *counters, const struct counters_events *events);
void counters_close(struct counters *counters);

/* What was counted since the counters were opened.  Returns false where they did not count all
   the time. */
bool counters_read(const struct counters *counters, struct counts *counts);

/* Print one line: that the processor's events are counted here, or why they are not. */
void counters_describe(FILE *out);

#endif
