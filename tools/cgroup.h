/* SPDX-License-Identifier: BSD-3-Clause */
/* The limits that the control groups of this process set. */
#ifndef PXR_TOOLS_CGROUP_H
#define PXR_TOOLS_CGROUP_H

#include <stdint.h>

struct cgroup_limits {
    unsigned cpus;   /* the CPU quota, rounded up to whole CPUs */
    uint64_t memory; /* bytes */
};

/*
 * Returns the narrowest limits of the groups that root/proc/self/cgroup names and of their
 * parents, in version 2 and version 1.  A limit that does not exist is UINT_MAX or UINT64_MAX.
 * root is "" except in tests.
 */
struct cgroup_limits cgroup_limits(const char *root);

#endif
