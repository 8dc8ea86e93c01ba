/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * environment.h - hold still what the operating system would otherwise vary from run to run:
 * the core and the addresses.
 */
#ifndef PERF_ENVIRONMENT_H
#define PERF_ENVIRONMENT_H

#include <stdbool.h>

/*
 * Values for environment_pin() besides the number of a core.  ENVIRONMENT_LAST is the
 * highest-numbered of the cores that the thread may use, since the lowest usually serves the
 * interrupts.  ENVIRONMENT_FIRST is the lowest, with which /proc/cpuinfo begins where several
 * kinds of cores are mixed.
 */
enum { ENVIRONMENT_LAST = -1, ENVIRONMENT_FIRST = -2 };

/* Bind the calling thread to one core, given by its number or by one of the values above.
   Returns the core, or -1 when the system refuses. */
int environment_pin(int cpu);

/*
 * Execute this program again with address-space randomisation off, unless it is off already.
 * The addresses of the stack and of the libraries decide which lines share a cache set, and so
 * they change the speed from one start to the next.  What is mapped afterwards does not lie at
 * the end of the address space.  Does not return when it executes the program again.  Otherwise
 * returns whether randomisation is off; false means that the system refused.
 */
bool environment_fix_addresses(char **argv);

#endif
