/* SPDX-License-Identifier: BSD-3-Clause */
#include "matrix.h"

#include <string.h>

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
 * Gauss and Jordan, in place: after step p the matrix holds, in the columns
 * up to p, those of the inverse-to-be, so that only n columns are carried
 * instead of 2n.  One step with pivot d = a[p][p]:
 *     row p         becomes  (row p with 1 in column p) / d
 *     row i, i != p becomes  (row i with 0 in column p) + a[i][p] * new row p
 * Rows are whole vectors to the kernels, several rows to a pass.
 */

static void scale_row(const struct pxr_kernels *kernels, uint8_t *row, unsigned n, uint8_t c)
{
    const uint8_t *tbl = pxr_nibble[c];
    kernels->mad[1](n, &tbl, row, &row, 0);
}

static void eliminate(const struct pxr_kernels *kernels, uint8_t *a, unsigned n, unsigned p)
{
    const uint8_t *pivot = a + (size_t)n * p;
    const uint8_t *tbl[PXR_MAX_ROWS];
    uint8_t *dst[PXR_MAX_ROWS];
    unsigned rows = 0;
    for (unsigned i = 0; i < n; i++) {
        uint8_t *row = a + (size_t)n * i;
        if (i != p && row[p] != 0) {
            tbl[rows] = pxr_nibble[row[p]];
            dst[rows++] = row;
            row[p] = 0;
        }
        if (rows == PXR_MAX_ROWS || (i + 1 == n && rows > 0)) {
            kernels->mad[rows](n, tbl, pivot, dst, PXR_ACCUMULATE);
            rows = 0;
        }
    }
}

/* Exchange n pairs of bytes that lie `stride` apart in x and in y. */
static void exchange(uint8_t *x, uint8_t *y, unsigned n, size_t stride)
{
    for (; n > 0; n--, x += stride, y += stride) {
        const uint8_t t = *x;
        *x = *y;
        *y = t;
    }
}

/* The first row from p on with a nonzero in column p, or n. */
static unsigned find_pivot(const uint8_t *a, unsigned n, unsigned p)
{
    unsigned i = p;
    while (i < n && a[(size_t)n * i + p] == 0)
        i++;
    return i;
}

/* An exchange of two rows, logged in the output matrix, which is not needed
   before the end and has room: at most n-1 entries of 4 bytes, and
   4(n-1) <= n*n because (n-2)^2 >= 0. */
struct exchange {
    uint16_t p, i;
};

static struct exchange read_log(const uint8_t *log, unsigned entry)
{
    struct exchange e;
    memcpy(&e, log + sizeof e * entry, sizeof e);
    return e;
}

bool pxr_matrix_invert(uint8_t *in, uint8_t *out, unsigned n)
{
    const struct pxr_kernels *kernels = pxr_kernels();
    unsigned logged = 0;

    for (unsigned p = 0; p < n; p++) {
        uint8_t *pivot = in + (size_t)n * p;
        const unsigned i = find_pivot(in, n, p);
        if (i == n)
            return false;
        if (i != p) {
            const struct exchange e = {(uint16_t)p, (uint16_t)i};
            memcpy(out + sizeof e * logged++, &e, sizeof e);
            exchange(pivot, in + (size_t)n * i, n, 1);
        }
        const uint8_t inverse = pxr_inverse[pivot[p]];
        pivot[p] = 1;
        scale_row(kernels, pivot, n, inverse);
        eliminate(kernels, in, n, p);
    }
    /* This inverted P*in, P being the exchanges; in^-1 = (P*in)^-1 * P is the
       same exchanges made on columns, last one first. */
    while (logged-- > 0) {
        const struct exchange e = read_log(out, logged);
        exchange(in + e.p, in + e.i, n, n);
    }
    memcpy(out, in, (size_t)n * n);
    return true;
}
