/* SPDX-License-Identifier: BSD-3-Clause */
#include "word_matrix.h"

#include <stdlib.h>
#include <string.h>

/* a^(2^w - 2), for a^(2^w - 1) = 1: the product of a^2, a^4, a^8 and so on, w - 1 of them. */
uint32_t pxr_word_inverse(struct pxr_word_field field, uint32_t a)
{
    uint32_t power = a, all = 1;
    for (unsigned i = 1; i < field.w; i++) {
        power = pxr_word_mul(field, power, power);
        all = pxr_word_mul(field, all, power);
    }
    return all;
}

static void scale(struct pxr_word_field field, uint32_t *row, unsigned n, uint32_t c)
{
    for (unsigned j = 0; j < n; j++)
        row[j] = pxr_word_mul(field, row[j], c);
}

static void add_multiple(struct pxr_word_field field, uint32_t *row, const uint32_t *other,
                         unsigned n, uint32_t c)
{
    for (unsigned j = 0; j < n; j++)
        row[j] ^= pxr_word_mul(field, other[j], c);
}

/* Gauss and Jordan.  A pivot that is 0 is mended by adding a later row. */
bool pxr_word_invert(struct pxr_word_field field, uint32_t *in, uint32_t *out, unsigned n)
{
    for (size_t i = 0; i < (size_t)n * n; i++)
        out[i] = i % (n + 1) == 0;
    for (unsigned at = 0; at < n; at++) {
        uint32_t *const row = in + (size_t)at * n, *const inverse = out + (size_t)at * n;
        unsigned pivot = at;
        while (pivot < n && in[(size_t)pivot * n + at] == 0)
            pivot++;
        if (pivot == n)
            return false;
        if (pivot != at) {
            add_multiple(field, row, in + (size_t)pivot * n, n, 1);
            add_multiple(field, inverse, out + (size_t)pivot * n, n, 1);
        }
        const uint32_t c = pxr_word_inverse(field, row[at]);
        scale(field, row, n, c);
        scale(field, inverse, n, c);
        for (unsigned r = 0; r < n; r++) {
            const uint32_t factor = in[(size_t)r * n + at];
            if (r == at || factor == 0)
                continue;
            add_multiple(field, in + (size_t)r * n, row, n, factor);
            add_multiple(field, out + (size_t)r * n, inverse, n, factor);
        }
    }
    return true;
}

/* Row i of the extended Vandermonde matrix of so many rows: (1, 0, ..., 0), the powers of i,
   and at last (0, ..., 0, 1). */
static void fill_vandermonde_row(struct pxr_word_field field, uint32_t *row, unsigned k,
                                 unsigned i, unsigned rows)
{
    uint32_t power = 1;
    memset(row, 0, sizeof *row * k);
    if (i == 0 || i == rows - 1) {
        row[i == 0 ? 0 : k - 1] = 1;
        return;
    }
    for (unsigned j = 0; j < k; j++) {
        row[j] = power;
        power = pxr_word_mul(field, power, i);
    }
}

/* Columns are divided by their entries in row 0, and then rows by those in column 0, which
   changes nothing about which square submatrices are singular. */
static void scale_to_ones(struct pxr_word_field field, uint32_t *rows, unsigned k, unsigned m)
{
    for (unsigned j = 0; j < k; j++) {
        const uint32_t c = pxr_word_inverse(field, rows[j]);
        for (unsigned r = 0; r < m; r++)
            rows[r * k + j] = pxr_word_mul(field, rows[r * k + j], c);
    }
    for (unsigned r = 1; r < m; r++)
        scale(field, rows + (size_t)r * k, k, pxr_word_inverse(field, rows[(size_t)r * k]));
}

/* The rows of the matrix below its top square, times the inverse of that square, which is how
   code_matrix.c derives jerasure_van for bytes. */
static bool fill_van(struct pxr_word_field field, uint32_t *rows, unsigned k, unsigned m)
{
    const size_t square = (size_t)k * k;
    uint32_t *const top = malloc(sizeof *top * 2 * square), *const inverse = top + square;
    uint32_t row[PXR_MAX_SHARDS];
    if (!top)
        return false;
    for (unsigned i = 0; i < k; i++)
        fill_vandermonde_row(field, top + (size_t)i * k, k, i, k + m);
    pxr_word_invert(field, top, inverse, k);
    memset(rows, 0, sizeof *rows * m * k);
    for (unsigned r = 0; r < m; r++) {
        fill_vandermonde_row(field, row, k, k + r, k + m);
        for (unsigned t = 0; t < k; t++)
            add_multiple(field, rows + (size_t)r * k, inverse + (size_t)t * k, k, row[t]);
    }
    free(top);
    scale_to_ones(field, rows, k, m);
    return true;
}

bool pxr_word_matrix_fill(struct pxr_word_field field, uint32_t *rows, unsigned k, unsigned m,
                          enum pxr_matrix matrix)
{
    if (matrix == PXR_JERASURE_VAN)
        return fill_van(field, rows, k, m);
    uint32_t power = 1;
    for (unsigned j = 0; j < k; j++) {
        rows[j] = 1;
        rows[k + j] = power;
        power = pxr_word_mul(field, power, 2);
    }
    return true;
}
