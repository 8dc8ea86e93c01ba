/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set ssse3. */
#include "config.h"

#define KERNEL_NAME ssse3
#define KERNEL_NEEDS "ssse3"
#define KERNEL_REQUIRES PXR_CPU_SSSE3

#include "verbs_ssse3.h"
#ifdef PXR_HAVE_ASM
#include "gf_dot_prod.h"
#define DOT_BULK(n) pxr_dot_ssse3_##n
#define DOT_BULK_AHEAD(n) pxr_dot_ssse3_##n##_ahead
#endif
#include "kernel_set.inc.h"
