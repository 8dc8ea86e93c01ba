/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set neon_sha3. */
#define KERNEL_NAME neon_sha3
#define KERNEL_NEEDS "asimd sha3"
#define KERNEL_REQUIRES (PXR_CPU_NEON | PXR_CPU_SHA3)
#define KERNEL_PREFERS PXR_CPU_FAST_EOR3

#define VERBS_SHA3
#include "verbs_neon.h"
#include "kernel_set.inc.h"
