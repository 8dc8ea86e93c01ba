/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set avx512. */
#define KERNEL_NAME avx512
#define KERNEL_NEEDS "avx512f avx512bw bmi2"
#define KERNEL_REQUIRES PXR_CPU_AVX512BW

#include "verbs_avx512.h"
#include "kernel_set.inc.h"
