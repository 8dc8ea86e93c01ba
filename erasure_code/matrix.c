/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix.h"

#include <string.h>

#include "dispatch.h"
#include "gf256.h"
#include "kernels.h"

/* ----------------------------------------------------------- generators -- */

void pxr_matrix_rs(uint8_t *a, unsigned rows, unsigned k)
{
    uint8_t generator = 1; /* 2^r */
    for (unsigned r = 0; r < rows; r++) {
        uint8_t power = 1;
        for (unsigned j = 0; j < k; j++) {
            *a++ = power;
            power = pxr_mul(generator, power);
        }
        generator = pxr_mul(2, generator);
    }
}

void pxr_matrix_cauchy(uint8_t *a, unsigned rows, unsigned k)
{
    for (unsigned r = 0; r < rows; r++)
        for (unsigned j = 0; j < k; j++)
            *a++ = pxr_inverse[(uint8_t)((k + r) ^ j)];
}

/* ------------------------------------------------------------ inversion -- */

/*
 * Gauss-Jordan elimination in place.  After step p the columns up to p of the matrix hold those
 * of the later inverse, so only n columns are stored instead of 2n.  One step with the pivot d
 * = a[p][p]:
 *     row p         becomes  (row p with 1 in column p) / d
 *     row i, i != p becomes  (row i with 0 in column p) + a[i][p] * new row p
 * To the kernels, rows are whole vectors, several rows in a pass.
 */
struct work {
    const struct pxr_kernels *kernels;
    uint8_t *a;
    unsigned n;     /* the number of rows, and of columns that matter */
    unsigned width; /* bytes from row to row; all of them are computed */
};

static uint8_t *row_of(const struct work *w, unsigned i)
{
    return w->a + (size_t)w->width * i;
}

static void scale_row(const struct work *w, uint8_t *row, uint8_t c)
{
    w->kernels->mad[PXR_SPECIAL_NONE][1](w->width, (struct pxr_mad_mode){1, 0}, pxr_nibble[c],
                                         row, NULL, &row);
}

static void eliminate(const struct work *w, unsigned p)
{
    const uint8_t *pivot = row_of(w, p);
    const struct pxr_mad_mode add = {1, PXR_ACCUMULATE};
    uint8_t tables[PXR_MAX_ROWS][PXR_TABLE], *dst[PXR_MAX_ROWS];
    unsigned rows = 0;
    for (unsigned i = 0; i < w->n; i++) {
        uint8_t *row = row_of(w, i);
        if (i != p && row[p] != 0) {
            memcpy(tables[rows], pxr_nibble[row[p]], PXR_TABLE);
            dst[rows++] = row;
            row[p] = 0;
        }
        if (rows == PXR_MAX_ROWS || (i + 1 == w->n && rows > 0)) {
            w->kernels->mad[PXR_SPECIAL_NONE][rows](w->width, add, tables[0], pivot, NULL, dst);
            rows = 0;
        }
    }
}

/* Exchanges n pairs of bytes that are `stride` apart in x and in y. */
static void swap_bytes(uint8_t *x, uint8_t *y, unsigned n, size_t stride)
{
    for (; n > 0; n--, x += stride, y += stride) {
        const uint8_t t = *x;
        *x = *y;
        *y = t;
    }
}

/* Returns the first row from p on with a nonzero in column p, or n. */
static unsigned find_pivot(const struct work *w, unsigned p)
{
    unsigned i = p;
    while (i < w->n && row_of(w, i)[p] == 0)
        i++;
    return i;
}

/* An exchange of two rows.  The log of exchanges is kept in the output matrix, which is not
   needed before the end and has enough room: there are at most n-1 entries of 4 bytes, and
   4(n-1) <= n*n because (n-2)^2 >= 0. */
struct exchange {
    uint16_t p, i;
};

static bool invert(const struct work *w, uint8_t *log)
{
    struct exchange e;
    unsigned logged = 0;
    for (unsigned p = 0; p < w->n; p++) {
        uint8_t *pivot = row_of(w, p);
        const unsigned i = find_pivot(w, p);
        if (i == w->n)
            return false;
        if (i != p) {
            e = (struct exchange){(uint16_t)p, (uint16_t)i};
            memcpy(log + sizeof e * logged++, &e, sizeof e);
            swap_bytes(pivot, row_of(w, i), w->n, 1);
        }
        const uint8_t inverse = pxr_inverse[pivot[p]];
        pivot[p] = 1;
        scale_row(w, pivot, inverse);
        eliminate(w, p);
    }
    /* Now the matrix is the inverse of E*in, where E is the product of the exchanges. in^-1 =
       (E*in)^-1 * E: the same exchanges are made on columns, the last one first. */
    while (logged-- > 0) {
        memcpy(&e, log + sizeof e * logged, sizeof e);
        swap_bytes(w->a + e.p, w->a + e.i, w->n, w->width);
    }
    return true;
}

static void copy_rows(uint8_t *to, size_t to_width, const uint8_t *from, size_t from_width,
                      unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        memcpy(to + to_width * i, from + from_width * i, n);
}

/*
 * Up to this size the rows are worked on in a copy, in which they are padded to whole vectors.
 * A row is loaded again right after it was stored.  A CPU forwards whole vectors from a store
 * to the next load, but not partial ones.  Measured on an Emerald Rapids Xeon, see
 * doc/perf-first.md.
 */
#define PADDED_MAX 64

bool pxr_matrix_invert(uint8_t *in, uint8_t *out, unsigned n)
{
    struct work w = {pxr_kernels(), in, n, n};
    if (n > PADDED_MAX) {
        if (!invert(&w, out))
            return false;
        memcpy(out, in, (size_t)n * n);
        return true;
    }
    uint8_t padded[PADDED_MAX * 64] __attribute__((aligned(64)));
    const unsigned line = w.kernels->vector <= 32 ? 32 : 64;
    w.a = padded;
    w.width = (n + line - 1) / line * line;
    memset(padded, 0, (size_t)w.width * n);
    copy_rows(padded, w.width, in, n, n);
    if (!invert(&w, out))
        return false;
    copy_rows(out, n, padded, w.width, n);
    return true;
}
