/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fields by a polynomial: their tables, and their functions on single elements.
 *
 * Up to w = 8 there are tables of all products and quotients; up to w = 16, where x generates
 * the field, of logarithms: x^i * x^j = x^(i+j).  Else elements are multiplied and divided as
 * polynomials.
 */
#include "field.h"

#include <string.h>

#include "errors.h"
#include "region.h"

/* What the bits above w-1 of an argument are cut off with. */
static uint32_t mask_of(const struct pxr_gf_head *head)
{
    return (uint32_t)pxr_gf_mask(head->w).low;
}

/* ------------------------------------------------------- tables of products -- */

/* Products, and behind them quotients, by a << w | b. */
static size_t small_entries(int w)
{
    return (size_t)1 << 2 * w;
}

/* The row of a: the products with x^i, and those with all sums of them. */
static void fill_products(int w, uint64_t p, unsigned a, uint8_t *row)
{
    struct pxr_gf_word product = pxr_gf_low_word(a);
    row[0] = 0;
    for (int i = 0; i < w; i++) {
        const size_t n = (size_t)1 << i;
        for (size_t b = 0; b < n; b++)
            row[n + b] = row[b] ^ (uint8_t)product.low;
        product = pxr_gf_double(w, p, product);
    }
}

static void fill_small(int w, uint64_t p, uint8_t *products)
{
    const size_t n = (size_t)1 << w;
    uint8_t *const quotients = products + small_entries(w);
    for (unsigned a = 0; a < n; a++)
        fill_products(w, p, a, products + n * a);
    memset(quotients, 0, small_entries(w));
    for (size_t b = 1; b < n; b++) {
        const uint8_t *const row = products + n * b, *const one = memchr(row, 1, n);
        for (size_t a = 0; one && a < n; a++)
            quotients[n * a + b] = products[n * a + (size_t)(one - row)];
    }
}

static gf_val_32_t small_multiply(gf_t *gf, gf_val_32_t a, gf_val_32_t b)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    const uint8_t *const products = head->tables;
    const uint32_t mask = mask_of(head);
    return products[(a & mask) << head->w | (b & mask)];
}

static gf_val_32_t small_divide(gf_t *gf, gf_val_32_t a, gf_val_32_t b)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    const uint8_t *const quotients = (uint8_t *)head->tables + small_entries(head->w);
    const uint32_t mask = mask_of(head);
    return quotients[(a & mask) << head->w | (b & mask)];
}

static gf_val_32_t small_inverse(gf_t *gf, gf_val_32_t a)
{
    return small_divide(gf, 1, a);
}

/* --------------------------------------------------------------- logarithms -- */

/*
 * The logarithms of all elements, and the powers of x twice over, since a sum of two logarithms
 * is less than twice 2^w - 1.  A difference counts from the second time on.
 */
static size_t log_entries(int w)
{
    return (size_t)1 << w;
}

static size_t powers_of(int w)
{
    return log_entries(w) - 1;
}

static void fill_logs(int w, uint64_t p, uint16_t *log)
{
    uint16_t *const power = log + log_entries(w);
    const size_t n = powers_of(w);
    struct pxr_gf_word x = pxr_gf_low_word(1);
    log[0] = 0;
    for (size_t i = 0; i < n; i++) {
        log[x.low] = (uint16_t)i;
        power[i] = power[n + i] = (uint16_t)x.low;
        x = pxr_gf_double(w, p, x);
    }
}

static gf_val_32_t log_multiply(gf_t *gf, gf_val_32_t a, gf_val_32_t b)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    const uint16_t *const log = head->tables, *const power = log + log_entries(head->w);
    const uint32_t mask = mask_of(head);
    a &= mask;
    b &= mask;
    return a == 0 || b == 0 ? 0 : power[(uint32_t)log[a] + log[b]];
}

static gf_val_32_t log_divide(gf_t *gf, gf_val_32_t a, gf_val_32_t b)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    const uint16_t *const log = head->tables, *const power = log + log_entries(head->w);
    const uint32_t mask = mask_of(head);
    a &= mask;
    b &= mask;
    return a == 0 || b == 0 ? 0 : power[powers_of(head->w) + log[a] - log[b]];
}

static gf_val_32_t log_inverse(gf_t *gf, gf_val_32_t a)
{
    return log_divide(gf, 1, a);
}

