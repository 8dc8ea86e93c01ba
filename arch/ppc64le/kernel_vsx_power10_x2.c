/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set vsx_power10 with two vectors per block. */
#define KERNEL_UNROLL 2
#include "kernel_vsx_power10.c"
