/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel set that runs anywhere.  It works on eight bytes in a 64-bit word.
 *
 * A product is the sum of c*2^b over all bits b that are set in x.  First bit b of each of the
 * eight bytes is moved to the bottom of its lane, so that each lane is 0 or 1.  Then one
 * integer multiplication by the byte c*2^b puts c*2^b into the lanes that are 1.  No lane
 * exceeds 255, so nothing carries over.  Lanes never mix, so the byte order of the machine does
 * not matter.
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

typedef uint64_t vec, terms;
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

PXR_INLINE vec vec_or(vec a, vec b)
{
    return a | b;
}

PXR_INLINE bool vec_any(vec v)
{
    return v != 0;
}

/* The base set keeps one total instead of sums in lanes. */
typedef uint64_t sums;

PXR_INLINE sums sums_zero(void)
{
    return 0;
}

PXR_INLINE sums sums_add(sums s, sums t)
{
    return s + t;
}

/* Returns the bytes at the even places of the number, in lanes of 16 bits. */
PXR_INLINE uint64_t even_bytes(uint64_t x)
{
    return x & UINT64_C(0x00ff00ff00ff00ff);
}

/* Returns the sum of lane i of x times lane 3-i of w: the top lane of the product.  Nothing
   carries into it while such sums stay below 2^16. */
PXR_INLINE uint64_t dot_lanes(uint64_t x, uint64_t w)
{
    return x * w >> 48;
}

PXR_INLINE sums sums_of_bytes(sums s, vec x)
{
    return s + dot_lanes(even_bytes(x) + even_bytes(x >> 8), UINT64_C(0x0001000100010001));
}

PXR_INLINE sums sums_of_positions(sums s, vec x)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t even = UINT64_C(0x0000000200040006), odd = UINT64_C(0x0001000300050007);
#else
    const uint64_t even = UINT64_C(0x0007000500030001), odd = UINT64_C(0x0006000400020000);
#endif
    return s + dot_lanes(even_bytes(x), even) + dot_lanes(even_bytes(x >> 8), odd);
}

PXR_INLINE uint64_t sums_total(sums s)
{
    return s;
}

/* The bits of a source are taken out anew for each coefficient.  To keep them would take eight
   registers for each source, which most processors do not have. */
PXR_INLINE terms terms_of(vec x)
{
    return x;
}

PXR_INLINE coef coef_load(const uint8_t *table)
{
    return table;
}

/* c*2^b is entry 2^b of the low half of the table for b < 4, and entry 2^(b-4) of its high half
   otherwise. */
PXR_INLINE vec mul_add(vec acc, terms x, coef c)
{
    for (int b = 0; b < 4; b++)
        acc ^= (x >> b & LANES) * c[1 << b] ^ (x >> (4 + b) & LANES) * c[16 + (1 << b)];
    return acc;
}

/* Shifts each lane left by one, and subtracts 0x11d where a bit fell off the top. */
PXR_INLINE vec double_add(vec q, vec x)
{
    return ((q & LANES * 0x7f) << 1) ^ (q >> 7 & LANES) * 0x1d ^ x;
}

#include "kernel_set.inc.h"

const uint8_t pxr_zeros[PXR_ZEROS] __attribute__((aligned(64)));
