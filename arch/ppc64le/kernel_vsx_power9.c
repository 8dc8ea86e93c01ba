/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set vsx_power9. */
#include "cpu.h"

#define KERNEL_NAME vsx_power9
#define KERNEL_NEEDS "ISA 3.0 vcrypto"
#define KERNEL_USABLE usable

static bool usable(const struct pxr_cpu *cpu)
{
    return cpu->vpermxor && cpu->power9;
}

#define VERBS_POWER9
#include "verbs_vsx.h"
#include "kernel_set.inc.h"
