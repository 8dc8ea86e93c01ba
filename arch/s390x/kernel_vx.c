/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set vx. */
#define KERNEL_NAME vx
#define KERNEL_NEEDS "vx"
#define KERNEL_REQUIRES PXR_CPU_VX

#include "verbs_vx.h"
#include "kernel_set.inc.h"
