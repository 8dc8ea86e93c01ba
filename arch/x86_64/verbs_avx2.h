/* SPDX-License-Identifier: BSD-3-Clause */
/* 256-bit verbs. */
#ifndef PXR_VERBS_AVX2_H
#define PXR_VERBS_AVX2_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gf256.h"
#include "inline.h"
#include "part.h"

#define VEC_BYTES 32
#define VEC_REGISTER "x"
#define VERBS_STREAM 1
#define VERBS_XOR3 1
#define MM(name) _mm256_##name

typedef __m256i vec;

PXR_INLINE vec vec_load(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

PXR_INLINE void vec_store(uint8_t *p, vec v)
{
    _mm256_storeu_si256((__m256i *)p, v);
}

/* gcc has had _mm256_zextsi128_si256(), _mm256_loadu2_m128i() and _mm256_storeu2_m128i() since
   10 only; this is the same code. */
PXR_INLINE vec vec_load_part(const uint8_t *p, size_t n)
{
    if (n < 16)
        return _mm256_inserti128_si256(_mm256_setzero_si256(), (__m128i)load_part_16(p, n), 0);
    const __m128i first = _mm_loadu_si128((const __m128i *)p);
    const __m128i last = _mm_loadu_si128((const __m128i *)(p + n - 16));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(first), last, 1);
}

PXR_INLINE void vec_store_part(uint8_t *p, vec v, size_t n)
{
    const __m128i first = _mm256_castsi256_si128(v);
    if (n < 16) {
        store_part_16(p, (halves)first, n);
    } else {
        _mm_storeu_si128((__m128i *)p, first);
        _mm_storeu_si128((__m128i *)(p + n - 16), _mm256_extracti128_si256(v, 1));
    }
}

PXR_INLINE void vec_stream(uint8_t *p, vec v)
{
    _mm256_stream_si256((__m256i *)p, v);
}

PXR_INLINE vec vec_of_64(uint64_t m)
{
    return _mm256_set1_epi64x((long long)m);
}

PXR_INLINE __m128i vec_low(vec v)
{
    return _mm256_castsi256_si128(v);
}

PXR_INLINE vec vec_of_table(const uint8_t *p)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)p));
}

PXR_INLINE vec vec_xor3(vec a, vec b, vec c)
{
    return a ^ b ^ c;
}

PXR_INLINE bool vec_any(vec v)
{
    return !_mm256_testz_si256(v, v);
}

PXR_INLINE uint64_t vec_total(vec v)
{
    const __m128i half =
        _mm_add_epi64(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return (uint64_t)_mm_cvtsi128_si64(half) + (uint64_t)_mm_extract_epi64(half, 1);
}

#ifdef VERBS_GFNI
/* Passes without general rows (P, Horner's rule) take two sources at once (verbs_avx512.h). */
#define PAIR_SOURCES(general) ((general) == 0)
#define HORNER_GENERAL 0

/* Measured on an Emerald Rapids Xeon, with k = 10 and 24 and 16 KiB, four vectors against two:
   1.15 to 1.24 times as fast with 1 and 2 outputs, 1.00 to 1.01 with 3, and less with more
   outputs, for which the 16 registers are too few.  From memory it is 1.01 to 1.04 with 1 and
   2. */
#define BLOCK_VECTORS(rows) ((rows) <= 2 ? 4 : 2)
#else
#define HORNER_GENERAL 4
#endif

#define VERBS_LANES 1
PXR_INLINE vec unzip_lanes_even(vec l, vec h)
{
    return _mm256_permute2x128_si256(l, h, 0x20);
}

PXR_INLINE vec unzip_lanes_odd(vec l, vec h)
{
    return _mm256_permute2x128_si256(l, h, 0x31);
}

/* With two lanes in a vector, interleaving them takes itself back. */
PXR_INLINE vec zip_lanes_low(vec a, vec b)
{
    return unzip_lanes_even(a, b);
}

PXR_INLINE vec zip_lanes_high(vec a, vec b)
{
    return unzip_lanes_odd(a, b);
}

#include "verbs_x86.h"

#endif
