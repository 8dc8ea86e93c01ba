/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Verbs for POWER10, of two registers: xxeval adds the products of two sources to a
 * sum at once.
 *
 * Four vector units and two loads per cycle make loading the limit: for 2 rows, a
 * source takes b + 6 loads (its b registers, two tables, its address, a prefetch)
 * against 3b vector instructions.  Blocks of b = 4 registers would therefore take 5
 * cycles for 3 of arithmetic; 8 registers take 7 for 6.  That is why a vector has
 * two registers here.
 */
#ifndef PXR_VERBS_VSX_POWER10_H
#define PXR_VERBS_VSX_POWER10_H

#define VERBS_POWER9
#include "vsx.h"

#define VEC_BYTES 32
#define VERBS_XOR3 1
#define VERBS_MUL_PAIR 1
#define PAIR_SOURCES(general) 1
/* 4 rows of 4 vectors are 32 accumulators, which may stand in the registers that
   vpermxor cannot name.  It can name 32, which two sources fill by half. */
#define BLOCK_VECTORS(rows) ((rows) <= 4 ? 4 : 2)
/* For two sources a general row is 3 instructions of arithmetic and doubling 4, in a
   chain of 7 cycles a source (LLVM's latencies, 4 + 3), while all loads of a source
   for P and a general row take 6. */
#define HORNER_GENERAL (-1)

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

/* How many of n bytes the second register takes; the first takes the others. */
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

/* 0x69 is the truth table of x ^ y ^ z, from 000 as its top bit to 111.  Not
   vec_ternarylogic: gcc 12 prints the numbers of the upper 32 registers wrong. */
PXR_INLINE reg reg_xor3(reg x, reg y, reg z)
{
    reg sum;
    __asm__("xxeval %x0,%x1,%x2,%x3,0x69" : "=wa"(sum) : "wa"(x), "wa"(y), "wa"(z));
    return sum;
}

PXR_INLINE vec vec_xor3(vec x, vec y, vec z)
{
    return (vec){reg_xor3(x.a, y.a, z.a), reg_xor3(x.b, y.b, z.b)};
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

PXR_INLINE vec double_add(vec q, vec x)
{
    return (vec){reg_double(q.a) ^ x.a, reg_double(q.b) ^ x.b};
}

#endif
