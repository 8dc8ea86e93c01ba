/* SPDX-License-Identifier: BSD-3-Clause */
/* Verbs of one register, for POWER8 and, with VERBS_POWER9, for POWER9. */
#ifndef PXR_VERBS_VSX_H
#define PXR_VERBS_VSX_H

#include "vsx.h"

#define VEC_BYTES 16
/* Sums and doubling take two sources at once.  This saves no instruction, but half of the chain
   and half of the loop's own work. llvm-mca predicts these bytes of source per cycle, with two
   at once and with one at a time: for P 12.8 and 11.3 on POWER8, 15.1 and 12.8 on POWER9
   (vsx_power9); for P and Q 6.1 in both cases on POWER8, and 8.0 and 6.4 on POWER9. */
#define VERBS_DOUBLE_PAIR 1
#define PAIR_SOURCES(general) ((general) == 0)
/* 6 rows of 4 vectors take 24 registers.  Sources, products and tables need some of the 32
   registers that vpermxor can name.  Accumulators may be in the other 32. */
#define BLOCK_VECTORS(rows) 4
/* 8 lanes of two vectors, and the group that they came from.  On POWER9 the predicted gains
   over the matrix for 8+4 are 1.13 with 12, the number for 16 registers, and 1.43 with 24. */
#define MOST_KEPT 24
/* Doubling is a vpermxor and an xor, like a general row, but without loading a table, and on
   POWER8 it needs no terms.  Its chain of 5 cycles (3 + 2, the latencies of gcc and LLVM) is
   shorter than the 10 cycles that two vector units take for P, Q and a general row of a block.
 */
#define HORNER_GENERAL 4

typedef reg vec, terms;

PXR_INLINE vec vec_load(const uint8_t *p)
{
    return reg_load(p);
}

PXR_INLINE void vec_store(uint8_t *p, vec v)
{
    reg_store(p, v);
}

PXR_INLINE vec vec_load_part(const uint8_t *p, size_t n)
{
    return reg_load_part(p, n);
}

PXR_INLINE void vec_store_part(uint8_t *p, vec v, size_t n)
{
    reg_store_part(p, v, n);
}

PXR_INLINE vec vec_zero(void)
{
    return (vec){0};
}

PXR_INLINE vec vec_xor(vec a, vec b)
{
    return a ^ b;
}

PXR_INLINE vec vec_or(vec a, vec b)
{
    return a | b;
}

PXR_INLINE bool vec_any(vec v)
{
    return reg_any(v);
}

/* vsum4ubs and vmsumubm could do the addition, too, but then their chains would take 7 cycles
   per vector. */
PXR_INLINE sums sums_of_bytes(sums s, vec x)
{
    return s + vec_sum4s(x, sums_zero());
}

PXR_INLINE sums sums_of_positions(sums s, vec x)
{
    return s + vec_msum(x, positions, sums_zero());
}

PXR_INLINE terms terms_of(vec x)
{
    return reg_terms(x);
}

PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    return acc ^ permxor(c.high, c.low, x);
}

PXR_INLINE vec double_add(vec q, vec x)
{
    return reg_times(by_2, q) ^ x;
}

/* 2*(2q + x) + y */
PXR_INLINE vec double_add_pair(vec q, vec x, vec y)
{
    return reg_times(by_4, q) ^ (reg_times(by_2, x) ^ y);
}

#endif
