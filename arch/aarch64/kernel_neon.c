/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set neon. */
#include "cpu.h"

#define KERNEL_NAME neon
#define KERNEL_NEEDS "asimd"
#define KERNEL_USABLE usable

static bool usable(const struct pxr_cpu *cpu)
{
    return cpu->neon;
}

#include "verbs_neon.h"
#include "kernel_set.inc.h"
