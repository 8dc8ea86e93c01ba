/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pseudo-random numbers by the "mother of all" generator of George Marsaglia, with the names,
 * arguments and numbers of gf-complete 1.0's header of this name.  There is one generator for
 * the whole program, so threads that share it must take turns.  Not for secrets.
 */
#ifndef PXR_GF_RAND_H
#define PXR_GF_RAND_H

/* The original brings these along. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Before the first seed all numbers are 0. */
void MOA_Seed(uint32_t seed);

uint32_t MOA_Random_32(void);
uint64_t MOA_Random_64(void);
/* Two words to x, the first one being the high half. */
void MOA_Random_128(uint64_t *x);

/* A number of w bits, 1 <= w <= 32 (others are taken as the nearest of these); not 0 unless
   zero_ok. */
uint32_t MOA_Random_W(int w, int zero_ok);

/* `size` bytes, at any alignment. */
void MOA_Fill_Random_Region(void *reg, int size);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
