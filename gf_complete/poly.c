/* SPDX-License-Identifier: BSD-3-Clause */
#include "poly.h"

/* ---------------------------------------------------------- without carries -- */

/*
 * Computes a * b of 64 bits each. b is taken four bits at a time, from the top: the sum moves
 * up by four bits, and the multiple of a for these bits is added.  A multiple has up to 67
 * bits; those above bit 63 go to the high word.
 */
static struct pxr_gf_word long_product(uint64_t a, uint64_t b)
{
    struct pxr_gf_word multiple[16], sum = {0, 0};
    multiple[0] = sum;
    multiple[1] = pxr_gf_low_word(a);
    for (unsigned i = 2; i < 16; i += 2) {
        multiple[i] = pxr_gf_up(multiple[i / 2], 1);
        multiple[i + 1] = pxr_gf_sum(multiple[i], multiple[1]);
    }
    for (int shift = b >> 32 ? 60 : 28; shift >= 0; shift -= 4)
        sum = pxr_gf_sum(pxr_gf_up(sum, 4), multiple[b >> shift & 15]);
    return sum;
}

/*
 * x^w = p, so the part at x^w and above, q * x^w, equals q * p.  That polynomial has a lower
 * degree than q * x^w, so the repetition ends.
 */
uint64_t pxr_gf_product(int w, uint64_t p, uint64_t a, uint64_t b)
{
    const uint64_t mask = pxr_gf_mask(w).low;
    struct pxr_gf_word product = long_product(a, b);
    for (;;) {
        const uint64_t q = w == 64 ? product.high : product.high << (64 - w) | product.low >> w;
        if (q == 0)
            return product.low;
        product.low &= mask;
        product.high = 0;
        product = pxr_gf_sum(product, long_product(q, p));
    }
}

/*
 * The product of two polynomials of two words each has four words, with n[3] the highest. n[3]
 * and n[2] times p give three words, starting at n[0].  The top bit of the third of these words
 * is 0, because p has a degree of at most 63.  That word is folded once more, and then
 * everything is below x^128.
 */
struct pxr_gf_word pxr_gf_product_128(uint64_t p, struct pxr_gf_word a, struct pxr_gf_word b)
{
    const struct pxr_gf_word low = long_product(a.low, b.low);
    const struct pxr_gf_word high = long_product(a.high, b.high);
    const struct pxr_gf_word middle =
        pxr_gf_sum(long_product(a.high, b.low), long_product(a.low, b.high));
    const uint64_t n[4] = {low.low, low.high ^ middle.low, high.low ^ middle.high, high.high};
    const struct pxr_gf_word top = long_product(n[3], p);
    const struct pxr_gf_word next = long_product(n[2], p);
    const struct pxr_gf_word rest = long_product(top.high, p);
    return (struct pxr_gf_word){n[1] ^ top.low ^ next.high ^ rest.high,
                                n[0] ^ next.low ^ rest.low};
}

/* ---------------------------------------------------------------- inverses -- */

/* Returns the highest bit of a, which must not be 0. */
static int degree(struct pxr_gf_word a)
{
    return a.high ? 127 - __builtin_clzll(a.high) : 63 - __builtin_clzll(a.low);
}

static void swap(struct pxr_gf_word *a, struct pxr_gf_word *b)
{
    const struct pxr_gf_word kept = *a;
    *a = *b;
    *b = kept;
}

/*
 * Euclid's algorithm on u = a and v = x^w + p.  At every step u = f * a and v = g * a modulo
 * the first value of v.  When u or v is 1, f or g is the inverse.  In each step a multiple of
 * the polynomial of lower degree is subtracted from the other one.  So the degrees fall until
 * one polynomial is 1, or 0 if a and x^w + p have a common divisor. f and g stay below x^w
 * until then. v has one bit too many for a word only at first: the first step uses this v, and
 * removes that bit.
 */
struct pxr_gf_word pxr_gf_reciprocal(int w, uint64_t p, struct pxr_gf_word a)
{
    struct pxr_gf_word f = {0, 1}, g, u = a, v;
    if (pxr_gf_is(a, 0) || pxr_gf_is(a, 1))
        return a;
    const unsigned apart = (unsigned)(w - degree(a));
    const struct pxr_gf_word mask = pxr_gf_mask(w), shifted = pxr_gf_up(a, apart);
    v = pxr_gf_sum(pxr_gf_low_word(p),
                   (struct pxr_gf_word){shifted.high & mask.high, shifted.low & mask.low});
    g = pxr_gf_up(f, apart);
    while (!pxr_gf_is(u, 1) && !pxr_gf_is(v, 1)) {
        if (pxr_gf_is(u, 0) || pxr_gf_is(v, 0))
            return (struct pxr_gf_word){0, 0};
        if (degree(u) < degree(v)) {
            swap(&u, &v);
            swap(&f, &g);
        }
        const unsigned by = (unsigned)(degree(u) - degree(v));
        u = pxr_gf_sum(u, pxr_gf_up(v, by));
        f = pxr_gf_sum(f, pxr_gf_up(g, by));
    }
    return pxr_gf_is(u, 1) ? f : g;
}

/* --------------------------------------------------------------- primitive -- */

static uint64_t power_of_x(int w, uint64_t p, uint64_t exponent)
{
    const uint64_t x = pxr_gf_double(w, p, pxr_gf_low_word(1)).low;
    uint64_t power = 1;
    for (int bit = w - 1; bit >= 0; bit--) {
        power = pxr_gf_product(w, p, power, power);
        if (exponent >> bit & 1)
            power = pxr_gf_product(w, p, power, x);
    }
    return power;
}

/*
 * x has the order n = 2^w - 1 when x^n is 1 and x^(n/q) is not 1 for any prime q that divides
 * n.  Then its powers are n different elements, which are all elements but 0.
 */
bool pxr_gf_is_primitive(int w, uint64_t p)
{
    const uint64_t n = (UINT64_C(1) << w) - 1;
    uint64_t left = n;
    if (power_of_x(w, p, n) != 1)
        return false;
    for (uint64_t q = 2; left > 1; q++) {
        if (q * q > left)
            q = left;
        if (left % q != 0)
            continue;
        if (power_of_x(w, p, n / q) == 1)
            return false;
        while (left % q == 0)
            left /= q;
    }
    return true;
}
