/* SPDX-License-Identifier: BSD-3-Clause */
/* random.h - the random numbers of the programs that measure arrays: xorshift64* (S. Vigna, "An
   experimental exploration of Marsaglia's xorshift generators", 2016). */
#ifndef PERF_ARRAY_RANDOM_H
#define PERF_ARRAY_RANDOM_H

#include <stdint.h>

/* The state of the generator with this number, which is never 0. */
static inline uint64_t random_seed(unsigned number)
{
    return UINT64_C(0x9e3779b97f4a7c15) * (2 * (uint64_t)number + 1);
}

static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

#endif
