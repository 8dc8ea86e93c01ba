/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set vx. */
#include "cpu.h"

#define KERNEL_NAME vx
#define KERNEL_NEEDS "vx"
#define KERNEL_USABLE usable

static bool usable(const struct pxr_cpu *cpu)
{
    return cpu->vx;
}

#include "verbs_vx.h"
#include "kernel_set.inc.h"
