/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.h - what a reader must know about the machine to judge a figure. */
#ifndef PERF_MACHINE_H
#define PERF_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

/* Copies the value of the first line "name : value" of /proc/cpuinfo.  Returns false where
   there is none. */
bool machine_cpuinfo(const char *name, char *value, size_t size);

/* Bytes of the data cache of this level that `cpu` uses, 0 when unknown. */
size_t machine_cache(int cpu, int level);

/* Bytes of the largest data cache that `cpu` uses, 0 when unknown. */
size_t machine_last_cache(int cpu);

/* Bytes of memory that this process may use: those of the machine, or the limit of its
   container where that is less.  SIZE_MAX when unknown. */
size_t machine_memory(void);

/* Print the description, one "name: value" per line: CPU model, vector features, caches,
   kernel, governor, load. */
void machine_describe(int cpu);

#endif
