/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set vsx. */
#define KERNEL_NAME vsx
#define KERNEL_NEEDS "ISA 2.07 vcrypto"
#define KERNEL_REQUIRES PXR_CPU_VPERMXOR

#include "verbs_vsx.h"
#include "kernel_set.inc.h"
