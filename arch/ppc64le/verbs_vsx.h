/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Verbs of one register, for POWER8 and, with VERBS_POWER9, POWER9.
 */
#ifndef PXR_VERBS_VSX_H
#define PXR_VERBS_VSX_H

#include "vsx.h"

#define VEC_BYTES 16
#define BLOCK_VECTORS(rows) 4
#define HORNER_GENERAL 4
#define LINE_VECTORS 8

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
    return reg_double(q) ^ x;
}

PXR_INLINE vec horner_open(vec v)
{
    return v;
}

PXR_INLINE vec horner_close(vec q)
{
    return q;
}

#endif
