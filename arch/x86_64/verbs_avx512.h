/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 512-bit verbs, of AVX-512 F and BW alone: masks make partial loads and
 * stores, and bzhi of BMI2 makes the masks; vpternlogq xors three ways.  With
 * VERBS_GFNI defined multiplication is gf2p8affineqb by the coefficient's bit
 * matrix, else a pair of table look-ups by vpshufb.
 */
#ifndef PXR_VERBS_AVX512_H
#define PXR_VERBS_AVX512_H

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gf256.h"
#include "inline.h"

#define VEC_BYTES 64
#define VERBS_STREAM 1
#define VERBS_PART_IN_ORDER 1
#define VERBS_XOR3 1
#define PAIR_GROUPS 1
#define MOST_KEPT 24

typedef __m512i vec;

PXR_INLINE vec vec_load(const uint8_t *p)
{
    return _mm512_loadu_si512(p);
}

PXR_INLINE void vec_store(uint8_t *p, vec v)
{
    _mm512_storeu_si512(p, v);
}

PXR_INLINE __mmask64 first_bytes(size_t n)
{
    return _bzhi_u64(~UINT64_C(0), (unsigned)n);
}

PXR_INLINE vec vec_load_part(const uint8_t *p, size_t n)
{
    return _mm512_maskz_loadu_epi8(first_bytes(n), p);
}

PXR_INLINE void vec_store_part(uint8_t *p, vec v, size_t n)
{
    _mm512_mask_storeu_epi8(p, first_bytes(n), v);
}

PXR_INLINE void vec_stream(uint8_t *p, vec v)
{
    _mm512_stream_si512((void *)p, v);
}

PXR_INLINE void stream_fence(void)
{
    _mm_sfence();
}

PXR_INLINE vec vec_zero(void)
{
    return _mm512_setzero_si512();
}

PXR_INLINE vec vec_xor(vec a, vec b)
{
    return _mm512_xor_si512(a, b);
}

