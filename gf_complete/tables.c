/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements by tables, in fields by a polynomial.  Up to w = 8 the tables hold all products and
 * quotients.  Up to w = 16, when x generates the field, they hold logarithms: x^i * x^j =
 * x^(i+j).
 */
#include <string.h>

#include "field.h"

/* ------------------------------------------------------- tables of products -- */

/* The number of products; the quotients follow them.  Both are indexed by a << w | b. */
static size_t small_entries(int w)
{
    return (size_t)1 << 2 * w;
}

/* Fills the row of a: the products with each x^i, and with all sums of these. */
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
    const uint32_t mask = pxr_gf_mask_32(head);
    return products[(a & mask) << head->w | (b & mask)];
}

static gf_val_32_t small_divide(gf_t *gf, gf_val_32_t a, gf_val_32_t b)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    const uint8_t *const quotients = (uint8_t *)head->tables + small_entries(head->w);
    const uint32_t mask = pxr_gf_mask_32(head);
    return quotients[(a & mask) << head->w | (b & mask)];
}

static gf_val_32_t small_inverse(gf_t *gf, gf_val_32_t a)
{
    return small_divide(gf, 1, a);
}

/* --------------------------------------------------------------- logarithms -- */

/*
 * The logarithms of all elements, and the powers of x written twice, because a sum of two
 * logarithms is less than twice 2^w - 1.  A difference of logarithms counts from the second
 * copy on.
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
    const uint32_t mask = pxr_gf_mask_32(head);
    a &= mask;
    b &= mask;
    return a == 0 || b == 0 ? 0 : power[(uint32_t)log[a] + log[b]];
}

static gf_val_32_t log_divide(gf_t *gf, gf_val_32_t a, gf_val_32_t b)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    const uint16_t *const log = head->tables, *const power = log + log_entries(head->w);
    const uint32_t mask = pxr_gf_mask_32(head);
    a &= mask;
    b &= mask;
    return a == 0 || b == 0 ? 0 : power[powers_of(head->w) + log[a] - log[b]];
}

static gf_val_32_t log_inverse(gf_t *gf, gf_val_32_t a)
{
    return log_divide(gf, 1, a);
}

/* ----------------------------------------------------------------- any field -- */

void pxr_gf_set_small(gf_t *gf)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    fill_small(head->w, pxr_gf_low_poly(head), head->tables);
    gf->multiply.w32 = small_multiply;
    gf->divide.w32 = small_divide;
    gf->inverse.w32 = small_inverse;
}

void pxr_gf_set_logs(gf_t *gf)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    fill_logs(head->w, pxr_gf_low_poly(head), head->tables);
    gf->multiply.w32 = log_multiply;
    gf->divide.w32 = log_divide;
    gf->inverse.w32 = log_inverse;
}

size_t pxr_gf_tables_bytes(int w)
{
    if (w <= 8)
        return 2 * small_entries(w);
    if (w <= 16)
        return sizeof(uint16_t) * (log_entries(w) + 2 * powers_of(w));
    return 0;
}

/* ----------------------------------------------------------- inline products -- */

/* Returns the tables of a field of this library with this w, if the original has tables for
   such a field, too. */
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
