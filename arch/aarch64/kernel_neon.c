/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set neon. */
#define KERNEL_NAME neon
#define KERNEL_NEEDS "asimd"
#define KERNEL_REQUIRES PXR_CPU_NEON

#include "verbs_neon.h"
#include "kernel_set.inc.h"
