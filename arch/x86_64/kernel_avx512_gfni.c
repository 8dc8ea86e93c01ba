/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set avx512_gfni. */
#define KERNEL_NAME avx512_gfni
#define KERNEL_NEEDS "avx512f avx512bw bmi2 gfni"
#define KERNEL_REQUIRES (PXR_CPU_AVX512BW | PXR_CPU_GFNI)

#define VERBS_GFNI
#include "verbs_avx512.h"
#include "kernel_set.inc.h"
