/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 128-bit verbs.  GFNI without AVX exists in processors for small machines and storage
 * machines.
 */
#ifndef PXR_VERBS_SSSE3_H
#define PXR_VERBS_SSSE3_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gf256.h"
#include "inline.h"
#include "part.h"

#define VEC_BYTES 16
#define VEC_REGISTER "x"
#define VERBS_STREAM 1
#define VERBS_XOR3 1
#define MM(name) _mm_##name

typedef __m128i vec;

PXR_INLINE vec vec_load(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)p);
}

PXR_INLINE void vec_store(uint8_t *p, vec v)
{
    _mm_storeu_si128((__m128i *)p, v);
}

PXR_INLINE vec vec_load_part(const uint8_t *p, size_t n)
{
    return (vec)load_part_16(p, n);
}

PXR_INLINE void vec_store_part(uint8_t *p, vec v, size_t n)
{
    store_part_16(p, (halves)v, n);
}

PXR_INLINE void vec_stream(uint8_t *p, vec v)
{
    _mm_stream_si128((__m128i *)p, v);
}

PXR_INLINE vec vec_of_64(uint64_t m)
{
    return _mm_set1_epi64x((long long)m);
}

PXR_INLINE __m128i vec_low(vec v)
{
    return v;
}

PXR_INLINE vec vec_of_table(const uint8_t *p)
{
    return vec_load(p);
}

PXR_INLINE vec vec_xor3(vec a, vec b, vec c)
{
    return a ^ b ^ c;
}

PXR_INLINE bool vec_any(vec v)
{
    return _mm_movemask_epi8(_mm_cmpeq_epi8(v, vec_of_64(0))) != 0xffff;
}

PXR_INLINE uint64_t vec_total(vec v)
{
    return (uint64_t)_mm_cvtsi128_si64(v) +
           (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(v, v));
}

#ifdef VERBS_GFNI
/* Passes without general rows (P, Horner's rule) take two sources at once (verbs_avx512.h). */
#define PAIR_SOURCES(general) ((general) == 0)
#define HORNER_GENERAL 0
#else
/* Doubling is 4 instructions with one shuffle.  A general row is 4 instructions with two
   shuffles, and a share of the nibble split. */
#define HORNER_GENERAL 4
#endif

#include "verbs_x86.h"

#endif
