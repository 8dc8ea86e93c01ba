/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set vsx_power10. */
#define KERNEL_NAME vsx_power10
#define KERNEL_NEEDS "ISA 3.1 vcrypto"
#define KERNEL_REQUIRES (PXR_CPU_VPERMXOR | PXR_CPU_POWER10)

#include "verbs_vsx_power10.h"
#include "kernel_set.inc.h"
