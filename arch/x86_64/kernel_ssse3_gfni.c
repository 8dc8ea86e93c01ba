/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set ssse3_gfni. */
#define KERNEL_NAME ssse3_gfni
#define KERNEL_NEEDS "ssse3 gfni"
#define KERNEL_REQUIRES (PXR_CPU_SSSE3 | PXR_CPU_GFNI)

#define VERBS_GFNI
#include "verbs_ssse3.h"
#include "kernel_set.inc.h"
