/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fields defined by a polynomial, and their functions on single elements where there are no
 * tables.
 */
#include "field.h"

#include "errors.h"
#include "region.h"
#include "words.h"

/* -------------------------------------------------------------- polynomials -- */

static gf_val_32_t multiply_32(gf_t *gf, gf_val_32_t a, gf_val_32_t b)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    const uint32_t mask = pxr_gf_mask_32(head);
    return (uint32_t)pxr_gf_product(head->w, pxr_gf_low_poly(head), a & mask, b & mask);
}

static gf_val_32_t inverse_32(gf_t *gf, gf_val_32_t a)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    const struct pxr_gf_word word = pxr_gf_low_word(a & pxr_gf_mask_32(head));
    return (uint32_t)pxr_gf_reciprocal(head->w, pxr_gf_low_poly(head), word).low;
}

static gf_val_32_t divide_32(gf_t *gf, gf_val_32_t a, gf_val_32_t b)
{
    return multiply_32(gf, a, inverse_32(gf, b));
}

static gf_val_64_t multiply_64(gf_t *gf, gf_val_64_t a, gf_val_64_t b)
{
    return pxr_gf_product(64, pxr_gf_head(gf)->poly, a, b);
}

static gf_val_64_t inverse_64(gf_t *gf, gf_val_64_t a)
{
    return pxr_gf_reciprocal(64, pxr_gf_head(gf)->poly, pxr_gf_low_word(a)).low;
}

static gf_val_64_t divide_64(gf_t *gf, gf_val_64_t a, gf_val_64_t b)
{
    return multiply_64(gf, a, inverse_64(gf, b));
}

static void multiply_128(gf_t *gf, gf_val_128_t a, gf_val_128_t b, gf_val_128_t c)
{
    pxr_gf_to_pair(
        pxr_gf_product_128(pxr_gf_head(gf)->poly, pxr_gf_of_pair(a), pxr_gf_of_pair(b)), c);
}

static void inverse_128(gf_t *gf, gf_val_128_t a, gf_val_128_t b)
{
    pxr_gf_to_pair(pxr_gf_reciprocal(128, pxr_gf_head(gf)->poly, pxr_gf_of_pair(a)), b);
}

static void divide_128(gf_t *gf, gf_val_128_t a, gf_val_128_t b, gf_val_128_t c)
{
    uint64_t inverse[2];
    inverse_128(gf, b, inverse);
    multiply_128(gf, a, inverse, c);
}

/* ----------------------------------------------------------------- any field -- */

static void set_polynomials(gf_t *gf)
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

/* Returns the terms below x^w. */
static uint64_t default_poly(int w)
{
    return w <= 32 ? pxr_word_polynomials[w] : w == 64 ? 0x1b : 0x87;
}

static void set_poly(struct pxr_gf_head *head)
{
    if (head->poly == 0)
        head->poly = default_poly(head->w);
    if (head->w < 32)
        head->poly |= UINT64_C(1) << head->w;
    else if (head->w == 32)
        head->poly &= UINT32_MAX;
}

/* Returns whether logarithms were asked for, and the field has none. */
static bool lacks_logs(const struct pxr_gf_head *head)
{
    return (head->mult_type == GF_MULT_LOG_TABLE || head->mult_type == GF_MULT_LOG_ZERO ||
            head->mult_type == GF_MULT_LOG_ZERO_EXT) &&
           !pxr_gf_is_primitive(head->w, pxr_gf_low_poly(head));
}

static int complete_polynomial(gf_t *gf)
{
    struct pxr_gf_head *const head = pxr_gf_head(gf);
    set_poly(head);
    if (lacks_logs(head))
        return pxr_gf_fail(PXR_GF_E_LOG_POLY);
    if (head->w <= 8)
        pxr_gf_set_small(gf);
    else if (head->w <= 16 && pxr_gf_is_primitive(head->w, pxr_gf_low_poly(head)))
        pxr_gf_set_logs(gf);
    else
        set_polynomials(gf);
    return 1;
}

static int complete_composite(gf_t *gf)
{
    struct pxr_gf_head *const head = pxr_gf_head(gf);
    if (!head->base)
        return pxr_gf_fail(PXR_GF_E_COMPOSITE_BASE);
    if (head->poly == 0)
        head->poly = pxr_gf_composite_poly(head->base);
    pxr_gf_set_composite(gf);
    return 1;
}

int pxr_gf_complete(gf_t *gf)
{
    const bool composite = pxr_gf_head(gf)->mult_type == GF_MULT_COMPOSITE;
    pxr_gf_set_region(gf);
    return composite ? complete_composite(gf) : complete_polynomial(gf);
}
