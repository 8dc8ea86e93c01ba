/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set vsx_power9. */
#define KERNEL_NAME vsx_power9
#define KERNEL_NEEDS "ISA 3.0 vcrypto"
#define KERNEL_REQUIRES (PXR_CPU_VPERMXOR | PXR_CPU_POWER9)

#define VERBS_POWER9
#include "verbs_vsx.h"
#include "kernel_set.inc.h"
