/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set lasx. */
#include "cpu.h"

#define KERNEL_NAME lasx
#define KERNEL_NEEDS "lasx"
#define KERNEL_USABLE usable

static bool usable(const struct pxr_cpu *cpu)
{
    return cpu->lasx;
}

#define VERBS_LASX
#include "verbs_lsx.h"
#include "kernel_set.inc.h"
