/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set lsx. */
#define KERNEL_NAME lsx
#define KERNEL_NEEDS "lsx"
#define KERNEL_REQUIRES PXR_CPU_LSX

#include "verbs_lsx.h"
#include "kernel_set.inc.h"