/* 0x96 is the truth table of a ^ b ^ c. */
PXR_INLINE vec vec_xor3(vec a, vec b, vec c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

PXR_INLINE vec vec_or(vec a, vec b)
{
    return _mm512_or_si512(a, b);
}

PXR_INLINE bool vec_any(vec v)
{
    return _mm512_test_epi64_mask(v, v) != 0;
}

/* Sums in lanes of 32 bits. */
typedef vec sums;

PXR_INLINE sums sums_zero(void)
{
    return vec_zero();
}

PXR_INLINE sums sums_add(sums s, sums t)
{
    return _mm512_add_epi32(s, t);
}

PXR_INLINE sums sums_of_bytes(sums s, vec x)
{
    return sums_add(s, _mm512_sad_epu8(x, vec_zero()));
}

/* Two products of a byte and a position are less than 2^15. */
PXR_INLINE sums sums_of_positions(sums s, vec x)
{
    const vec position = _mm512_setr_epi64(
        0x0706050403020100, 0x0f0e0d0c0b0a0908, 0x1716151413121110, 0x1f1e1d1c1b1a1918,
        0x2726252423222120, 0x2f2e2d2c2b2a2928, 0x3736353433323130, 0x3f3e3d3c3b3a3938);
    const vec pairs = _mm512_maddubs_epi16(x, position);
    return sums_add(s, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
}

PXR_INLINE uint64_t sums_total(sums s)
{
    const vec wide = _mm512_add_epi64(_mm512_and_si512(s, _mm512_set1_epi64(0xffffffff)),
                                      _mm512_srli_epi64(s, 32));
    return (uint64_t)_mm512_reduce_add_epi64(wide);
}

#ifdef VERBS_GFNI

/* A three-input xor adds two products. */
#define PAIR_SOURCES(general) 1

/* A general row is one affine transform and one xor, as doubling is: Horner's rule
   saves loading the coefficients and, alone with P, adds two sources at once. */
#define HORNER_GENERAL 0

/* Measured on an Emerald Rapids Xeon, k = 10 and 24, 16 KiB, four vectors against
   two: 1.10 to 1.13 times with 1 and 2 outputs, 1.04 to 1.07 with 3; k = 10, 1 to 128 KiB,
   1.05 to 1.07 with 4, and 1.00 with 5 and 6.  From memory 4 outputs of 1 KiB are 0.93. */
#define BLOCK_VECTORS(rows) ((rows) <= 4 ? 4 : 2)

typedef __m512i terms;
typedef char coef __attribute__((vector_size(64)));

PXR_INLINE terms terms_of(vec x)
{
    return x;
}

#define VERBS_MATRICES 1

PXR_INLINE coef coef_of_matrix(uint64_t m)
{
    coef matrix = (coef)_mm512_set1_epi64((long long)m);
    /* It is to stand alone, in the type that it is used in: gcc would copy it in front of every
       loop, and clang before 20 gives gf2p8affineqb's broadcast memory operands wrong
       displacements (llvm-project, pull request 120340). */
    __asm__("" : "+v"(matrix));
    return matrix;
}

PXR_INLINE coef affine_of(uint8_t c)
{
    return coef_of_matrix(pxr_affine[c]);
}

/* Entry 1 of a nibble table is the coefficient itself. */
PXR_INLINE coef coef_load(const uint8_t *table)
{
    return coef_of_matrix(pxr_affine[table[1]]);
}

PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    return _mm512_xor_si512(acc, _mm512_gf2p8affine_epi64_epi8(x, (__m512i)c, 0));
}

#define VERBS_MUL_PAIR 1
PXR_INLINE vec mul_add_pair(vec acc, terms x, coef c, terms y, coef d)
{
    return vec_xor3(acc, _mm512_gf2p8affine_epi64_epi8(x, (__m512i)c, 0),
                    _mm512_gf2p8affine_epi64_epi8(y, (__m512i)d, 0));
}

PXR_INLINE vec double_add(vec q, vec x)
{
    return _mm512_xor_si512(_mm512_gf2p8affine_epi64_epi8(q, (__m512i)affine_of(2), 0), x);
}

#define VERBS_DOUBLE_PAIR 1
PXR_INLINE vec double_add_pair(vec q, vec x, vec y)
{
    return vec_xor3(_mm512_gf2p8affine_epi64_epi8(q, (__m512i)affine_of(4), 0),
                    _mm512_gf2p8affine_epi64_epi8(x, (__m512i)affine_of(2), 0), y);
}

#else

/* Sums and doubling take two sources at once, general rows gain nothing from it. */
#define PAIR_SOURCES(general) ((general) == 0)

/* Blocks stay at two vectors: with four, measured as above, they reach 0.99 to
   1.04 times in cache and 0.95 to 1.00 from memory. */

/* Doubling is 3 instructions, and so is a general row that shares its nibble
   split with another: Horner's rule pays only where it saves the split. */
#define HORNER_GENERAL 0

typedef struct {
    __m512i low, high;
} terms, coef;

PXR_INLINE terms terms_of(vec x)
{
    __asm__("" : "+v"(x)); /* or the compiler loads it twice, as an operand of both */
    const __m512i mask = _mm512_set1_epi8(0x0f);
    return (terms){_mm512_and_si512(x, mask), _mm512_and_si512(_mm512_srli_epi16(x, 4), mask)};
}

/*
 * vpshufb looks up within 128-bit lanes: each lane gets the table.  The
 * broadcast comes from memory because that takes a load port only; broadcast
 * from a register would take the port that vpshufb needs.
 */
PXR_INLINE coef coef_load(const uint8_t *table)
{
    return (coef){_mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)table)),
                  _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(table + 16)))};
}

PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    return vec_xor3(acc, _mm512_shuffle_epi8(c.low, x.low),
                    _mm512_shuffle_epi8(c.high, x.high));
}

#define VERBS_HORNER_FORM 1

/* Horner's form v + 0x0b: derived in verbs_ssse3.h. */
PXR_INLINE vec double_add(vec q, vec x)
{
    return vec_xor3(_mm512_add_epi8(q, q), _mm512_shuffle_epi8(_mm512_set1_epi8(0x1d), q), x);
}

PXR_INLINE vec horner_open(vec v)
{
    return _mm512_xor_si512(v, _mm512_set1_epi8(0x0b));
}

PXR_INLINE vec horner_close(vec q)
{
    return _mm512_xor_si512(q, _mm512_set1_epi8(0x0b));
}

#endif
#endif
