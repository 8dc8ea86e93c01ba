/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "threads.h"

#include "cgroup.h"

#include <errno.h>
#include <unistd.h>

/*
 * The stripes of a default run take at most 1 GiB, and at most a quarter of the available
 * memory.  The rest is for the page cache of the file and the shards.
 */
#define MEMORY_MOST (UINT64_C(1) << 30)
enum { MEMORY_SHARE = 4 };

/* Sizes of CPU sets, from the usual size up to one that no kernel has. */
enum { CPUS_FIRST = 1024, CPUS_LAST = 1 << 20 };

unsigned threads_cpus(affinity_fn *get)
{
    for (int room = CPUS_FIRST; room <= CPUS_LAST; room *= 2) {
        cpu_set_t *set = CPU_ALLOC(room);
        size_t size = CPU_ALLOC_SIZE(room);
        if (set == NULL)
            return 1;
        CPU_ZERO_S(size, set);
        int result = get(0, size, set), error = errno;
        int count = result == 0 ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (count > 0)
            return (unsigned)count;
        if (error != EINVAL) /* EINVAL: the set is too small */
            return 1;
    }
    return 1;
}

struct thread_limits threads_limits(unsigned cpus, uint64_t memory, const char *root)
{
    struct cgroup_limits group = cgroup_limits(root);
    struct thread_limits limits = {.cpus = cpus < group.cpus ? cpus : group.cpus};
    uint64_t least = memory < group.memory ? memory : group.memory;
    limits.memory = least / MEMORY_SHARE < MEMORY_MOST ? least / MEMORY_SHARE : MEMORY_MOST;
    return limits;
}

unsigned threads_fit(const struct thread_limits *limits, unsigned shards, size_t cell)
{
    uint64_t stripe = (uint64_t)shards * cell;
    uint64_t most = stripe > 0 ? limits->memory / stripe : THREADS_MAX;
    if (most > limits->cpus)
        most = limits->cpus;
    if (most > THREADS_MAX)
        most = THREADS_MAX;
    return most > 0 ? (unsigned)most : 1;
}

/* In 64 bits, because 32-bit programs run on machines with more memory. */
static uint64_t machine_bytes(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
}

unsigned threads_default(unsigned shards, size_t cell)
{
    struct thread_limits limits =
        threads_limits(threads_cpus(sched_getaffinity), machine_bytes(), "");
    return threads_fit(&limits, shards, cell);
}
