/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set avx512_gfni. */
#include "cpu.h"

#define KERNEL_NAME avx512_gfni
#define KERNEL_NEEDS "avx512f avx512bw gfni"
#define KERNEL_USABLE usable

static bool usable(const struct pxr_cpu *cpu)
{
    return cpu->avx512bw && cpu->gfni;
}

#define VERBS_GFNI
#include "verbs_avx512.h"
#include "kernel_set.inc.h"
