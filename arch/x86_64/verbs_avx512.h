/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 512-bit verbs, which need only AVX-512 F and BW.  Masks make partial loads and stores, and
 * bzhi of BMI2 makes the masks. vpternlogq xors three vectors.
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
#define VEC_REGISTER "v"
#define VERBS_STREAM 1
#define VERBS_PART_IN_ORDER 1
#define VERBS_XOR3 1
#define PAIR_GROUPS 1
#define MOST_KEPT 24
#define MM(name) _mm512_##name

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

PXR_INLINE vec vec_of_64(uint64_t m)
{
    return _mm512_set1_epi64((long long)m);
}

PXR_INLINE __m128i vec_low(vec v)
{
    return _mm512_castsi512_si128(v);
}

/* The broadcast reads from memory, because that takes only a load port.  A broadcast from a
   register would take the port that vpshufb needs. */
PXR_INLINE vec vec_of_table(const uint8_t *p)
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)p));
}

/* 0x96 is the truth table of a ^ b ^ c. */
PXR_INLINE vec vec_xor3(vec a, vec b, vec c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

PXR_INLINE bool vec_any(vec v)
{
    return _mm512_test_epi64_mask(v, v) != 0;
}

PXR_INLINE uint64_t vec_total(vec v)
{
    return (uint64_t)_mm512_reduce_add_epi64(v);
}

#define VERBS_LANES 1
PXR_INLINE vec unzip_lanes_even(vec l, vec h)
{
    return _mm512_shuffle_i64x2(l, h, 0x88);
}

PXR_INLINE vec unzip_lanes_odd(vec l, vec h)
{
    return _mm512_shuffle_i64x2(l, h, 0xdd);
}

PXR_INLINE vec zip_lanes_low(vec a, vec b)
{
    return _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), b);
}

PXR_INLINE vec zip_lanes_high(vec a, vec b)
{
    return _mm512_permutex2var_epi64(a, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), b);
}

#ifdef VERBS_GFNI
/* An xor with three inputs adds two products at once. */
#define PAIR_SOURCES(general) 1
#define VERBS_AHEAD 1

/* A general row is one affine transform and one xor, and so is doubling.  Horner's rule saves
   loading the coefficients, and when alone with P, it adds two sources at once. */
#define HORNER_GENERAL 0

/* Measured on an Emerald Rapids Xeon, with k = 10 and 24 and 16 KiB, four vectors against two:
   1.10 to 1.13 times as fast with 1 and 2 outputs, 1.04 to 1.07 with 3; with k = 10 and 1 to
   128 KiB, 1.05 to 1.07 with 4, and 1.00 with 5 and 6.  From memory 4 outputs of 1 KiB are
   0.93. */
#define BLOCK_VECTORS(rows) ((rows) <= 4 ? 4 : 2)
#else
/* Sums and doubling take two sources at once.  General rows gain nothing from it. */
#define PAIR_SOURCES(general) ((general) == 0)

/* Blocks stay at two vectors: with four, measured as above, they reach 0.99 to 1.04 times the
   speed in cache, and 0.95 to 1.00 from memory. */

/* Doubling is 3 instructions, and so is a general row that shares its nibble split with another
   one.  So Horner's rule pays only where it saves the split. */
#define HORNER_GENERAL 0
#endif

#include "verbs_x86.h"

#ifdef VERBS_GFNI
#define VERBS_MUL_PAIR 1
PXR_INLINE vec mul_add_pair(vec acc, terms x, coef c, terms y, coef d)
{
    return vec_xor3(acc, product(x, c), product(y, d));
}
#endif

#endif
