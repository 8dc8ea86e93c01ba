/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 256-bit verbs.  With VERBS_GFNI defined multiplication is gf2p8affineqb by
 * the coefficient's bit matrix, else a pair of table look-ups by vpshufb.
 */
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
#define VERBS_STREAM 1

typedef __m256i vec;

PXR_INLINE vec vec_load(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

PXR_INLINE void vec_store(uint8_t *p, vec v)
{
    _mm256_storeu_si256((__m256i *)p, v);
}

PXR_INLINE vec vec_load_part(const uint8_t *p, size_t n)
{
    if (n < 16)
        return _mm256_zextsi128_si256((__m128i)load_part_16(p, n));
    return _mm256_loadu2_m128i((const __m128i *)(p + n - 16), (const __m128i *)p);
}

PXR_INLINE void vec_store_part(uint8_t *p, vec v, size_t n)
{
    if (n < 16)
        store_part_16(p, (halves)_mm256_castsi256_si128(v), n);
    else
        _mm256_storeu2_m128i((__m128i *)(p + n - 16), (__m128i *)p, v);
}

PXR_INLINE void vec_stream(uint8_t *p, vec v)
{
    _mm256_stream_si256((__m256i *)p, v);
}

PXR_INLINE void stream_fence(void)
{
    _mm_sfence();
}

PXR_INLINE vec vec_zero(void)
{
    return _mm256_setzero_si256();
}

PXR_INLINE vec vec_xor(vec a, vec b)
{
    return _mm256_xor_si256(a, b);
}

PXR_INLINE vec vec_or(vec a, vec b)
{
    return _mm256_or_si256(a, b);
}

PXR_INLINE bool vec_any(vec v)
{
    return !_mm256_testz_si256(v, v);
}

/* Sums in lanes of 32 bits. */
typedef vec sums;

PXR_INLINE sums sums_zero(void)
{
    return vec_zero();
}

PXR_INLINE sums sums_add(sums s, sums t)
{
    return _mm256_add_epi32(s, t);
}

PXR_INLINE sums sums_of_bytes(sums s, vec x)
{
    return sums_add(s, _mm256_sad_epu8(x, vec_zero()));
}

/* Two products of a byte and a position are less than 2^15. */
PXR_INLINE sums sums_of_positions(sums s, vec x)
{
    const vec position = _mm256_setr_epi64x(0x0706050403020100, 0x0f0e0d0c0b0a0908,
                                            0x1716151413121110, 0x1f1e1d1c1b1a1918);
    const vec pairs = _mm256_maddubs_epi16(x, position);
    return sums_add(s, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

PXR_INLINE uint64_t sums_total(sums s)
{
    const vec wide = _mm256_add_epi64(_mm256_and_si256(s, _mm256_set1_epi64x(0xffffffff)),
                                      _mm256_srli_epi64(s, 32));
    const __m128i half =
        _mm_add_epi64(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
    return (uint64_t)_mm_cvtsi128_si64(half) + (uint64_t)_mm_extract_epi64(half, 1);
}

#ifdef VERBS_GFNI

/* Horner's rule alone with P takes two sources at once, as in verbs_avx512.h. */
#define PAIR_SOURCES(general) ((general) == 0)
#define HORNER_GENERAL 0

/* Measured on an Emerald Rapids Xeon, k = 10 and 24, 16 KiB, four vectors against
   two: 1.15 to 1.24 times with 1 and 2 outputs, 1.00 to 1.01 with 3, less with more,
   for which the 16 registers are too few; from memory 1.01 to 1.04 with 1 and 2. */
#define BLOCK_VECTORS(rows) ((rows) <= 2 ? 4 : 2)

typedef __m256i terms, coef;

PXR_INLINE terms terms_of(vec x)
{
    return x;
}

#define VERBS_MATRICES 1

PXR_INLINE coef coef_of_matrix(uint64_t m)
{
    return _mm256_set1_epi64x((long long)m);
}

/* Entry 1 of a nibble table is the coefficient itself. */
PXR_INLINE coef coef_load(const uint8_t *table)
{
    return coef_of_matrix(pxr_affine[table[1]]);
}

PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    return _mm256_xor_si256(acc, _mm256_gf2p8affine_epi64_epi8(x, c, 0));
}

#define BY_2 _mm256_set1_epi64x((long long)pxr_affine[2])
#define BY_4 _mm256_set1_epi64x((long long)pxr_affine[4])

PXR_INLINE vec double_add(vec q, vec x)
{
    return _mm256_xor_si256(_mm256_gf2p8affine_epi64_epi8(q, BY_2, 0), x);
}

#define VERBS_DOUBLE_PAIR 1
PXR_INLINE vec double_add_pair(vec q, vec x, vec y)
{
    return vec_xor(_mm256_gf2p8affine_epi64_epi8(q, BY_4, 0),
                   vec_xor(_mm256_gf2p8affine_epi64_epi8(x, BY_2, 0), y));
}

#else

#define HORNER_GENERAL 4

typedef struct {
    __m256i low, high;
} terms, coef;

PXR_INLINE terms terms_of(vec x)
{
    __asm__("" : "+x"(x)); /* or the compiler loads it twice, as an operand of both */
    const __m256i mask = _mm256_set1_epi8(0x0f);
    return (terms){_mm256_and_si256(x, mask), _mm256_and_si256(_mm256_srli_epi16(x, 4), mask)};
}

/* vpshufb looks up within 128-bit lanes: each lane gets the table. */
PXR_INLINE coef coef_load(const uint8_t *table)
{
    return (coef){_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table)),
                  _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(table + 16)))};
}

PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    acc = _mm256_xor_si256(acc, _mm256_shuffle_epi8(c.low, x.low));
    return _mm256_xor_si256(acc, _mm256_shuffle_epi8(c.high, x.high));
}

#define VERBS_HORNER_FORM 1

/* Horner's form v + 0x0b: derived in verbs_ssse3.h. */
PXR_INLINE vec double_add(vec q, vec x)
{
    const __m256i reduce = _mm256_shuffle_epi8(_mm256_set1_epi8(0x1d), q);
    return _mm256_xor_si256(_mm256_add_epi8(q, q), _mm256_xor_si256(reduce, x));
}

PXR_INLINE vec horner_open(vec v)
{
    return _mm256_xor_si256(v, _mm256_set1_epi8(0x0b));
}

PXR_INLINE vec horner_close(vec q)
{
    return _mm256_xor_si256(q, _mm256_set1_epi8(0x0b));
}

#endif
#endif
