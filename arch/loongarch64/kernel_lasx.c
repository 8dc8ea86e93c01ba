/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set lasx. */
#define KERNEL_NAME lasx
#define KERNEL_NEEDS "lasx"
#define KERNEL_REQUIRES PXR_CPU_LASX

#define VERBS_LASX
#include "verbs_lsx.h"
#include "kernel_set.inc.h"
