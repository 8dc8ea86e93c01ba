/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set rvv. */
#include "cpu.h"

#define KERNEL_NAME rvv
#define KERNEL_NEEDS "v"
#define KERNEL_USABLE usable

static bool usable(const struct pxr_cpu *cpu)
{
    return cpu->rvv;
}

#include "verbs_rvv.h"
#include "kernel_set.inc.h"
