/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set vsx_power10. */
#include "cpu.h"

#define KERNEL_NAME vsx_power10
#define KERNEL_NEEDS "ISA 3.1 vcrypto"
#define KERNEL_USABLE usable

static bool usable(const struct pxr_cpu *cpu)
{
    return cpu->vpermxor && cpu->power10;
}

#include "verbs_vsx_power10.h"
#include "kernel_set.inc.h"
