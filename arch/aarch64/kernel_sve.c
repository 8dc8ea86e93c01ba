/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set sve. */
#define KERNEL_NAME sve
#define KERNEL_NEEDS "sve"
#define KERNEL_REQUIRES PXR_CPU_SVE

#include "verbs_sve.h"
#include "kernel_set.inc.h"
