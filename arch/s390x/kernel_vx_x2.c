/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set vx with two vectors per block. */
#define KERNEL_UNROLL 2
#include "kernel_vx.c"
