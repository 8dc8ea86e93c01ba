/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Verbs of two registers, for POWER10. xxeval adds the products of two sources to a sum at
 * once.
 *
 * With four vector units and two loads per cycle, loading is the limit.  For 2 rows, a source
 * takes b + 6 loads (its b registers, two tables, its address, a prefetch) and 3b vector
 * instructions.  So blocks of b = 4 registers would take 5 cycles for 3 cycles of arithmetic; 8
 * registers take 7 for 6.  That is why a vector has two registers here.
 */
#ifndef PXR_VERBS_VSX_POWER10_H
#define PXR_VERBS_VSX_POWER10_H

#define VERBS_POWER9
#include "vsx.h"

#define VEC_BYTES 32
#define VERBS_XOR3 1
#define VERBS_MUL_PAIR 1
#define VERBS_DOUBLE_PAIR 1
#define PAIR_SOURCES(general) 1
/* 4 rows of 4 vectors are 32 accumulators, which may be in the registers that vpermxor cannot
   name.  It can name 32, and two sources fill half of these. */
#define BLOCK_VECTORS(rows) ((rows) <= 4 ? 4 : 2)
/* With 12, the number for 16 registers, structured passes load too many constants for what they
   compute: the predicted gains over the matrix for 8+4 are 0.89 with 12 and 1.11 with 16. */
#define MOST_KEPT 16
/* For two sources doubling is 3 instructions, like a general row.  Without general rows it
   saves loads of tables.  With general rows, its own two tables take 4 of the registers that
   vpermxor can name: with gcc 12, llvm-mca predicts for P, Q and 1, 2, 3, 4 general rows 0.90,
   0.85, 1.04, 1.22 times the speed that Q as a general row has. */
#define HORNER_GENERAL 0

typedef struct {
    reg a, b;
} vec, terms;

PXR_INLINE vec vec_load(const uint8_t *p)
{
    return (vec){reg_load(p), reg_load(p + 16)};
}

PXR_INLINE void vec_store(uint8_t *p, vec v)
{
    reg_store(p, v.a);
    reg_store(p + 16, v.b);
}

/* Returns how many of n bytes the second register takes.  The first register takes the others.
 */
PXR_INLINE size_t beyond_first(size_t n)
{
    return n > 16 ? n - 16 : 0;
}

PXR_INLINE vec vec_load_part(const uint8_t *p, size_t n)
{
    return (vec){reg_load_part(p, n), reg_load_part(p + 16, beyond_first(n))};
}

PXR_INLINE void vec_store_part(uint8_t *p, vec v, size_t n)
{
    reg_store_part(p, v.a, n);
    reg_store_part(p + 16, v.b, beyond_first(n));
}

PXR_INLINE vec vec_zero(void)
{
    return (vec){{0}, {0}};
}

PXR_INLINE vec vec_xor(vec x, vec y)
{
    return (vec){x.a ^ y.a, x.b ^ y.b};
}

/* 0x69 is the truth table of x ^ y ^ z, from 000 as its top bit to 111. vec_ternarylogic is not
   used, because gcc 12 prints wrong numbers for the upper 32 registers.  The sum takes the
   place of x because gcc 12, free to choose, would copy many sums back: llvm-mca predicts 10.7
   bytes of source per cycle for P and Q instead of 13.1, and 8.1 instead of 9.1 for two general
   rows. */
PXR_INLINE reg reg_xor3(reg x, reg y, reg z)
{
    __asm__("xxeval %x0,%x0,%x1,%x2,0x69" : "+wa"(x) : "wa"(y), "wa"(z));
    return x;
}

PXR_INLINE vec vec_xor3(vec x, vec y, vec z)
{
    return (vec){reg_xor3(x.a, y.a, z.a), reg_xor3(x.b, y.b, z.b)};
}

PXR_INLINE vec vec_or(vec x, vec y)
{
    return (vec){x.a | y.a, x.b | y.b};
}

PXR_INLINE bool vec_any(vec v)
{
    return reg_any(v.a | v.b);
}

/* s is added separately, to keep its chain short: see verbs_vsx.h. */
PXR_INLINE sums sums_of_bytes(sums s, vec x)
{
    return s + vec_sum4s(x.b, vec_sum4s(x.a, sums_zero()));
}

PXR_INLINE sums sums_of_positions(sums s, vec x)
{
    return s + vec_msum(x.b, positions + 16, vec_msum(x.a, positions, sums_zero()));
}

PXR_INLINE terms terms_of(vec x)
{
    return x;
}

PXR_INLINE vec products(terms x, coef c)
{
    return (vec){permxor(c.high, c.low, x.a), permxor(c.high, c.low, x.b)};
}

PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    return vec_xor(acc, products(x, c));
}

PXR_INLINE vec mul_add_pair(vec acc, terms x, coef c, terms y, coef d)
{
    return vec_xor3(acc, products(x, c), products(y, d));
}

PXR_INLINE vec doubled(vec q)
{
    return (vec){reg_times(by_2, q.a), reg_times(by_2, q.b)};
}

PXR_INLINE vec double_add(vec q, vec x)
{
    return vec_xor(doubled(q), x);
}

/* 2*(2q + x) + y: one step of the chain for two sources. */
PXR_INLINE vec double_add_pair(vec q, vec x, vec y)
{
    return vec_xor3((vec){reg_times(by_4, q.a), reg_times(by_4, q.b)}, doubled(x), y);
}

#endif
