/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set avx2_gfni. */
#include "cpu.h"

#define KERNEL_NAME avx2_gfni
#define KERNEL_NEEDS "avx2 gfni"
#define KERNEL_USABLE usable

static bool usable(const struct pxr_cpu *cpu)
{
    return cpu->avx2 && cpu->gfni;
}

#define VERBS_GFNI
#include "verbs_avx2.h"
#include "kernel_set.inc.h"
