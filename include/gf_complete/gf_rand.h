/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file gf_rand.h Pseudo-random numbers by the "mother of all" generator of George Marsaglia.
 * The names, arguments and numbers are those of gf-complete 1.0's header with this name.  The
 * whole program has one generator, so threads that share it must take turns.  Do not use it for
 * secrets.
 */
#ifndef PXR_GF_RAND_H
#define PXR_GF_RAND_H

/* The original header includes these, too. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/** Seeds the generator.  Before the first seed all numbers are 0. */
void MOA_Seed(uint32_t seed);

/** Returns the next 32 bits. */
uint32_t MOA_Random_32(void);

/** Returns the next 64 bits. */
uint64_t MOA_Random_64(void);
/** Writes the next two words to x, the high half first. */
void MOA_Random_128(uint64_t *x);

/**
 * Returns a number of w bits, 1 <= w <= 32.  For any other w the nearest of these is taken.
 * The number is not 0, unless zero_ok is set.
 */
uint32_t MOA_Random_W(int w, int zero_ok);

/** Fills `size` bytes, at any alignment. */
void MOA_Fill_Random_Region(void *reg, int size);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
