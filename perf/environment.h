/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * environment.h - hold still what the operating system would otherwise vary
 * from run to run: the core and the addresses.
 */
#ifndef PERF_ENVIRONMENT_H
#define PERF_ENVIRONMENT_H

#include <stdbool.h>

/*
 * Of the cores allowed: the highest-numbered (the lowest usually serves the
 * interrupts), or the lowest, which is the one that /proc/cpuinfo begins with
 * where several kinds of cores are mixed.
 */
enum { ENVIRONMENT_LAST = -1, ENVIRONMENT_FIRST = -2 };

/* Bind the calling thread to one core: a number, or one of the above.
   Returns the core, or -1 when refused. */
int environment_pin(int cpu);

/*
 * Where the stack and the libraries lie changes which lines share a cache set,
 * and so the speed, from one start to the next.  Execute this program again
 * with address-space randomisation off, unless it is off already.  Does not
 * return when it does so.  Returns whether randomisation is off; false means
 * that the system refused.
 */
bool environment_fix_addresses(char **argv);

#endif
