/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set avx2. */
#include "config.h"

#define KERNEL_NAME avx2
#define KERNEL_NEEDS "avx2"
#define KERNEL_REQUIRES PXR_CPU_AVX2

#include "verbs_avx2.h"
#ifdef PXR_HAVE_ASM
#include "gf_dot_prod.h"
#define DOT_BULK(n) pxr_dot_avx2_##n
#define DOT_BULK_AHEAD(n) pxr_dot_avx2_##n##_ahead
#endif
#include "kernel_set.inc.h"
