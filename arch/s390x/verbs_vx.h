/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Verbs of the vector facility (z13 and later).  VPERM looks nibbles up.  VLL and VSTL load and
 * store a number of bytes.  Lanes are bytes in the order of memory, so the byte order of the
 * machine does not matter.
 */
#ifndef PXR_VERBS_VX_H
#define PXR_VERBS_VX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vecintrin.h>

#include "inline.h"

/* vecintrin.h has the name of this verb. */
#undef vec_or
#define vec_or verb_or

#define VEC_BYTES 16
#define LINE_VECTORS 16 /* lines of 256 bytes: one prefetch for a block */

/* Four vectors take 4 sums for each output, 8 registers of nibbles, 2 of tables and 1 to work
   with: 27 of the 32 with four outputs, though gcc 12 then keeps two sums on the stack.  It
   still takes 22.5 instructions for a vector, against 25 with blocks of two.  With five outputs
   it takes 29 against 30, with twelve sums on the stack. */
#define BLOCK_VECTORS(rows) ((rows) <= 4 ? 4 : 2)

/* Prefetching stays as it is elsewhere: once for 64 bytes of a source.  Cache lines have 256
   bytes, so three of four prefetches are repeats.  They are 1 instruction in 33 to 91. */

/* Doubling is 4 instructions, like a general row that shares its split with another one.
   Beside a general row, Horner's rule saves only the loading of a table. */
#define HORNER_GENERAL 0

typedef vector unsigned char vec;
typedef struct {
    vec low, high;
} terms, coef;

PXR_INLINE vec vec_load(const uint8_t *p)
{
    return vec_xl(0, p);
}

PXR_INLINE void vec_store(uint8_t *p, vec v)
{
    vec_xst(v, 0, p);
}

/* VLL and VSTL take the index of the last byte. */
PXR_INLINE vec vec_load_part(const uint8_t *p, size_t n)
{
    return vec_load_len(p, (unsigned)n - 1);
}

PXR_INLINE void vec_store_part(uint8_t *p, vec v, size_t n)
{
    vec_store_len(v, p, (unsigned)n - 1);
}

PXR_INLINE vec vec_zero(void)
{
    return vec_splats((unsigned char)0);
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
    return vec_any_ne(v, vec_zero());
}

/* Sums in lanes of 32 bits. */
typedef vector unsigned int sums;

PXR_INLINE sums sums_zero(void)
{
    return vec_splats(0u);
}

PXR_INLINE sums sums_add(sums s, sums t)
{
    return s + t;
}

PXR_INLINE sums sums_of_bytes(sums s, vec x)
{
    return s + vec_sum4(x, vec_zero());
}

/* The sum of two products of a byte and a position is below 2^13. */
PXR_INLINE sums sums_of_positions(sums s, vec x)
{
    const vec position = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const vector unsigned short pairs = vec_moadd(x, position, vec_mule(x, position));
    return s + vec_sum4(pairs, (vector unsigned short)vec_zero());
}

PXR_INLINE uint64_t sums_total(sums s)
{
    return (uint64_t)s[0] + s[1] + s[2] + s[3];
}

/* VPERM picks from the 32 bytes of two registers by the low five bits of an index.  With a
   table in both registers only the low four bits count, so the byte need not be masked. */
PXR_INLINE terms terms_of(vec x)
{
    return (terms){x, x >> 4};
}

PXR_INLINE coef coef_load(const uint8_t *table)
{
    return (coef){vec_load(table), vec_load(table + 16)};
}

PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    return acc ^ vec_perm(c.low, c.low, x.low) ^ vec_perm(c.high, c.high, x.high);
}

/* A rotated byte is the shifted byte, except that the bit that fell off the top is at the
   bottom.  VPERM looks this bit up: where it is set, the look-up removes it and subtracts
   0x11d. */
PXR_INLINE vec double_add(vec q, vec x)
{
    const vec reduce = {0, 0x1c, 0, 0x1c, 0, 0x1c, 0, 0x1c, 0, 0x1c, 0, 0x1c, 0, 0x1c, 0, 0x1c};
    const vec rotated = vec_rli(q, 1);
    return rotated ^ x ^ vec_perm(reduce, reduce, rotated);
}

#endif
