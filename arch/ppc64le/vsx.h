/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The common parts of the verbs of all ppc64le sets: one 128-bit register, how it is loaded and
 * stored, and multiplication.
 *
 * vpermxor t,a,b,x is a whole multiplication by a nibble table:
 *     t[i] = a[high nibble of x[i]] ^ b[low nibble of x[i]],
 * where bytes are counted from the register's most significant one, whatever the byte order of
 * memory is.  The bytes of a source may be in any order that storing undoes, so their order
 * costs nothing.  The bytes of a table must be in order.
 *
 * With VERBS_POWER9 (ISA 3.0), lxvb16x loads a table in the order of memory.  Without it there
 * is lxvd2x, which reverses the bytes of each doubleword: byte n is entry n^7, and the look-up
 * finds it if the nibbles of x are xored with 7.  That is one instruction per source vector,
 * shared by all rows.  The tables could instead be put in order, with one vperm each and two
 * per coefficient.  In blocks of 4 vectors that is cheaper only for a single row.
 */
#ifndef PXR_VSX_H
#define PXR_VSX_H

#include <altivec.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "part.h"

/* altivec.h has the names of these verbs, as macros (gcc) or functions (clang). */
#undef vec_xor
#define vec_xor verb_xor
#undef vec_or
#define vec_or verb_or

typedef __vector unsigned char reg;

#ifdef VERBS_POWER9

PXR_INLINE reg reg_load(const uint8_t *p)
{
    return vec_xl(0, (uint8_t *)p);
}

PXR_INLINE void reg_store(uint8_t *p, reg v)
{
    vec_xst(v, 0, p);
}

/* Loads the first n bytes: none if n is 0, all 16 if it exceeds 16. */
PXR_INLINE reg reg_load_part(const uint8_t *p, size_t n)
{
    return vec_xl_len((uint8_t *)p, n);
}

PXR_INLINE void reg_store_part(uint8_t *p, reg v, size_t n)
{
    vec_xst_len(v, p, n);
}

PXR_INLINE reg table_load(const uint8_t *table)
{
    return vec_xl_be(0, (uint8_t *)table);
}

PXR_INLINE reg reg_terms(reg x)
{
    return x;
}

/* The place in memory of each byte of a register. */
static const reg positions = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

#else

typedef __vector unsigned long long doublewords;

PXR_INLINE reg reg_load(const uint8_t *p)
{
    return (reg)vec_xl_be(0, (unsigned long long *)p);
}

PXR_INLINE void reg_store(uint8_t *p, reg v)
{
    vec_xst_be((doublewords)v, 0, (unsigned long long *)p);
}

/* 1 <= n <= 16 */
PXR_INLINE reg reg_load_part(const uint8_t *p, size_t n)
{
    return (reg)load_part_16(p, n);
}

PXR_INLINE void reg_store_part(uint8_t *p, reg v, size_t n)
{
    store_part_16(p, (halves)v, n);
}

PXR_INLINE reg table_load(const uint8_t *table)
{
    return reg_load(table);
}

/* Xors both nibbles of every byte with 7. */
PXR_INLINE reg reg_terms(reg x)
{
    return x ^ vec_splats((unsigned char)0x77);
}

/* The place in memory of each byte of a register: lxvd2x exchanges the halves. */
static const reg positions = {8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7};

#endif

/*
 * Sources are prefetched 512 bytes ahead, as in kernel_dot.inc.h.  This was not measured here
 * but derived: a load from memory takes some 350 cycles, and 64 bytes of each of k sources take
 * about 10k cycles at 6 bytes per cycle. 512 bytes ahead are 80k cycles, enough from 5 sources
 * on.  The processors follow fewer sources by themselves (up to 16 streams), and 64 sources of
 * 512 bytes still fit in the 32 KiB of a level 1 cache.  Cache lines have 128 bytes. dcbz,
 * which takes a line without reading it, needs outputs that are aligned to lines, and does not
 * write around the caches.
 */
#define LINE_VECTORS (128 / VEC_BYTES)

typedef struct {
    reg low, high;
} coef;

PXR_INLINE coef coef_load(const uint8_t *table)
{
    return (coef){table_load(table), table_load(table + 16)};
}

/* vec_permxor is not used, because on little endian gcc complements x for it. */
PXR_INLINE reg permxor(reg high, reg low, reg x)
{
    reg product;
    __asm__("vpermxor %0,%1,%2,%3" : "=v"(product) : "v"(high), "v"(low), "v"(x));
    return product;
}

/* The tables of 2 and 4, with their last entries first: C counts a register's bytes in the
   order of memory, from its least significant one. gcc 12 would load those of pxr_nibble again
   for each source. */
static const coef by_2 = {
    .low = {30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0},
    .high = {0xfd, 0xdd, 0xbd, 0x9d, 0x7d, 0x5d, 0x3d, 0x1d, 0xe0, 0xc0, 0xa0, 0x80, 0x60, 0x40,
             0x20, 0x00},
};
static const coef by_4 = {
    .low = {60, 56, 52, 48, 44, 40, 36, 32, 28, 24, 20, 16, 12, 8, 4, 0},
    .high = {0xe7, 0xa7, 0x67, 0x27, 0xfa, 0xba, 0x7a, 0x3a, 0xdd, 0x9d, 0x5d, 0x1d, 0xc0, 0x80,
             0x40, 0x00},
};

PXR_INLINE reg reg_times(coef c, reg x)
{
    return permxor(c.high, c.low, x);
}

PXR_INLINE bool reg_any(reg x)
{
    return vec_any_ne(x, (reg){0});
}

/* Sums in lanes of 32 bits. */
typedef __vector unsigned int sums;

PXR_INLINE sums sums_zero(void)
{
    return (sums){0};
}

PXR_INLINE sums sums_add(sums s, sums t)
{
    return s + t;
}

PXR_INLINE uint64_t sums_total(sums s)
{
    return (uint64_t)s[0] + s[1] + s[2] + s[3];
}

#endif
