/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set neon_sha3. */
#include "cpu.h"

#define KERNEL_NAME neon_sha3
#define KERNEL_NEEDS "asimd sha3"
#define KERNEL_USABLE usable

static bool usable(const struct pxr_cpu *cpu)
{
    return cpu->neon && cpu->sha3;
}

#define KERNEL_PREFERRED preferred
static bool preferred(const struct pxr_cpu *cpu)
{
    return !cpu->narrow_eor3;
}

#define VERBS_SHA3
#include "verbs_neon.h"
#include "kernel_set.inc.h"
