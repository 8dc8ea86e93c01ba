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
    uint64_t memory; /* bytes that the stripes of all threads may take */
};

/* sched_getaffinity(), or a test's own. */
typedef int affinity_fn(pid_t pid, size_t size, cpu_set_t *set);

/* CPUs that this process may run on; 1 when that cannot be found out. */
unsigned threads_cpus(affinity_fn *get);

/*
 * The limits for `cpus` CPUs and `memory` bytes of memory in the machine, and
 * the control groups described below the folder root: see cgroup.h.
 */
struct thread_limits threads_limits(unsigned cpus, uint64_t memory, const char *root);

/* As many threads as fit, but at least one; a stripe is so many cells. */
unsigned threads_fit(const struct thread_limits *limits, unsigned shards, size_t cell);

/* The same for this process. */
unsigned threads_default(unsigned shards, size_t cell);

#endif
