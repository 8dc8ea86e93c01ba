/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Polynomials over GF(2) modulo x^w + p(x), computed by their definition: bit i of a word is
 * the coefficient of x^i. w is 1 to 64, or 128 with a p of 64 bits.  The modulus need not be
 * irreducible.
 */
#ifndef PXR_GF_POLY_H
#define PXR_GF_POLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 128 bits.  Narrower elements use the lowest of them. */
struct pxr_gf_word {
    uint64_t high, low;
};

static inline struct pxr_gf_word pxr_gf_low_word(uint64_t low)
{
    return (struct pxr_gf_word){0, low};
}

static inline struct pxr_gf_word pxr_gf_sum(struct pxr_gf_word a, struct pxr_gf_word b)
{
    return (struct pxr_gf_word){a.high ^ b.high, a.low ^ b.low};
}

static inline bool pxr_gf_is(struct pxr_gf_word a, uint64_t low)
{
    return a.high == 0 && a.low == low;
}

/* Returns a * x^n, 0 <= n < 128, without the bits that do not fit. */
static inline struct pxr_gf_word pxr_gf_up(struct pxr_gf_word a, unsigned n)
{
    if (n == 0)
        return a;
    if (n >= 64)
        return (struct pxr_gf_word){a.low << (n - 64), 0};
    return (struct pxr_gf_word){a.high << n | a.low >> (64 - n), a.low << n};
}

static inline bool pxr_gf_bit(struct pxr_gf_word a, unsigned n)
{
    return (n < 64 ? a.low >> n : a.high >> (n - 64)) & 1;
}

/* Returns a word with all w bits set. */
static inline struct pxr_gf_word pxr_gf_mask(int w)
{
    if (w >= 64)
        return (struct pxr_gf_word){w == 128 ? ~UINT64_C(0) : 0, ~UINT64_C(0)};
    return pxr_gf_low_word((UINT64_C(1) << w) - 1);
}

/* Return the low w/2 bits, and the high w/2 bits, of a word of w bits. */
static inline struct pxr_gf_word pxr_gf_low_half(int w, struct pxr_gf_word a)
{
    return pxr_gf_low_word(a.low & pxr_gf_mask(w / 2).low);
}

static inline struct pxr_gf_word pxr_gf_high_half(int w, struct pxr_gf_word a)
{
    return pxr_gf_low_word(w == 128 ? a.high : a.low >> w / 2);
}

/* Return a * b for w up to 64, and for w = 128. a and b have w bits, and so has p. */
uint64_t pxr_gf_product(int w, uint64_t p, uint64_t a, uint64_t b);
struct pxr_gf_word pxr_gf_product_128(uint64_t p, struct pxr_gf_word a, struct pxr_gf_word b);

/* Returns 1 / a for any w, or 0 when a has no inverse. */
struct pxr_gf_word pxr_gf_reciprocal(int w, uint64_t p, struct pxr_gf_word a);

/* Returns a * x for any w. */
static inline struct pxr_gf_word pxr_gf_double(int w, uint64_t p, struct pxr_gf_word a)
{
    const struct pxr_gf_word mask = pxr_gf_mask(w);
    /* All ones if the highest bit of a leaves the word.  A branch would often be foretold
       wrongly. */
    const uint64_t over = -(uint64_t)pxr_gf_bit(a, (unsigned)w - 1);
    a = pxr_gf_up(a, 1);
    return (struct pxr_gf_word){a.high & mask.high, (a.low & mask.low) ^ (p & over)};
}

/* Returns whether the powers of x are all elements but 0, for w up to 32. */
bool pxr_gf_is_primitive(int w, uint64_t p);

#endif
