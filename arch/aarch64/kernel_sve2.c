/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set sve2. */
#include "cpu.h"

#define KERNEL_NAME sve2
#define KERNEL_NEEDS "sve2"
#define KERNEL_USABLE usable

static bool usable(const struct pxr_cpu *cpu)
{
    return cpu->sve2;
}

#define VERBS_SVE2
#include "verbs_sve.h"
#include "kernel_set.inc.h"
