/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reference: arithmetic of GF(2^8) from its definition, without any code of the library.
 * It is slow on purpose.
 */
#ifndef PXR_UNIT_REFERENCE_H
#define PXR_UNIT_REFERENCE_H

#include <stdint.h>

/* The product of two polynomials over GF(2), reduced by a third one of degree 8:
   shift and add, then subtract the modulus from the top bit down. */
static inline uint8_t reference_product(uint8_t a, uint8_t b, unsigned modulus)
{
    unsigned product = 0;
    for (int bit = 0; bit < 8; bit++)
        if (b >> bit & 1)
            product ^= (unsigned)a << bit;
    for (int bit = 14; bit >= 8; bit--)
        if (product >> bit & 1)
            product ^= modulus << (bit - 8);
    return (uint8_t)product;
}

/* The x with a*x = 1, by trial; 0 for a = 0. */
static inline uint8_t reference_inverse(uint8_t a, unsigned modulus)
{
    for (unsigned x = 1; x < 256; x++)
        if (reference_product(a, (uint8_t)x, modulus) == 1)
            return (uint8_t)x;
    return 0;
}

/* In the library's field: modulo x^8+x^4+x^3+x^2+1. */
static inline uint8_t reference_mul(uint8_t a, uint8_t b)
{
    return reference_product(a, b, 0x11d);
}

static inline uint8_t reference_inv(uint8_t a)
{
    return reference_inverse(a, 0x11d);
}

/* a to the power e, by repeated multiplication; a^0 = 1, also for a = 0. */
static inline uint8_t reference_pow(uint8_t a, unsigned e)
{
    uint8_t power = 1;
    while (e-- > 0)
        power = reference_mul(power, a);
    return power;
}

#endif
