/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel set avx512 with four vectors per block. */
#define KERNEL_UNROLL 4
#include "kernel_avx512.c"
