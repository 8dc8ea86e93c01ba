/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set avx512. */
#include "cpu.h"

#define KERNEL_NAME avx512
#define KERNEL_NEEDS "avx512f avx512bw"
#define KERNEL_USABLE usable

static bool usable(const struct pxr_cpu *cpu)
{
    return cpu->avx512bw;
}

#include "verbs_avx512.h"
#include "kernel_set.inc.h"
