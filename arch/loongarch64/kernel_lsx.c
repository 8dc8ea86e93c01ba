/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set lsx. */
#include "cpu.h"

#define KERNEL_NAME lsx
#define KERNEL_NEEDS "lsx"
#define KERNEL_USABLE usable

static bool usable(const struct pxr_cpu *cpu)
{
    return cpu->lsx;
}

#include "verbs_lsx.h"
#include "kernel_set.inc.h"
