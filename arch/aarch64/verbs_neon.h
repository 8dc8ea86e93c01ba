/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 128-bit verbs.  TBL looks sixteen nibbles up in a sixteen-byte table.  With VERBS_SHA3
 * defined, EOR3 of the SHA-3 instructions xors three vectors.
 */
#ifndef PXR_VERBS_NEON_H
#define PXR_VERBS_NEON_H

#include <arm_neon.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "part.h"

#define VEC_BYTES 16

/*
 * Two rows of four vectors fit in the 32 registers, with everything that is in flight.  From
 * three rows on gcc 12 spills, which llvm-mca predicts to cost 10 % with 3 rows and 14 % with 4
 * (Neoverse N1).  Two vectors already reach what the vector pipes allow.  P and Q of two
 * sources at once fit as well, with gcc 12 and clang 19.
 */
#define BLOCK_VECTORS(rows) ((rows) <= 2 ? 4 : 2)

/* Doubling for two sources is 8 instructions (7 with EOR3).  A general row that shares its
   nibble split with another one is also 8 (6).  So Horner's rule pays only where it saves the
   split. */
#define HORNER_GENERAL 0

/*
 * Two sources at once, where no general row takes registers. llvm-mca predicts these bytes of
 * source per cycle for P and Q, with two sources at once and with one: 6.4 and 5.3 (Neoverse
 * N1), 11.6 and 10.6 (V1), 12.8 and 10.7 (V2); with EOR3 8.0 and 6.4 (N2).
 */
#define VERBS_XOR3 1
#define VERBS_DOUBLE_PAIR 1
#define PAIR_SOURCES(general) ((general) == 0)

/*
 * The prefetch distance of kernel_dot.inc.h is suitable.  This is derived, not measured: 512
 * bytes ahead in each of k sources is k * 512 bytes of work.  At 2 rows and 8 bytes per cycle
 * (Neoverse V2) this takes 64 * k cycles, which covers 300 cycles of memory latency from 5
 * sources on.  The lines of 100 sources stay in an L1 of 64 KiB.
 */

/* No VERBS_STREAM: these processors (published) detect by themselves that lines are written as
   a whole, and STNP is only a hint. */

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

PXR_INLINE vec vec_or(vec a, vec b)
{
    return vorrq_u8(a, b);
}

PXR_INLINE bool vec_any(vec v)
{
    return vmaxvq_u32(vreinterpretq_u32_u8(v)) != 0;
}

#define VERBS_ZIP 1
PXR_INLINE vec zip_bytes_low(vec a, vec b)
{
    return vzip1q_u8(a, b);
}

PXR_INLINE vec zip_bytes_high(vec a, vec b)
{
    return vzip2q_u8(a, b);
}

PXR_INLINE vec unzip_bytes_even(vec l, vec h)
{
    return vuzp1q_u8(l, h);
}

PXR_INLINE vec unzip_bytes_odd(vec l, vec h)
{
    return vuzp2q_u8(l, h);
}

typedef uint32x4_t sums;

PXR_INLINE sums sums_zero(void)
{
    return vdupq_n_u32(0);
}

PXR_INLINE sums sums_add(sums s, sums t)
{
    return vaddq_u32(s, t);
}

PXR_INLINE sums sums_of_bytes(sums s, vec x)
{
    return vpadalq_u16(s, vpaddlq_u8(x));
}

/* The sum of two products of a byte and a position is below 2^13. */
PXR_INLINE sums sums_of_positions(sums s, vec x)
{
    const vec position =
        vcombine_u8(vcreate_u8(0x0706050403020100), vcreate_u8(0x0f0e0d0c0b0a0908));
    const uint16x8_t low = vmull_u8(vget_low_u8(x), vget_low_u8(position));
    return vpadalq_u16(s, vmlal_high_u8(low, x, position));
}

PXR_INLINE uint64_t sums_total(sums s)
{
    return vaddlvq_u32(s);
}

/* `a` is the operand that is ready last: it waits for only one xor. */
PXR_INLINE vec vec_xor3(vec a, vec b, vec c)
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
    return vec_xor3(acc, vqtbl1q_u8(c.low, x.low), vqtbl1q_u8(c.high, x.high));
}

/*
 * q+q (bytes) drops the top bit.  That bit stands for 0x11d less the dropped bit, which is
 * 0x1d.  A compare with zero turns the bit into a mask for 0x1d.  (TBL cannot do this as pshufb
 * does: it gives zero for indices from 16 on, not from 128 on.)
 */
PXR_INLINE vec double_add(vec q, vec x)
{
    const vec top = vcltzq_s8(vreinterpretq_s8_u8(q));
    return vec_xor3(vandq_u8(top, vdupq_n_u8(0x1d)), vaddq_u8(q, q), x);
}

/*
 * 4*q + 2*x + y.  The bits that are shifted off the top stand for multiples of 0x11d less the
 * dropped bits: the top bit of q for 0x3a, and the bit below it and the top bit of x for 0x1d
 * each.  SRI makes a number below 8 of the three bits, with x's bit above the two bits of q.
 * The table has the sums for this number: 0, 0x1d, 0x3a, their sum, and these with 0x1d added.
 * From one q to the next the chain is SRI, TBL and an xor.
 */
PXR_INLINE vec double_add_pair(vec q, vec x, vec y)
{
    const vec tops = vsriq_n_u8(vshrq_n_u8(x, 5), q, 6);
    const vec reduce = vreinterpretq_u8_u64(vdupq_n_u64(0x3a27001d273a1d00));
    const vec low = veorq_u8(vaddq_u8(x, x), y);
    return vec_xor3(vqtbl1q_u8(reduce, tops), vshlq_n_u8(q, 2), low);
}

#endif
