/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads and stores of fewer bytes than a register has, touching no other byte.
 *
 * Coding works on each byte alone, so it does not matter where in a register a
 * byte stands as long as it is stored from where it was loaded to.  n bytes,
 * h <= n <= 2h, are therefore taken as their first h and their last h bytes,
 * which overlap: the bytes in both are computed twice, with the same result.
 */
#ifndef PXR_PART_H
#define PXR_PART_H

#include <emmintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels.h"

/* Two overlapping halves of h bytes each, in one 16-byte register. */
#define LOAD_HALVES(type, p, n)                                 \
    ({                                                          \
        type first_, last_;                                     \
        memcpy(&first_, (p), sizeof first_);                    \
        memcpy(&last_, (p) + (n) - sizeof last_, sizeof last_); \
        _mm_set_epi64x((long long)last_, (long long)first_);    \
    })
#define STORE_HALVES(type, p, v, n)                                           \
    do {                                                                      \
        const type first_ = (type)_mm_cvtsi128_si64(v);                       \
        const type last_ = (type)_mm_cvtsi128_si64(_mm_unpackhi_epi64(v, v)); \
        memcpy((p), &first_, sizeof first_);                                  \
        memcpy((p) + (n) - sizeof last_, &last_, sizeof last_);               \
    } while (0)

/* 1 <= n <= 16 */
PXR_INLINE __m128i load_part_16(const uint8_t *p, size_t n)
{
    if (n >= 8)
        return LOAD_HALVES(uint64_t, p, n);
    if (n >= 4)
        return LOAD_HALVES(uint32_t, p, n);
    if (n >= 2)
        return LOAD_HALVES(uint16_t, p, n);
    return _mm_cvtsi32_si128(*p);
}

PXR_INLINE void store_part_16(uint8_t *p, __m128i v, size_t n)
{
    if (n >= 8)
        STORE_HALVES(uint64_t, p, v, n);
    else if (n >= 4)
        STORE_HALVES(uint32_t, p, v, n);
    else if (n >= 2)
        STORE_HALVES(uint16_t, p, v, n);
    else
        *p = (uint8_t)_mm_cvtsi128_si32(v);
}

#endif
