/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The field GF(2^8) = GF(2)[x]/(x^8+x^4+x^3+x^2+1): its constant tables and its scalar
 * operations.  Addition is xor. 2 (the polynomial x) generates the multiplicative group, so
 * 2^255 = 1.
 */
#ifndef PXR_GF256_H
#define PXR_GF256_H

#include <stdint.h>

/* Bytes of the nibble table of one coefficient c: c*0 to c*15, then c*0x00 to c*0xf0. */
#define PXR_TABLE 32

/* The most levels that a transform of structured encoding has (structure.h). */
#define PXR_MAX_LEVELS 4

/* pxr_nibble[c] is ISA-L's table of c: the products of c with each low nibble, then with each
   high nibble.  Entry 1 is c itself. */
extern const uint8_t pxr_nibble[256][PXR_TABLE];

/* pxr_affine[c] multiplies by c: it is the bit matrix that gf2p8affineqb takes. */
extern const uint64_t pxr_affine[256];

/* pxr_power[e] = 2^e. */
extern const uint8_t pxr_power[256];

/* pxr_twiddle[n][x] = s(x) / s(2^n), where s(x) is the product of x + v over all v < 2^n.
   These are the twiddles of structured encoding (structure.c). */
extern const uint8_t pxr_twiddle[PXR_MAX_LEVELS + 1][256];

/* pxr_inverse[c] * c = 1; pxr_inverse[0] = 0 as in ISA-L. */
extern const uint8_t pxr_inverse[256];

/* c*x = c*(low nibble) + c*(high nibble), since multiplication distributes. */
static inline uint8_t pxr_mul(uint8_t c, uint8_t x)
{
    return pxr_nibble[c][x & 15] ^ pxr_nibble[c][16 + (x >> 4)];
}

/* 2^e for any e, since 2^255 = 1. */
static inline uint8_t pxr_pow2(unsigned e)
{
    return pxr_power[e % 255];
}

#endif
