/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set avx512_gfni with two vectors per block. */
#define KERNEL_UNROLL 2
#include "kernel_avx512_gfni.c"
