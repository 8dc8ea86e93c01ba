/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * COMPOSITE fields: pairs of elements of a base field, a = a1*x + a0 modulo x^2 + s*x + 1.
 *
 * With x^2 = s*x + 1 the product of a and b is
 *     (a1*b0 + a0*b1 + s*a1*b1) * x + a0*b0 + a1*b1.
 * The roots of the polynomial are x and x + s.  The conjugate of a has x + s in place of x.
 * The product of a with its conjugate is an element of the base field,
 *     n = (a1*x + a0) * (a1*x + a1*s + a0) = a0^2 + s*a0*a1 + a1^2,
 * so 1/a is the conjugate divided by n: a1/n * x + (a0 + s*a1)/n.
 */
#include "field.h"

/* ------------------------------------------------ elements as numbers of any w -- */

struct pxr_gf_word pxr_gf_multiply(gf_t *gf, struct pxr_gf_word a, struct pxr_gf_word b)
{
    const int w = pxr_gf_head(gf)->w;
    if (w <= 32)
        return pxr_gf_low_word(gf->multiply.w32(gf, (uint32_t)a.low, (uint32_t)b.low));
    if (w == 64)
        return pxr_gf_low_word(gf->multiply.w64(gf, a.low, b.low));
    uint64_t first[2], second[2], product[2];
    pxr_gf_to_pair(a, first);
    pxr_gf_to_pair(b, second);
    gf->multiply.w128(gf, first, second, product);
    return pxr_gf_of_pair(product);
}

struct pxr_gf_word pxr_gf_inverse(gf_t *gf, struct pxr_gf_word a)
{
    const int w = pxr_gf_head(gf)->w;
    if (w <= 32)
        return pxr_gf_low_word(gf->inverse.w32(gf, (uint32_t)a.low));
    if (w == 64)
        return pxr_gf_low_word(gf->inverse.w64(gf, a.low));
    uint64_t pair[2], inverse[2];
    pxr_gf_to_pair(a, pair);
    gf->inverse.w128(gf, pair, inverse);
    return pxr_gf_of_pair(inverse);
}

/* ------------------------------------------------------------------- halves -- */

struct halves {
    struct pxr_gf_word high, low;
};

/* Bits above w-1 may be set, because callers pass arguments unchanged. */
static struct halves split(int w, struct pxr_gf_word a)
{
    a.low &= pxr_gf_mask(w).low;
    return (struct halves){pxr_gf_high_half(w, a), pxr_gf_low_half(w, a)};
}

static struct pxr_gf_word join(int w, struct halves a)
{
    return pxr_gf_sum(pxr_gf_up(a.high, (unsigned)w / 2), a.low);
}

static struct pxr_gf_word multiply(gf_t *gf, struct pxr_gf_word a, struct pxr_gf_word b)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    gf_t *const base = head->base;
    const struct halves m = split(head->w, a), n = split(head->w, b);
    const struct pxr_gf_word high = pxr_gf_multiply(base, m.high, n.high);
    const struct pxr_gf_word crossed =
        pxr_gf_sum(pxr_gf_multiply(base, m.high, n.low), pxr_gf_multiply(base, m.low, n.high));
    return join(
        head->w,
        (struct halves){.high = pxr_gf_sum(
                            crossed, pxr_gf_multiply(base, high, pxr_gf_low_word(head->poly))),
                        .low = pxr_gf_sum(pxr_gf_multiply(base, m.low, n.low), high)});
}

static struct pxr_gf_word inverse(gf_t *gf, struct pxr_gf_word a)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    gf_t *const base = head->base;
    const struct halves m = split(head->w, a);
    const struct pxr_gf_word conjugate =
        pxr_gf_sum(m.low, pxr_gf_multiply(base, m.high, pxr_gf_low_word(head->poly)));
    const struct pxr_gf_word norm = pxr_gf_sum(pxr_gf_multiply(base, m.low, conjugate),
                                               pxr_gf_multiply(base, m.high, m.high));
    /* The base field may be of another library, whose answer for 1/0 is unknown. */
    if (pxr_gf_is(norm, 0))
        return norm;
    const struct pxr_gf_word factor = pxr_gf_inverse(base, norm);
    return join(head->w, (struct halves){pxr_gf_multiply(base, m.high, factor),
                                         pxr_gf_multiply(base, conjugate, factor)});
}

