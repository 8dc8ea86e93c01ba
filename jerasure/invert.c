/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions for matrices of numbers. */
#include "jerasure.h"

#include <stdbool.h>
#include <stdlib.h>

#include "field.h"

/* A matrix and its inverse, n by n each.  Elimination turns (mat, 1) into (1, mat^-1). */
struct elimination {
    int *mat, *inv;
    int n, w;
};

static void multiply_row(int *row, int n, int c, int w)
{
    for (int j = 0; j < n; j++)
        row[j] = galois_single_multiply(row[j], c, w);
}

/* to += c * from */
static void add_row(int *to, const int *from, int n, int c, int w)
{
    for (int j = 0; j < n; j++)
        to[j] ^= galois_single_multiply(from[j], c, w);
}

static void swap_rows(int *a, int *b, int n)
{
    for (int j = 0; j < n; j++) {
        const int kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

/* Brings a number that is not 0 to the diagonal.  Returns false when there is none. */
static bool find_pivot(const struct elimination *e, int at)
{
    const int n = e->n;
    for (int i = at; i < n; i++) {
        if (e->mat[i * n + at] == 0)
            continue;
        if (i != at) {
            swap_rows(e->mat + i * n, e->mat + at * n, n);
            swap_rows(e->inv + i * n, e->inv + at * n, n);
        }
        return true;
    }
    return false;
}

/* Gauss-Jordan elimination: each column in turn becomes a column of the identity. */
static bool eliminate(const struct elimination *e)
{
    const int n = e->n, w = e->w;
    for (int at = 0; at < n; at++) {
        if (!find_pivot(e, at))
            return false;
        const int c = galois_inverse(e->mat[at * n + at], w);
        multiply_row(e->mat + at * n, n, c, w);
        multiply_row(e->inv + at * n, n, c, w);
        for (int i = 0; i < n; i++) {
            const int factor = e->mat[i * n + at];
            if (i == at || factor == 0)
                continue;
            add_row(e->mat + i * n, e->mat + at * n, n, factor, w);
            add_row(e->inv + i * n, e->inv + at * n, n, factor, w);
        }
    }
    return true;
}

int jerasure_invert_matrix(int *mat, int *inv, int rows, int w)
{
    const struct elimination e = {mat, inv, rows, w};
    if (rows < 1)
        return -1;
    for (int i = 0; i < rows * rows; i++)
        inv[i] = i % (rows + 1) == 0;
    return eliminate(&e) ? 0 : -1;
}

int jerasure_invertible_matrix(int *mat, int rows, int w)
{
    int *const inv = rows > 0 ? malloc(sizeof *inv * (size_t)rows * (size_t)rows) : NULL;
    const bool invertible = inv && jerasure_invert_matrix(mat, inv, rows, w) == 0;
    free(inv);
    return invertible;
}

int *jerasure_matrix_multiply(int *m1, int *m2, int r1, int c1, int r2, int c2, int w)
{
    if (r1 < 1 || c2 < 1 || c1 != r2)
        return NULL;
    int *const product = calloc((size_t)r1 * (size_t)c2, sizeof *product);
    for (int i = 0; product && i < r1; i++)
        for (int t = 0; t < c1; t++)
            add_row(product + i * c2, m2 + t * c2, c2, m1[i * c1 + t], w);
    return product;
}
