/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set avx2_gfni. */
#define KERNEL_NAME avx2_gfni
#define KERNEL_NEEDS "avx2 gfni"
#define KERNEL_REQUIRES (PXR_CPU_AVX2 | PXR_CPU_GFNI)

#define VERBS_GFNI
#include "verbs_avx2.h"
#include "kernel_set.inc.h"
