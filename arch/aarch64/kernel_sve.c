/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set sve. */
#include "cpu.h"

#define KERNEL_NAME sve
#define KERNEL_NEEDS "sve"
#define KERNEL_USABLE usable

static bool usable(const struct pxr_cpu *cpu)
{
    return cpu->sve;
}

#include "verbs_sve.h"
#include "kernel_set.inc.h"
