/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel set that runs anywhere: eight bytes in a 64-bit word.
 *
 * A product is the sum, over the bits of x, of c*2^b where bit b is set.  With
 * the bits b of eight bytes isolated at the bottom of their lanes (each lane 0
 * or 1), one integer multiplication by the byte c*2^b puts c*2^b into the
 * lanes that are 1; no lane exceeds 255, so nothing carries over.  Lanes never
 * meet, so the byte order of the machine does not matter.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernels.h"

#define KERNEL_NAME base
#define KERNEL_NEEDS ""
#define KERNEL_REQUIRES 0

#define VEC_BYTES 8
#define HORNER_GENERAL 4
#define LANES UINT64_C(0x0101010101010101)

typedef uint64_t vec;
typedef struct {
    uint64_t bit[8];
} terms;
typedef const uint8_t *coef;

PXR_INLINE vec vec_load_part(const uint8_t *p, size_t n)
{
    vec v = 0;
    memcpy(&v, p, n);
    return v;
}

PXR_INLINE vec vec_load(const uint8_t *p)
{
    vec v;
    memcpy(&v, p, sizeof v);
    return v;
}

PXR_INLINE void vec_store_part(uint8_t *p, vec v, size_t n)
{
    memcpy(p, &v, n);
}

PXR_INLINE void vec_store(uint8_t *p, vec v)
{
    memcpy(p, &v, sizeof v);
}

PXR_INLINE vec vec_zero(void)
{
    return 0;
}

PXR_INLINE vec vec_xor(vec a, vec b)
{
    return a ^ b;
}

PXR_INLINE terms terms_of(vec x)
{
    terms t;
    for (int b = 0; b < 8; b++)
        t.bit[b] = x >> b & LANES;
    return t;
}

PXR_INLINE coef coef_load(const uint8_t *table)
{
    return table;
}

/* c*2^b is entry 2^b of the table's low half, 2^(b-4) of its high half. */
PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    for (int b = 0; b < 4; b++)
        acc ^= x.bit[b] * c[1 << b] ^ x.bit[4 + b] * c[16 + (1 << b)];
    return acc;
}

/* Lanes shifted left by one, less 0x11d where a bit fell off their top. */
PXR_INLINE vec double_add(vec q, vec x)
{
    return ((q & LANES * 0x7f) << 1) ^ (q >> 7 & LANES) * 0x1d ^ x;
}

#include "kernel_set.inc.h"
