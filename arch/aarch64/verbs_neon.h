/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 128-bit verbs: TBL looks sixteen nibbles up in a sixteen-byte table.  With
 * VERBS_SHA3 defined EOR3, of the SHA-3 instructions, xors three ways.
 */
#ifndef PXR_VERBS_NEON_H
#define PXR_VERBS_NEON_H

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

#include "part.h"

#define VEC_BYTES 16

/*
 * Two rows of four vectors fit the 32 registers with all that is in flight; from
 * three on gcc 12 spills, which llvm-mca predicts to cost 10 % with 3 and 4 rows
 * (Neoverse N1), and two vectors already reach what the vector pipes allow.
 */
#define BLOCK_VECTORS(rows) ((rows) <= 2 ? 4 : 2)

/* Doubling is 4 instructions and one for x (with EOR3 3 and one), a general row
   that shares its nibble split with another 4 (3): Horner's rule pays only where
   it saves the split. */
#define HORNER_GENERAL 0

/*
 * kernel_dot.inc.h's prefetch suits, which is derived, not measured: 512 bytes
 * ahead in each of k sources is k * 512 bytes of work, at 2 rows and 8 bytes per
 * cycle (Neoverse V2) 64 * k cycles, which covers 300 cycles of memory latency from
 * 5 sources on; and 100 sources' worth stays in an L1 of 64 KiB.
 */

/* No VERBS_STREAM: these processors (published) see for themselves that lines are
   written whole, and STNP is no more than a hint. */

typedef uint8x16_t vec;
typedef struct {
    uint8x16_t low, high;
} terms, coef;

PXR_INLINE vec vec_load(const uint8_t *p)
{
    return vld1q_u8(p);
}

PXR_INLINE void vec_store(uint8_t *p, vec v)
{
    vst1q_u8(p, v);
}

PXR_INLINE vec vec_load_part(const uint8_t *p, size_t n)
{
    return (vec)load_part_16(p, n);
}

PXR_INLINE void vec_store_part(uint8_t *p, vec v, size_t n)
{
    store_part_16(p, (halves)v, n);
}

PXR_INLINE vec vec_zero(void)
{
    return vdupq_n_u8(0);
}

PXR_INLINE vec vec_xor(vec a, vec b)
{
    return veorq_u8(a, b);
}

/* `a` is what comes last: it waits for one xor only. */
PXR_INLINE vec xor3(vec a, vec b, vec c)
{
#ifdef VERBS_SHA3
    return veor3q_u8(a, b, c);
#else
    return veorq_u8(a, veorq_u8(b, c));
#endif
}

PXR_INLINE terms terms_of(vec x)
{
    return (terms){vandq_u8(x, vdupq_n_u8(0x0f)), vshrq_n_u8(x, 4)};
}

PXR_INLINE coef coef_load(const uint8_t *table)
{
    return (coef){vld1q_u8(table), vld1q_u8(table + 16)};
}

PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    return xor3(acc, vqtbl1q_u8(c.low, x.low), vqtbl1q_u8(c.high, x.high));
}

/*
 * q+q (bytes) drops the top bit, which stands for 0x11d less what is dropped:
 * a compare with zero makes the bit a mask for 0x1d.  (TBL cannot make it one
 * as pshufb does: it gives zero from 16 on, not from 128.)
 */
PXR_INLINE vec double_add(vec q, vec x)
{
    const vec top = vcltzq_s8(vreinterpretq_s8_u8(q));
    return xor3(vandq_u8(top, vdupq_n_u8(0x1d)), vaddq_u8(q, q), x);
}

#endif
