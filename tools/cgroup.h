/* SPDX-License-Identifier: BSD-3-Clause */
/* What the control groups of this process leave it. */
#ifndef PXR_TOOLS_CGROUP_H
#define PXR_TOOLS_CGROUP_H

#include <stdint.h>

struct cgroup_limits {
    unsigned cpus;   /* the CPU quota, rounded up to whole CPUs */
    uint64_t memory; /* bytes */
};

/*
 * The narrowest limits of the groups that root/proc/self/cgroup names and of
 * their parents, in version 2 and version 1; UINT_MAX and UINT64_MAX where there
 * is none.  root is "" but in tests.
 */
struct cgroup_limits cgroup_limits(const char *root);

#endif
