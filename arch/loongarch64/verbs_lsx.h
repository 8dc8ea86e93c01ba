/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Verbs of LSX (128 bits), or with VERBS_LASX defined, of LASX (256 bits).  (x)vshuf.b looks
 * nibbles up.  The compilers' own vectors do most of the rest.
 */
#ifndef PXR_VERBS_LSX_H
#define PXR_VERBS_LSX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "part.h"

/* INSN(vxor_v) is the intrinsic of vxor.v or xvxor.v, on registers. */
#ifdef VERBS_LASX
#include <lasxintrin.h>
#define VEC_BYTES 32
#define INSN(name) __lasx_x##name
typedef __m256i registers;
#else
#include <lsxintrin.h>
#define VEC_BYTES 16
#define INSN(name) __lsx_##name
typedef __m128i registers;
#endif

/* Four vectors take 4 sums for each output, 8 registers of nibbles, 2 of tables and 1 to work
   with: 31 of the 32 with five outputs. clang 19 then has no sum on the stack, and takes 29
   (LSX) or 30 (LASX) instructions for a vector of all five, against 36 and 38 with blocks of
   two. */
#define BLOCK_VECTORS(rows) ((rows) <= 5 ? 4 : 2)

/* Doubling is 5 instructions, one more than a general row that shares its split with another
   one.  So Horner's rule pays only where it saves the split. */
#define HORNER_GENERAL 0

typedef uint8_t vec __attribute__((vector_size(VEC_BYTES)));
typedef struct {
    vec low, high;
} terms, coef;

PXR_INLINE vec vec_load(const uint8_t *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

PXR_INLINE void vec_store(uint8_t *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

PXR_INLINE vec vec_zero(void)
{
    return (vec){0};
}

/* vec_xor and vec_or are not written with ^ and |. For arguments of 128 bits clang 19 takes
   those for operations on integers and keeps sums in general registers: 48 instructions for a
   vector of four outputs instead of 23. */
PXR_INLINE vec vec_xor(vec a, vec b)
{
    return (vec)INSN(vxor_v)((registers)a, (registers)b);
}

PXR_INLINE vec vec_or(vec a, vec b)
{
    return (vec)INSN(vor_v)((registers)a, (registers)b);
}

PXR_INLINE bool vec_any(vec v)
{
    return INSN(bnz_v)((registers)v);
}

/* Sums in lanes of 32 bits. */
typedef uint32_t sums __attribute__((vector_size(VEC_BYTES)));

PXR_INLINE sums sums_zero(void)
{
    return (sums){0};
}

PXR_INLINE sums sums_add(sums s, sums t)
{
    return s + t;
}

/* Adds the sums of every two lanes of 16 bits. */
PXR_INLINE sums sums_of_pairs(sums s, registers pairs)
{
    return s + (sums)INSN(vhaddw_wu_hu)(pairs, pairs);
}

PXR_INLINE sums sums_of_bytes(sums s, vec x)
{
    return sums_of_pairs(s, INSN(vhaddw_hu_bu)((registers)x, (registers)x));
}

/* The sum of two products of a byte and a position is below 2^14. */
PXR_INLINE sums sums_of_positions(sums s, vec x)
{
    vec position;
    for (unsigned i = 0; i < VEC_BYTES; i++)
        position[i] = (uint8_t)i;
    const registers even = INSN(vmulwev_h_bu)((registers)x, (registers)position);
    return sums_of_pairs(s, INSN(vmaddwod_h_bu)(even, (registers)x, (registers)position));
}

PXR_INLINE uint64_t sums_total(sums s)
{
    uint64_t total = 0;
    for (unsigned i = 0; i < VEC_BYTES / sizeof s[0]; i++)
        total += s[i];
    return total;
}

/* Shuffles pick from two registers by the low five bits of an index.  The low nibble is masked
   although the table is in both registers, so that nothing depends on what the other three bits
   do. */
PXR_INLINE terms terms_of(vec x)
{
    return (terms){x & 15, x >> 4};
}

PXR_INLINE vec look_up(vec table, vec nibbles)
{
    return (vec)INSN(vshuf_b)((registers)table, (registers)table, (registers)nibbles);
}

/* The two sets differ in partial loads and in tables. */
#ifdef VERBS_LASX

typedef uint64_t quarters __attribute__((vector_size(32)));

/* 16 bytes or more are handled as their first and their last 16 bytes: see part.h. */
PXR_INLINE vec vec_load_part(const uint8_t *p, size_t n)
{
    halves first, last = {0};
    if (n >= 16) {
        memcpy(&first, p, sizeof first);
        memcpy(&last, p + n - sizeof last, sizeof last);
    } else {
        first = load_part_16(p, n);
    }
    return (vec)(quarters){first[0], first[1], last[0], last[1]};
}

PXR_INLINE void vec_store_part(uint8_t *p, vec v, size_t n)
{
    const quarters q = (quarters)v;
    const halves first = {q[0], q[1]}, last = {q[2], q[3]};
    if (n >= 16) {
        memcpy(p, &first, sizeof first);
        memcpy(p + n - sizeof last, &last, sizeof last);
    } else {
        store_part_16(p, first, n);
    }
}

/* xvshuf.b looks up within halves of 128 bits, so each half gets the table.  One load reads
   both tables of a coefficient, and then each is copied over the other. */
PXR_INLINE coef coef_load(const uint8_t *table)
{
    const __m256i both = (__m256i)vec_load(table);
    return (coef){(vec)__lasx_xvpermi_q(both, both, 0x00),
                  (vec)__lasx_xvpermi_q(both, both, 0x11)};
}

#else

PXR_INLINE vec vec_load_part(const uint8_t *p, size_t n)
{
    return (vec)load_part_16(p, n);
}

PXR_INLINE void vec_store_part(uint8_t *p, vec v, size_t n)
{
    store_part_16(p, (halves)v, n);
}

PXR_INLINE coef coef_load(const uint8_t *table)
{
    return (coef){vec_load(table), vec_load(table + 16)};
}

#endif

PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    return vec_xor(vec_xor(acc, look_up(c.low, x.low)), look_up(c.high, x.high));
}

/* Shifts each byte left by one, and subtracts 0x11d where a bit fell off the top.  An
   arithmetic shift right fills a byte with its top bit. */
PXR_INLINE vec double_add(vec q, vec x)
{
    typedef int8_t numbers __attribute__((vector_size(VEC_BYTES)));
    return vec_xor(vec_xor(q + q, (vec)((numbers)q >> 7) & 0x1d), x);
}

#endif
