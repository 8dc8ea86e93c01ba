/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set vsx. */
#include "cpu.h"

#define KERNEL_NAME vsx
#define KERNEL_NEEDS "ISA 2.07 vcrypto"
#define KERNEL_USABLE usable

static bool usable(const struct pxr_cpu *cpu)
{
    return cpu->vpermxor;
}

#include "verbs_vsx.h"
#include "kernel_set.inc.h"
