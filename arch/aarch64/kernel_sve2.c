/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set sve2. */
#define KERNEL_NAME sve2
#define KERNEL_NEEDS "sve2"
#define KERNEL_REQUIRES PXR_CPU_SVE2

#define VERBS_SVE2
#include "verbs_sve.h"
#include "kernel_set.inc.h"
