/* SPDX-License-Identifier: BSD-3-Clause */
#include "structure.h"

#include "gf256.h"
#include "permxor.h"

/* ---------------------------------------------------------- the constants -- */

/*
 * c(y, B) is w * s'/s(y + B).  Here s(x) is the product of x + v over all v < 2^levels, and its
 * derivative s' is the product of those v that are not zero.  The twiddle is s(x) /
 * s(2^levels).  So c(y, B) is w times the constant s' / s(2^levels), divided by the twiddle.
 * The table has this constant for each level.
 */
static const uint8_t derivative[PXR_MAX_LEVELS + 1] = {0x01, 0x7a, 0x20, 0x29, 0x1f};

/* ------------------------------------------------------------- the matrix -- */

/* Some rows of a code, of which the first is row `row` of the code. */
struct rows {
    unsigned k, row, count;
    const uint8_t *coefficients; /* row by row; NULL stands for ISA-L's Cauchy matrix */
};

/* Returns the sum of the points of an output and of a source. */
static uint8_t apart(const struct rows *rows, unsigned r, unsigned j)
{
    return (uint8_t)((rows->k + rows->row + r) ^ j);
}

static uint8_t coefficient(const struct rows *rows, unsigned r, unsigned j)
{
    return rows->coefficients ? rows->coefficients[(size_t)r * rows->k + j]
                              : pxr_inverse[apart(rows, r, j)];
}

/* Returns w of coefficient (r, j). */
static uint8_t scale(const struct rows *rows, unsigned r, unsigned j)
{
    return rows->coefficients ? pxr_mul(coefficient(rows, r, j), apart(rows, r, j)) : 1;
}

/* Return the first row of a coset of outputs, and the first row behind the coset. */
static unsigned first_row(const struct rows *rows, unsigned levels, unsigned coset)
{
    const unsigned point = coset << levels, base = rows->k + rows->row;
    return point < base ? 0 : point - base;
}

static unsigned end_of_rows(const struct rows *rows, unsigned levels, unsigned coset)
{
    const unsigned end = first_row(rows, levels, coset + 1);
    return end < rows->count ? end : rows->count;
}

/* Returns whether a group of sources and a coset of outputs have no point in common, and w is
   the same for all coefficients between them. */
static bool block_has_form(const struct rows *rows, unsigned levels, unsigned group,
                           unsigned coset)
{
    const unsigned begin = group << levels, end = (group + 1) << levels;
    const unsigned first = first_row(rows, levels, coset);
    if (coset == group)
        return false;
    if (!rows->coefficients)
        return true;
    const uint8_t w = scale(rows, first, begin);
    for (unsigned r = first; r < end_of_rows(rows, levels, coset); r++)
        for (unsigned j = begin; j < end && j < rows->k; j++)
            if (scale(rows, r, j) != w)
                return false;
    return true;
}

PXR_INLINE uint8_t *fill_twiddles(const unsigned levels, unsigned point, uint8_t *out)
{
#pragma GCC unroll 4
    for (unsigned level = 0; level < levels; level++)
        for (unsigned lane = 0; lane < 1u << levels; lane += 2u << level)
            *out++ = pxr_twiddle[level][point + lane];
    return out;
}

PXR_INLINE uint8_t quotient_of(const unsigned levels, unsigned group, unsigned coset)
{
    const uint8_t twiddle = pxr_twiddle[levels][(group ^ coset) << levels];
    return pxr_mul(derivative[levels], pxr_inverse[twiddle]);
}

PXR_INLINE uint8_t block_coefficient(const struct rows *rows, const unsigned levels,
                                     unsigned group, unsigned coset)
{
    const unsigned j = group << levels, r = first_row(rows, levels, coset);
    const uint8_t quotient = quotient_of(levels, group, coset);
    return rows->coefficients ? pxr_mul(scale(rows, r, j), quotient) : quotient;
}

uint8_t *pxr_fill_twiddles(unsigned levels, unsigned point, uint8_t *out)
{
    return fill_twiddles(levels, point, out);
}

uint8_t pxr_coset_quotient(unsigned levels, unsigned group, unsigned coset)
{
    return quotient_of(levels, group, coset);
}

/* ---------------------------------------------------------------- costs -- */

unsigned pxr_half_cycles(unsigned products, unsigned xors)
{
    const unsigned all = products + xors;
    return 2 * products > all ? 2 * products : all;
}

unsigned pxr_matrix_cost(unsigned k, unsigned count)
{
    return pxr_half_cycles(k * count, k * count / 2);
}

/* The first run of the group at 0 needs no products, because its twiddles are zero. */
unsigned pxr_structure_products(const struct pxr_structure *s)
{
    const unsigned size = 1u << s->levels, lanes = size * s->cosets;
    const unsigned butterflies = (s->shape.groups + s->cosets) * s->levels * size / 2;
    return butterflies - (size - 1) + (s->shape.groups + s->shape.direct) * lanes;
}