/* ---------------------------------------------------------------- functions -- */

static gf_val_32_t multiply_32(gf_t *gf, gf_val_32_t a, gf_val_32_t b)
{
    return (uint32_t)multiply(gf, pxr_gf_low_word(a), pxr_gf_low_word(b)).low;
}

static gf_val_32_t inverse_32(gf_t *gf, gf_val_32_t a)
{
    return (uint32_t)inverse(gf, pxr_gf_low_word(a)).low;
}

static gf_val_32_t divide_32(gf_t *gf, gf_val_32_t a, gf_val_32_t b)
{
    return multiply_32(gf, a, inverse_32(gf, b));
}

static gf_val_64_t multiply_64(gf_t *gf, gf_val_64_t a, gf_val_64_t b)
{
    return multiply(gf, pxr_gf_low_word(a), pxr_gf_low_word(b)).low;
}

static gf_val_64_t inverse_64(gf_t *gf, gf_val_64_t a)
{
    return inverse(gf, pxr_gf_low_word(a)).low;
}

static gf_val_64_t divide_64(gf_t *gf, gf_val_64_t a, gf_val_64_t b)
{
    return multiply_64(gf, a, inverse_64(gf, b));
}

static void multiply_128(gf_t *gf, gf_val_128_t a, gf_val_128_t b, gf_val_128_t c)
{
    pxr_gf_to_pair(multiply(gf, pxr_gf_of_pair(a), pxr_gf_of_pair(b)), c);
}

static void inverse_128(gf_t *gf, gf_val_128_t a, gf_val_128_t b)
{
    pxr_gf_to_pair(inverse(gf, pxr_gf_of_pair(a)), b);
}

static void divide_128(gf_t *gf, gf_val_128_t a, gf_val_128_t b, gf_val_128_t c)
{
    pxr_gf_to_pair(multiply(gf, pxr_gf_of_pair(a), inverse(gf, pxr_gf_of_pair(b))), c);
}

void pxr_gf_set_composite(gf_t *gf)
{
    const int w = pxr_gf_head(gf)->w;
    if (w <= 32) {
        gf->multiply.w32 = multiply_32;
        gf->divide.w32 = divide_32;
        gf->inverse.w32 = inverse_32;
    } else if (w == 64) {
        gf->multiply.w64 = multiply_64;
        gf->divide.w64 = divide_64;
        gf->inverse.w64 = inverse_64;
    } else {
        gf->multiply.w128 = multiply_128;
        gf->divide.w128 = divide_128;
        gf->inverse.w128 = inverse_128;
    }
}

/* --------------------------------------------------------------- default s -- */

/* For each base field, an s for which x^2 + s*x + 1 is irreducible.  A base field is identified
   by its w and by its polynomial; for a COMPOSITE base over a base with its own default s, by
   the s of the COMPOSITE base. */
struct choice {
    int w;
    bool composite;
    uint64_t poly, s;
};
static const struct choice choices[] = {
    {4, false, 0x13, 2},
    {8, false, 0x11d, 3},
    {16, false, 0x1100b, 2},
    {16, false, 0x1002d, 7},
    {16, true, 3, 0x105},
    {32, false, 0x400007, 2},
    {32, false, 0xc5, 3},
    {32, true, 2, 0x10005},
    {32, true, 7, 0x10008},
    {32, true, 0x105, 0x10002},
    {64, false, 0x1b, 2},
    {64, true, 3, UINT64_C(0x100000009)},
    {64, true, 2, UINT64_C(0x100000004)},
    {64, true, 0x10005, UINT64_C(0x100000003)},
    {64, true, 0x10002, UINT64_C(0x100000005)},
    {64, true, 0x10008, UINT64_C(0x100000006)},
};

uint64_t pxr_gf_composite_poly(gf_t *base)
{
    const struct pxr_gf_head *const head = pxr_gf_head(base);
    const bool composite = head->mult_type == GF_MULT_COMPOSITE;
    if (composite && pxr_gf_composite_poly(head->base) != head->poly)
        return 0;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (choices[i].w == head->w && choices[i].composite == composite &&
            choices[i].poly == head->poly)
            return choices[i].s;
    return 0;
}
