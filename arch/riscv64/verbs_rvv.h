/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Verbs of the vector extension V 1.0, for registers of any length from 128 bits on. vrgather
 * looks nibbles up in a table of sixteen bytes, for which any register has room.  A vector
 * length makes partial loads and stores.
 *
 * Registers are not grouped (LMUL = 1): on many cores the time of vrgather grows with the
 * square of the group (published), and its source need not be longer than sixteen bytes.
 */
#ifndef PXR_VERBS_RVV_H
#define PXR_VERBS_RVV_H

#include <riscv_vector.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inline.h"

/*
 * A whole register, but at most VEC_BYTES_MAX bytes, so that the largest block has a constant
 * bound.  VEC_BYTES_MAX is 1024 bits; longer registers are used in part.  Twice that length
 * would make the tests, which try every length up to two blocks, four times as slow. vsetvli
 * gives the smaller of the two lengths, because both are powers of two.
 */
#define VEC_BYTES_MAX 128
#define VEC_BYTES __riscv_vsetvl_e8m1(VEC_BYTES_MAX)

/* Four vectors take 4 sums for each output, 8 registers of nibbles, 2 of tables and 1 to work
   with: 31 of the 32 with five outputs. clang 19 then has no sum on the stack, and takes 36
   instructions for a vector of all five, against 46 with blocks of two. */
#define BLOCK_VECTORS(rows) ((rows) <= 5 ? 4 : 2)

/* Doubling is 5 of the simplest instructions.  A general row is 2 of those and 2 vrgathers,
   which take at least as long, and it loads its tables. */
#define HORNER_GENERAL 4

#define VERBS_PART_IN_ORDER 1

/* Prefetching uses Zicbop, whose instructions are hints: processors without it execute nothing.
   There is a hint for every two vectors, which is one for each 64 bytes where registers have
   256 bits.  Shorter registers get too many hints, and longer ones too few.  That prefetching
   pays as on x86-64 is a prediction. */
#define LINE_VECTORS 2

typedef vuint8m1_t vec;
typedef vuint8m1_t terms;  /* the source; mul_adds share one split of it */
typedef vuint8m1x2_t coef; /* the tables of the low and the high nibble */

PXR_INLINE vec vec_zero(void)
{
    return __riscv_vmv_v_x_u8m1(0, VEC_BYTES);
}

PXR_INLINE vec vec_load(const uint8_t *p)
{
    return __riscv_vle8_v_u8m1(p, VEC_BYTES);
}

/* The bytes beyond n stay zero. */
PXR_INLINE vec vec_load_part(const uint8_t *p, size_t n)
{
    return __riscv_vle8_v_u8m1_tu(vec_zero(), p, n);
}

PXR_INLINE void vec_store_part(uint8_t *p, vec v, size_t n)
{
    __riscv_vse8_v_u8m1(p, v, n);
}

PXR_INLINE void vec_store(uint8_t *p, vec v)
{
    vec_store_part(p, v, VEC_BYTES);
}

PXR_INLINE vec vec_xor(vec a, vec b)
{
    return __riscv_vxor_vv_u8m1(a, b, VEC_BYTES);
}

PXR_INLINE vec vec_or(vec a, vec b)
{
    return __riscv_vor_vv_u8m1(a, b, VEC_BYTES);
}

PXR_INLINE bool vec_any(vec v)
{
    return __riscv_vfirst_m_b8(__riscv_vmsne_vx_u8m1_b8(v, 0, VEC_BYTES), VEC_BYTES) >= 0;
}

/* A lane of 32 bits for each two bytes, which are first added in 16 bits.  This takes one
   register, instead of the two that widening every byte would fill. */
typedef vuint32m2_t sums;
typedef vuint16m1_t pairs;

#define SUMS (VEC_BYTES / 2)

PXR_INLINE pairs even_bytes(vec x)
{
    return __riscv_vand_vx_u16m1(__riscv_vreinterpret_v_u8m1_u16m1(x), 0xff, SUMS);
}

PXR_INLINE pairs odd_bytes(vec x)
{
    return __riscv_vsrl_vx_u16m1(__riscv_vreinterpret_v_u8m1_u16m1(x), 8, SUMS);
}

PXR_INLINE sums sums_zero(void)
{
    return __riscv_vmv_v_x_u32m2(0, SUMS);
}

PXR_INLINE sums sums_add(sums s, sums t)
{
    return __riscv_vadd_vv_u32m2(s, t, SUMS);
}

PXR_INLINE sums sums_of_bytes(sums s, vec x)
{
    const pairs both = __riscv_vadd_vv_u16m1(even_bytes(x), odd_bytes(x), SUMS);
    return __riscv_vwaddu_wv_u32m2(s, both, SUMS);
}

/* The last positions are at most 126 and 127, and 255 * (126 + 127) < 2^16. */
PXR_INLINE sums sums_of_positions(sums s, vec x)
{
    const vec position = __riscv_vid_v_u8m1(VEC_BYTES);
    const pairs even = __riscv_vmul_vv_u16m1(even_bytes(x), even_bytes(position), SUMS);
    const pairs both = __riscv_vmacc_vv_u16m1(even, odd_bytes(x), odd_bytes(position), SUMS);
    return __riscv_vwaddu_wv_u32m2(s, both, SUMS);
}

PXR_INLINE uint64_t sums_total(sums s)
{
    const vuint64m1_t zero = __riscv_vmv_s_x_u64m1(0, 1);
    return __riscv_vmv_x_s_u64m1_u64(__riscv_vwredsumu_vs_u32m2_u64m1(s, zero, SUMS));
}

PXR_INLINE terms terms_of(vec x)
{
    return x;
}

PXR_INLINE coef coef_load(const uint8_t *table)
{
    return __riscv_vcreate_v_u8m1x2(__riscv_vle8_v_u8m1(table, 16),
                                    __riscv_vle8_v_u8m1(table + 16, 16));
}

PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    const vec low = __riscv_vand_vx_u8m1(x, 15, VEC_BYTES);
    const vec high = __riscv_vsrl_vx_u8m1(x, 4, VEC_BYTES);
    acc = vec_xor(acc,
                  __riscv_vrgather_vv_u8m1(__riscv_vget_v_u8m1x2_u8m1(c, 0), low, VEC_BYTES));
    return vec_xor(acc,
                   __riscv_vrgather_vv_u8m1(__riscv_vget_v_u8m1x2_u8m1(c, 1), high, VEC_BYTES));
}

/* Shifts each byte left by one, and subtracts 0x11d where a bit fell off the top.  An
   arithmetic shift right fills a byte with its top bit. */
PXR_INLINE vec double_add(vec q, vec x)
{
    const vint8m1_t top =
        __riscv_vsra_vx_i8m1(__riscv_vreinterpret_v_u8m1_i8m1(q), 7, VEC_BYTES);
    const vec reduce =
        __riscv_vand_vx_u8m1(__riscv_vreinterpret_v_i8m1_u8m1(top), 0x1d, VEC_BYTES);
    return vec_xor(__riscv_vadd_vv_u8m1(q, q, VEC_BYTES), vec_xor(reduce, x));
}

#endif