/*
 * A butterfly is a product and two xors, except in the first run of the group at 0.  An xor
 * takes three operands.  A structured pass has more other work than a pass of the matrix: an
 * eighth and two cycles more, measured with all kernel sets of x86-64 on a Granite Rapids Xeon
 * (doc/structured.md).
 */
static unsigned cost_of(const struct pxr_structure *s)
{
    const unsigned size = 1u << s->levels, products = pxr_structure_products(s);
    const unsigned sums = s->shape.groups * size * s->cosets;
    const unsigned direct = s->shape.direct * size * s->cosets;
    const unsigned butterflies = products - sums - direct;
    const unsigned pass =
        pxr_half_cycles(products, 2 * butterflies + size - 1 + sums / 2 + direct);
    return (pass + 4) * 8 / 7;
}

/* ------------------------------------------------------- what is searched -- */

/* Returns how many groups have the form with every coset, counted from the first group on.  In
   a Cauchy matrix every group of sources has the form, because it ends before the cosets of the
   outputs begin. */
static unsigned count_groups(const struct rows *rows, const struct pxr_structure *s)
{
    const unsigned most = rows->k >> s->levels, coset = (rows->k + rows->row) >> s->levels;
    unsigned group = 0;
    for (bool good = true; rows->coefficients && good && group < most; group += good)
        for (unsigned q = 0; good && q < s->cosets; q++)
            good = block_has_form(rows, s->levels, group, coset + q);
    return rows->coefficients ? group : most;
}

/* Returns the structure with this many levels. */
static struct pxr_structure look(const struct rows *rows, unsigned levels)
{
    const unsigned size = 1u << levels, point = rows->k + rows->row;
    struct pxr_structure s = {
        .levels = levels,
        .shape = {.first = (uint16_t)(point % size), .count = (uint16_t)rows->count}};
    s.cosets = (s.shape.first + rows->count + size - 1) / size;
    s.shape.groups = (uint16_t)count_groups(rows, &s);
    s.shape.direct = (uint16_t)(rows->k - s.shape.groups * size);
    s.cost = cost_of(&s);
    return s;
}

/* -------------------------------------------------------------- interface -- */

size_t pxr_structure_constants(const struct pxr_structure *s)
{
    const size_t size = (size_t)1 << s->levels;
    return s->shape.groups * (size - 1 + s->cosets) + s->cosets * (size - 1) +
           s->shape.direct * size * s->cosets;
}

struct pxr_structure pxr_structure_find(unsigned k, unsigned row, unsigned count,
                                        const uint8_t *coefficients)
{
    const struct rows rows = {k, row, count, coefficients};
    struct pxr_structure best = {.levels = 0, .cost = pxr_matrix_cost(k, count)};
    for (unsigned levels = 1; levels <= PXR_PASS_LEVELS && count >= PXR_STRUCTURED_ROWS;
         levels++) {
        const struct pxr_structure s = look(&rows, levels);
        const bool has_pass =
            s.cosets >= PXR_LEAST_COSETS_OF(levels) && s.cosets <= PXR_MOST_COSETS_OF(levels);
        if (has_pass && s.shape.groups > 0 && s.cost <= best.cost)
            best = s;
    }
    return best;
}

/* levels is a constant wherever this is expanded for a known matrix, because calls wait for the
   result. */
PXR_INLINE void fill(const struct pxr_structure *s, const unsigned levels,
                     const struct rows *rows, uint8_t *constants)
{
    const unsigned size = 1u << levels, lanes = size * s->cosets;
    const unsigned base = rows->k + rows->row - s->shape.first;
    for (unsigned group = 0; group < s->shape.groups; group++) {
        constants = fill_twiddles(levels, group * size, constants);
        for (unsigned q = 0; q < s->cosets; q++)
            *constants++ = block_coefficient(rows, levels, group, (base >> levels) + q);
    }
    for (unsigned q = 0; q < s->cosets; q++)
        constants = fill_twiddles(levels, base + q * size, constants);
    for (unsigned j = s->shape.groups * size; j < rows->k; j++)
        for (unsigned lane = 0; lane < lanes; lane++) {
            const unsigned r = lane - s->shape.first;
            *constants++ = r < s->shape.count ? coefficient(rows, r, j) : 0;
        }
}

void pxr_structure_fill(const struct pxr_structure *s, unsigned k, unsigned row,
                        const uint8_t *coefficients, uint8_t *constants)
{
    const struct rows rows = {k, row, s->shape.count, coefficients};
    const struct rows cauchy = {k, row, s->shape.count, NULL};
    if (coefficients)
        fill(s, s->levels, &rows, constants);
    else if (s->levels == 1)
        fill(s, 1, &cauchy, constants);
    else if (s->levels == 2)
        fill(s, 2, &cauchy, constants);
    else
        fill(s, 3, &cauchy, constants);
}
