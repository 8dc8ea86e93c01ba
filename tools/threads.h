/* SPDX-License-Identifier: BSD-3-Clause */
/* How many threads a run gets when the user does not say. */
#ifndef PXR_TOOLS_THREADS_H
#define PXR_TOOLS_THREADS_H

#include <sched.h>
#include <stddef.h>
#include <stdint.h>

enum { THREADS_MAX = 256 };

struct thread_limits {
    unsigned cpus;   /* one thread for each */
    uint64_t memory; /* bytes that the stripes of all threads may use */
};

/* sched_getaffinity(), or a replacement by a test. */
typedef int affinity_fn(pid_t pid, size_t size, cpu_set_t *set);

/* Returns the number of CPUs that this process may run on, or 1 if that is unknown. */
unsigned threads_cpus(affinity_fn *get);

/*
 * Returns the limits for `cpus` CPUs and `memory` bytes of memory in the machine, and for the
 * control groups that are described below the folder root: see cgroup.h.
 */
struct thread_limits threads_limits(unsigned cpus, uint64_t memory, const char *root);

/* Returns as many threads as fit, but at least one.  A stripe is `shards` cells of `cell`
   bytes. */
unsigned threads_fit(const struct thread_limits *limits, unsigned shards, size_t cell);

/* Does the same for this process. */
unsigned threads_default(unsigned shards, size_t cell);

#endif
