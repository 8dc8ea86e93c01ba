/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set vx with four vectors per block. */
#define KERNEL_UNROLL 4
#include "kernel_vx.c"
