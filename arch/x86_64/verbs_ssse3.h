/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 128-bit verbs: pshufb looks sixteen nibbles up in a sixteen-byte table.  With VERBS_GFNI
 * defined multiplication is gf2p8affineqb by the coefficient's bit matrix instead, for
 * processors that have GFNI and no AVX.
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
#define VERBS_STREAM 1

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

PXR_INLINE void stream_fence(void)
{
    _mm_sfence();
}

PXR_INLINE vec vec_zero(void)
{
    return _mm_setzero_si128();
}

PXR_INLINE vec vec_xor(vec a, vec b)
{
    return _mm_xor_si128(a, b);
}

PXR_INLINE vec vec_or(vec a, vec b)
{
    return _mm_or_si128(a, b);
}

PXR_INLINE bool vec_any(vec v)
{
    return _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_setzero_si128())) != 0xffff;
}

/* Sums in lanes of 32 bits. */
typedef vec sums;

PXR_INLINE sums sums_zero(void)
{
    return vec_zero();
}

PXR_INLINE sums sums_add(sums s, sums t)
{
    return _mm_add_epi32(s, t);
}

PXR_INLINE sums sums_of_bytes(sums s, vec x)
{
    return sums_add(s, _mm_sad_epu8(x, vec_zero()));
}

/* Two products of a byte and a position are less than 2^15. */
PXR_INLINE sums sums_of_positions(sums s, vec x)
{
    const vec position = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const vec pairs = _mm_maddubs_epi16(x, position);
    return sums_add(s, _mm_madd_epi16(pairs, _mm_set1_epi16(1)));
}

PXR_INLINE uint64_t sums_total(sums s)
{
    const vec wide =
        _mm_add_epi64(_mm_and_si128(s, _mm_set1_epi64x(0xffffffff)), _mm_srli_epi64(s, 32));
    return (uint64_t)_mm_cvtsi128_si64(wide) +
           (uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(wide, wide));
}

#ifdef VERBS_GFNI

/* Horner's rule alone with P takes two sources at once, as in verbs_avx512.h. */
#define PAIR_SOURCES(general) ((general) == 0)
#define HORNER_GENERAL 0

typedef __m128i terms, coef;

PXR_INLINE terms terms_of(vec x)
{
    return x;
}

#define VERBS_MATRICES 1
PXR_INLINE coef coef_of_matrix(uint64_t m)
{
    return _mm_set1_epi64x((long long)m);
}

/* Entry 1 of a nibble table is the coefficient itself. */
PXR_INLINE coef coef_load(const uint8_t *table)
{
    return coef_of_matrix(pxr_affine[table[1]]);
}

PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    return _mm_xor_si128(acc, _mm_gf2p8affine_epi64_epi8(x, c, 0));
}

#define BY_2 coef_of_matrix(pxr_affine[2])
#define BY_4 coef_of_matrix(pxr_affine[4])

PXR_INLINE vec double_add(vec q, vec x)
{
    return mul_add(x, q, BY_2);
}

#define VERBS_DOUBLE_PAIR 1
PXR_INLINE vec double_add_pair(vec q, vec x, vec y)
{
    return mul_add(mul_add(y, x, BY_2), q, BY_4);
}

#else

/* Doubling is 4 instructions against 4 and a share of the nibble split for a
   general row, with one shuffle against two. */
#define HORNER_GENERAL 4

typedef struct {
    __m128i low, high;
} terms, coef;

PXR_INLINE terms terms_of(vec x)
{
    const __m128i mask = _mm_set1_epi8(0x0f);
    return (terms){_mm_and_si128(x, mask), _mm_and_si128(_mm_srli_epi16(x, 4), mask)};
}

PXR_INLINE coef coef_load(const uint8_t *table)
{
    return (coef){vec_load(table), vec_load(table + 16)};
}

PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    acc = _mm_xor_si128(acc, _mm_shuffle_epi8(c.low, x.low));
    return _mm_xor_si128(acc, _mm_shuffle_epi8(c.high, x.high));
}

#define VERBS_HORNER_FORM 1

/*
 * Horner's form of v is v + 0x0b.  A shuffle of 0x1d's by q gives 0x1d where
 * q's top bit is clear, so q+q (bytes) ^ shuffle = 2q + 0x1d.  With
 * q = v + 0x0b that is 2v + 0x16 + 0x1d = 2v + 0x0b: again in the form.
 */
PXR_INLINE vec double_add(vec q, vec x)
{
    const __m128i reduce = _mm_shuffle_epi8(_mm_set1_epi8(0x1d), q);
    return _mm_xor_si128(_mm_add_epi8(q, q), _mm_xor_si128(reduce, x));
}

PXR_INLINE vec horner_open(vec v)
{
    return _mm_xor_si128(v, _mm_set1_epi8(0x0b));
}

PXR_INLINE vec horner_close(vec q)
{
    return _mm_xor_si128(q, _mm_set1_epi8(0x0b));
}

#endif
#endif
