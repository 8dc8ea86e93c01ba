/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scalable verbs, for vectors of 128 to 2048 bits.  TBL looks nibbles up in a table in the
 * first 16 bytes of a vector, and predicates handle the remaining bytes.  With VERBS_SVE2
 * defined, EOR3 xors three vectors.
 */
#ifndef PXR_VERBS_SVE_H
#define PXR_VERBS_SVE_H

#include <arm_sve.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inline.h"

#define VEC_BYTES svcntb()
#define VEC_BYTES_MAX 256

/* Registers, doubling and general rows cost the same as in verbs_neon.h, except that doubling
   for two sources is 9 instructions without SVE2.  Four vectors of 3 rows fit here as well, and
   are predicted to gain nothing. */
#define BLOCK_VECTORS(rows) ((rows) <= 2 ? 4 : 2)
#define HORNER_GENERAL 0

#define VERBS_PART_IN_ORDER 1

/* As in verbs_neon.h: 11.6 and 10.7 bytes per cycle (sve on Neoverse V1), 16.0 and 8.0 (sve2 on
   V2). */
#define VERBS_XOR3 1
#define VERBS_DOUBLE_PAIR 1
#define PAIR_SOURCES(general) ((general) == 0)

/*
 * The prefetch distance is derived in verbs_neon.h.  The number of vectors per line has to be a
 * constant, or the inner loop would contain another loop. 2 is exact at 256 bits (Neoverse V1),
 * and enough at 512 bits where lines are 256 bytes (A64FX).
 */
#define LINE_VECTORS 2

/*
 * The set is used without being asked for only where vectors are wider than those of NEON.
 * Published figures of RAID-6, which is doubling without look-ups, have NEON 17 to 22 % faster
 * at 128 bits (Graviton4, Neoverse V2).  For general rows llvm-mca predicts the opposite there:
 * with four of them sve2 has 4.0, neon 3.2 and neon_sha3 2.7 bytes per cycle.
 */
#define KERNEL_PREFERS PXR_CPU_WIDE_SVE

/* A source vector as it is.  It is split into nibbles where it is multiplied, and the compiler
   shares the split among rows.  No structure may hold such vectors. */
typedef svuint8_t vec, terms;
typedef svuint8x2_t coef;

#define ALL svptrue_b8()

PXR_INLINE vec vec_load(const uint8_t *p)
{
    return svld1_u8(ALL, p);
}

PXR_INLINE void vec_store(uint8_t *p, vec v)
{
    svst1_u8(ALL, p, v);
}

PXR_INLINE vec vec_load_part(const uint8_t *p, size_t n)
{
    return svld1_u8(svwhilelt_b8_u64(0, n), p);
}

PXR_INLINE void vec_store_part(uint8_t *p, vec v, size_t n)
{
    svst1_u8(svwhilelt_b8_u64(0, n), p, v);
}

PXR_INLINE vec vec_zero(void)
{
    return svdup_n_u8(0);
}

PXR_INLINE vec vec_xor(vec a, vec b)
{
    return sveor_u8_x(ALL, a, b);
}

PXR_INLINE vec vec_or(vec a, vec b)
{
    return svorr_u8_x(ALL, a, b);
}

PXR_INLINE bool vec_any(vec v)
{
    return svptest_any(ALL, svcmpne_n_u8(ALL, v, 0));
}

typedef svuint32_t sums;

PXR_INLINE sums sums_zero(void)
{
    return svdup_n_u32(0);
}

PXR_INLINE sums sums_add(sums s, sums t)
{
    return svadd_u32_x(ALL, s, t);
}

PXR_INLINE sums sums_of_bytes(sums s, vec x)
{
    return svdot_n_u32(s, x, 1);
}

/* The last position of the longest vectors is 255, so every position fits in a byte. */
PXR_INLINE sums sums_of_positions(sums s, vec x)
{
    return svdot_u32(s, x, svindex_u8(0, 1));
}

PXR_INLINE uint64_t sums_total(sums s)
{
    return svaddv_u32(ALL, s);
}

PXR_INLINE vec vec_xor3(vec a, vec b, vec c)
{
#ifdef VERBS_SVE2
    return sveor3_u8(a, b, c);
#else
    return sveor_u8_x(ALL, a, sveor_u8_x(ALL, b, c));
#endif
}

PXR_INLINE terms terms_of(vec x)
{
    return x;
}

/* LD1RQ reads 16 bytes, whatever the size of the vectors is. */
PXR_INLINE coef coef_load(const uint8_t *table)
{
    return svcreate2_u8(svld1rq_u8(ALL, table), svld1rq_u8(ALL, table + 16));
}

PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    /* AND by a constant overwrites its operand, and gcc 12 copies the operand for this.  With a
       register it does not. */
    vec nibble = svdup_n_u8(0x0f);
    __asm__("" : "+w"(nibble));
    const vec high = svlsr_n_u8_x(ALL, x, 4), low = svand_u8_x(ALL, x, nibble);
    return vec_xor3(acc, svtbl_u8(svget2_u8(c, 0), low), svtbl_u8(svget2_u8(c, 1), high));
}

/* As in verbs_neon.h.  A compare would give a predicate, and predicates have only one pipe. */
PXR_INLINE vec double_add(vec q, vec x)
{
    const vec top = svreinterpret_u8_s8(svasr_n_s8_x(ALL, svreinterpret_s8_u8(q), 7));
    return vec_xor3(svand_u8_x(ALL, top, svdup_n_u8(0x1d)), svadd_u8_x(ALL, q, q), x);
}

/* As in verbs_neon.h.  SRI exists only in SVE2.  Without it, the top bit of x is added to the
   bit that stands for the same value. */
PXR_INLINE vec double_add_pair(vec q, vec x, vec y)
{
#ifdef VERBS_SVE2
    const vec tops = svsri_n_u8(svlsr_n_u8_x(ALL, x, 5), q, 6);
#else
    const vec tops = vec_xor(svlsr_n_u8_x(ALL, q, 6), svlsr_n_u8_x(ALL, x, 7));
#endif
    const vec reduce = svreinterpret_u8_u64(svdup_n_u64(0x3a27001d273a1d00));
    const vec low = vec_xor(svadd_u8_x(ALL, x, x), y);
    return vec_xor3(svtbl_u8(reduce, tops), svlsl_n_u8_x(ALL, q, 2), low);
}

#endif