/* -------------------------------------------------------------- polynomials -- */

static gf_val_32_t multiply_32(gf_t *gf, gf_val_32_t a, gf_val_32_t b)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    const uint32_t mask = mask_of(head);
    return (uint32_t)pxr_gf_product(head->w, pxr_gf_low_poly(head), a & mask, b & mask);
}

static gf_val_32_t inverse_32(gf_t *gf, gf_val_32_t a)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    const struct pxr_gf_word word = pxr_gf_low_word(a & mask_of(head));
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

/* The functions on single elements, of which the tables are filled in first. */
static void set_small(gf_t *gf)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    fill_small(head->w, pxr_gf_low_poly(head), head->tables);
    gf->multiply.w32 = small_multiply;
    gf->divide.w32 = small_divide;
    gf->inverse.w32 = small_inverse;
}

static void set_logs(gf_t *gf)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    fill_logs(head->w, pxr_gf_low_poly(head), head->tables);
    gf->multiply.w32 = log_multiply;
    gf->divide.w32 = log_divide;
    gf->inverse.w32 = log_inverse;
}

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

size_t pxr_gf_tables_bytes(int w)
{
    if (w <= 8)
        return 2 * small_entries(w);
    if (w <= 16)
        return sizeof(uint16_t) * (log_entries(w) + 2 * powers_of(w));
    return 0;
}

/* The terms below x^w, w from 1 to 32. */
static uint64_t default_poly(int w)
{
    static const uint32_t usual[33] = {
        0,   0x1,  0x3,  0x3,   0x3,  0x5,    0x3, 0x9,  0x1d,     0x11, 0x9,
        0x5, 0x53, 0x1b, 0x443, 0x3,  0x100b, 0x9, 0x81, 0x27,     0x9,  0x5,
        0x3, 0x21, 0x87, 0x9,   0x47, 0x27,   0x9, 0x5,  0x800007, 0x9,  0x400007};
    return w <= 32 ? usual[w] : w == 64 ? 0x1b : 0x87;
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

/* A field that logarithms were asked for, and which has none. */
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
        set_small(gf);
    else if (head->w <= 16 && pxr_gf_is_primitive(head->w, pxr_gf_low_poly(head)))
        set_logs(gf);
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

/* ----------------------------------------------------------- inline products -- */

/* The tables of a field of ours of this w, of which the original has tables, too. */
static uint8_t *small_table(const gf_t *gf, int w)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    const bool tabled = head->mult_type == GF_MULT_DEFAULT || head->mult_type == GF_MULT_TABLE;
    if (head->w != w || !tabled || gf->multiply.w32 != small_multiply ||
        head->region_type & (GF_REGION_DOUBLE_TABLE | GF_REGION_QUAD_TABLE))
        return NULL;
    return head->tables;
}

static uint8_t *small_quotients(const gf_t *gf, int w)
{
    uint8_t *const products = small_table(gf, w);
    return products ? products + small_entries(w) : NULL;
}

uint8_t *gf_w4_get_mult_table(gf_t *gf)
{
    return small_table(gf, 4);
}

uint8_t *gf_w4_get_div_table(gf_t *gf)
{
    return small_quotients(gf, 4);
}

uint8_t *gf_w8_get_mult_table(gf_t *gf)
{
    return small_table(gf, 8);
}

uint8_t *gf_w8_get_div_table(gf_t *gf)
{
    return small_quotients(gf, 8);
}

uint16_t *gf_w16_get_log_table(gf_t *gf)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    const bool split =
        head->mult_type == GF_MULT_SPLIT_TABLE && !(head->arg1 == 8 && head->arg2 == 8);
    const bool tabled = head->mult_type == GF_MULT_DEFAULT ||
                        head->mult_type == GF_MULT_TABLE ||
                        head->mult_type == GF_MULT_LOG_TABLE || split;
    return head->w == 16 && tabled && gf->multiply.w32 == log_multiply ? head->tables : NULL;
}

uint16_t *gf_w16_get_mult_alog_table(gf_t *gf)
{
    uint16_t *const log = gf_w16_get_log_table(gf);
    return log ? log + log_entries(16) : NULL;
}

uint16_t *gf_w16_get_div_alog_table(gf_t *gf)
{
    uint16_t *const power = gf_w16_get_mult_alog_table(gf);
    return power ? power + powers_of(16) : NULL;
}
