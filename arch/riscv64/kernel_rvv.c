/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set rvv. */
#define KERNEL_NAME rvv
#define KERNEL_NEEDS "v"
#define KERNEL_REQUIRES PXR_CPU_RVV

#include "verbs_rvv.h"
#include "kernel_set.inc.h"
