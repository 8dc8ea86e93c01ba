/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the verbs of all three sets are made of: a 128-bit register, its loads and
 * stores, and multiplication.
 *
 * vpermxor t,a,b,x is a whole multiplication by a nibble table:
 *     t[i] = a[high nibble of x[i]] ^ b[low nibble of x[i]],
 * bytes being counted from the register's most significant one whatever the byte
 * order of memory.  A source's bytes may stand in the register in any order that
 * storing undoes, so nothing is spent on their order; a table's may not.  With
 * VERBS_POWER9 (ISA 3.0) lxvb16x loads a table in the order of memory.  Before it,
 * lxvd2x loads two doublewords, each byte-reversed: byte i of the register is entry
 * i^7.  Then TERMS_FLIP, flipped in both nibbles of all source bytes, finds the
 * entries where they are: one instruction per source vector for all rows, against
 * two per coefficient to put tables in order, and the same from 2 rows on with
 * blocks of 4 vectors.
 */
#ifndef PXR_VSX_H
#define PXR_VSX_H

#include <altivec.h>
#include <stddef.h>
#include <stdint.h>

#include "part.h"

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

/* The first n bytes, or all of them: none is touched where n is 0. */
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

PXR_INLINE reg reg_terms(reg x)
{
    return x ^ vec_splats((unsigned char)0x77);
}

#endif

typedef struct {
    reg low, high;
} coef;

PXR_INLINE coef coef_load(const uint8_t *table)
{
    return (coef){table_load(table), table_load(table + 16)};
}

/* Not vec_permxor, which compilers take to count bytes in the order of memory. */
PXR_INLINE reg permxor(reg high, reg low, reg x)
{
    reg product;
    __asm__("vpermxor %0,%1,%2,%3" : "=v"(product) : "v"(high), "v"(low), "v"(x));
    return product;
}

/* The table of 2, whose entries C counts from the other end of the register. */
PXR_INLINE reg reg_double(reg q)
{
    const reg high = {0xfd, 0xdd, 0xbd, 0x9d, 0x7d, 0x5d, 0x3d, 0x1d,
                      0xe0, 0xc0, 0xa0, 0x80, 0x60, 0x40, 0x20, 0x00};
    const reg low = {30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0};
    return permxor(high, low, q);
}

#endif
