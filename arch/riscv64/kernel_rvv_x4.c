/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set rvv with four vectors per block. */
#define KERNEL_UNROLL 4
#include "kernel_rvv.c"
