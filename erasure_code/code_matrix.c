/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The coding matrices: their names, their coefficients, and the sizes for which they are MDS.
 *
 * A code is MDS when any k of the k+m shards determine the data.  Say that t data shards are
 * lost and t parity shards replace them.  The data follow exactly if the t by t submatrix of
 * these parity rows and these columns is nonsingular.  So a code is MDS if and only if every
 * square submatrix of its coding rows is nonsingular.
 */
#include "code.h"

#include <stdlib.h>
#include <string.h>

#include "gf256.h"
#include "matrix.h"

static const char *const names[] = {
    [PXR_ISAL_VAND] = "isal_vand",
    [PXR_ISAL_CAUCHY] = "isal_cauchy",
    [PXR_JERASURE_VAN] = "jerasure_van",
    [PXR_JERASURE_R6] = "jerasure_r6",
    [PXR_KLAUSPOST_VAND] = "klauspost_vand",
    [PXR_CUSTOM] = "custom",
    [PXR_JERASURE_CAUCHY_ORIG] = "jerasure_cauchy_orig",
    [PXR_JERASURE_CAUCHY_GOOD] = "jerasure_cauchy_good",
    [PXR_JERASURE_LIBERATION] = "jerasure_liberation",
    [PXR_JERASURE_BLAUM_ROTH] = "jerasure_blaum_roth",
    [PXR_JERASURE_LIBER8TION] = "jerasure_liber8tion",
    [PXR_CUSTOM_BITS] = "custom_bits",
};

#define MATRICES (sizeof names / sizeof names[0])

const char *pxr_matrix_name(enum pxr_matrix matrix)
{
    return (size_t)matrix < MATRICES ? names[matrix] : NULL;
}

int pxr_matrix_parse(const char *name, enum pxr_matrix *matrix)
{
    if (!name || !matrix)
        return PXR_EINVAL;
    for (size_t i = 0; i < MATRICES; i++) {
        if (strcmp(name, names[i]) == 0) {
            *matrix = (enum pxr_matrix)i;
            return PXR_OK;
        }
    }
    return PXR_EINVAL;
}

/* -------------------------------------------------------- which sizes -- */

int pxr_shape_check(unsigned k, unsigned m, unsigned most, struct pxr_error *why)
{
    if (k >= 1 && m >= 1 && k < most && m <= most - k)
        return PXR_OK;
    if (k < 1)
        pxr_explain(why, "k=%u: at least one data shard is needed", k);
    else if (m < 1)
        pxr_explain(why, "m=%u: at least one parity shard is needed", m);
    else
        pxr_explain(why, "k=%u, m=%u: at most k+m=%u shards are possible", k, m, most);
    return PXR_EINVAL;
}

/*
 * The largest m for which the rows 2^(r*j), r < m, j < k are MDS.
 *
 * m <= 3, any k: with x_j = 2^j, which are distinct for j < 255, the rows are 1, x_j, x_j^2.
 * No entry is zero.  Two rows and two columns x, y have the determinant x+y (rows 0, 1),
 * xy(x+y) (rows 1, 2) or x^2+y^2 = (x+y)^2 (rows 0, 2).  Three rows are a Vandermonde matrix.
 * None of these determinants is zero.
 *
 * The matrix is symmetric in r and j.  So k <= 3 allows any m, and if (k, m) is MDS, so is (m,
 * k).  A matrix that is MDS stays MDS when a row or column is dropped.  This leaves four facts
 * to check, all decided by testing every square submatrix (unit/test_code_matrix.c does this):
 * 4 by 21 and 5 by 5 are MDS, 4 by 22 and 5 by 6 are not.
 */
static unsigned isal_vand_max_m(unsigned k)
{
    if (k <= 3)
        return PXR_MAX_SHARDS - k;
    if (k == 4)
        return 21;
    if (k == 5)
        return 5;
    return k <= 21 ? 4 : 3;
}

int pxr_matrix_check(unsigned k, unsigned m, enum pxr_matrix matrix, struct pxr_error *why)
{
    switch (matrix) {
    case PXR_ISAL_CAUCHY:
    case PXR_JERASURE_VAN:
    case PXR_KLAUSPOST_VAND:
        return PXR_OK;
    case PXR_ISAL_VAND:
        if (m <= isal_vand_max_m(k))
            return PXR_OK;
        pxr_explain(why, "isal_vand with k=%u, m=%u is not MDS; use m <= %u, or isal_cauchy", k,
                    m, isal_vand_max_m(k));
        return PXR_ENOTMDS;
    case PXR_JERASURE_R6:
        if (m == 2)
            return PXR_OK;
        pxr_explain(why, "m=%u: jerasure_r6 needs m=2", m);
        return PXR_EINVAL;
    case PXR_CUSTOM:
        pxr_explain(why, "a custom matrix needs its rows; use pxr_code_create_custom()");
        return PXR_EINVAL;
    case PXR_JERASURE_CAUCHY_ORIG:
    case PXR_JERASURE_CAUCHY_GOOD:
    case PXR_JERASURE_LIBERATION:
    case PXR_JERASURE_BLAUM_ROTH:
    case PXR_JERASURE_LIBER8TION:
    case PXR_CUSTOM_BITS:
        pxr_explain(why, "%s is a matrix of packets; use pxr_code_create_bits()",
                    pxr_matrix_name(matrix));
        return PXR_EINVAL;
    }
    pxr_explain(why, "matrix=%d: there is no such matrix", (int)matrix);
    return PXR_EINVAL;
}

/* -------------------------------------------------------- coefficients -- */

static uint8_t divide(uint8_t a, uint8_t b)
{
    return pxr_mul(a, pxr_inverse[b]);
}

/*
 * Let V be a Vandermonde matrix whose row i holds the powers of a point x_i.  V times a vector
 * of coefficients evaluates a polynomial of degree < k at every point.  So V times the inverse
 * of its top square maps the values at the first k points to the values at all points: it
 * interpolates.  By Lagrange, the value at point j has in the value at x the coefficient
 *
 *     product over l < k, l != j of (x - l) / (j - l)  =  N(x) / ((x - j) * D_j)
 *     with N(x) = product of (x - l), D_j = product over l != j of (j - l).
 *
 * Any k values at distinct points determine the polynomial, hence the matrix is MDS.
 */

/* product over l < k, l != except, of (x - l) */
static uint8_t product_of_differences(unsigned x, unsigned k, unsigned except)
{
    uint8_t product = 1;
    for (unsigned l = 0; l < k; l++)
        if (l != except)
            product = pxr_mul(product, (uint8_t)(x ^ l));
    return product;
}

/* The points are 0, 1, ..., k+m-1. */
static void fill_klauspost_vand(uint8_t *rows, unsigned k, unsigned m)
{
    uint8_t base[PXR_MAX_SHARDS];
    for (unsigned j = 0; j < k; j++)
        base[j] = product_of_differences(j, k, j);
    for (unsigned x = k; x < k + m; x++) {
        uint8_t all = product_of_differences(x, k, k);
        for (unsigned j = 0; j < k; j++)
            *rows++ = divide(all, pxr_mul((uint8_t)(x ^ j), base[j]));
    }
}

/*
 * The points are 0, 1, ..., k+m-2 and infinity.  The first row (1, 0, ...) holds the powers of
 * 0.  The last row (..., 0, 1) takes the leading coefficient, which is 1/D_j by the formula
 * above.  The columns are scaled so that the first coding row is ones, and then the rows so
 * that the first column is ones.  This divides out N(x) and D_j.  What is left at point x, with
 * k the first coding point, is
 *
 *     (k - j)/(x - j) * (x - 0)/(k - 0),   and at infinity  (k - j)/(k - 0).
 *
 * With m = 1 infinity is the first coding point, and the row is ones again.
 */
static void fill_jerasure_van(uint8_t *rows, unsigned k, unsigned m)
{
    memset(rows, 1, k);
    for (unsigned r = 1; r < m; r++) {
        for (unsigned j = 0; j < k; j++) {
            uint8_t at_infinity = divide((uint8_t)(k ^ j), (uint8_t)k);
            uint8_t x = (uint8_t)(k + r);
            rows[r * k + j] =
                r == m - 1 ? at_infinity : pxr_mul(at_infinity, divide(x, (uint8_t)(x ^ j)));
        }
    }
}

void pxr_matrix_fill(uint8_t *rows, unsigned k, unsigned m, enum pxr_matrix matrix)
{
    switch (matrix) {
    case PXR_ISAL_VAND:
    case PXR_JERASURE_R6: /* the same two rows: 1 and 2^j */
        pxr_matrix_rs(rows, m, k);
        break;
    case PXR_ISAL_CAUCHY:
        pxr_matrix_cauchy(rows, m, k);
        break;
    case PXR_JERASURE_VAN:
        fill_jerasure_van(rows, k, m);
        break;
    case PXR_KLAUSPOST_VAND:
        fill_klauspost_vand(rows, k, m);
        break;
    default: /* the caller has filled it in, or it is a matrix of packets */
        break;
    }
}

/* ------------------------------------------------------------ MDS test -- */

/* The most square submatrices that are tested: this takes some tenths of a second. */
#define MDS_STEPS (1u << 26)

/* Returns whether C(k+m, k), the number of square submatrices plus one, is small enough. */
static bool mds_test_feasible(unsigned k, unsigned m)
{
    uint64_t count = 1;
    for (unsigned i = 1; i <= (k < m ? k : m); i++) {
        count = count * (k + m + 1 - i) / i;
        if (count > MDS_STEPS)
            return false;
    }
    return true;
}

/* The submatrix that was found singular: its order, last row, last column. */
struct singular {
    unsigned order, row, column;
};

/*
 * Computes the Schur complement of the pivot (r, c) of s, in the rows below it and the columns
 * to its right.  What Gaussian elimination leaves of them is written to `next`.
 */
static void schur_complement(const uint8_t *s, unsigned rows, unsigned columns, unsigned r,
                             unsigned c, uint8_t *next)
{
    const uint8_t *pivot = s + r * columns;
    uint8_t inverse = pxr_inverse[pivot[c]];
    for (unsigned i = r + 1; i < rows; i++) {
        const uint8_t *row = s + i * columns;
        uint8_t factor = pxr_mul(row[c], inverse);
        for (unsigned j = c + 1; j < columns; j++)
            *next++ = row[j] ^ pxr_mul(factor, pivot[j]);
    }
}

/*
 * Returns whether every square submatrix of s is nonsingular.
 *
 * Choose rows R and columns C. Eliminate with their first row and column as the pivot, then
 * with their second, and so on.  The determinant is the product of the pivots.  Two choices
 * that begin with the same rows and columns share that part of the elimination, so the choices
 * form a tree.  An entry of s is the last pivot of one choice. s after its elimination is the
 * parent of all longer choices that begin with that choice; it is restricted to later rows and
 * columns, because choices are in ascending order.  Every entry is computed once, by one
 * multiplication, so the whole test takes one step for each submatrix.
 */
static bool all_nonsingular(const uint8_t *s, unsigned rows, unsigned columns, uint8_t *next,
                            struct singular *found)
{
    const uint8_t *zero = memchr(s, 0, (size_t)rows * columns);
    if (zero) {
        unsigned at = (unsigned)(zero - s);
        *found = (struct singular){1, at / columns, at % columns};
        return false;
    }
    for (unsigned r = 0; r + 1 < rows; r++) {
        for (unsigned c = 0; c + 1 < columns; c++) {
            unsigned below = rows - r - 1, right = columns - c - 1;
            schur_complement(s, rows, columns, r, c, next);
            if (!all_nonsingular(next, below, right, next + below * right, found)) {
                found->order++;
                found->row += r + 1;
                found->column += c + 1;
                return false;
            }
        }
    }
    return true;
}

int pxr_matrix_prove_mds(const uint8_t *rows, unsigned k, unsigned m, struct pxr_error *why)
{
    if (!mds_test_feasible(k, m)) {
        pxr_explain(
            why,
            "custom matrix with k=%u, m=%u has too many square submatrices to test; use "
            "PXR_ASSUME_MDS to skip the test",
            k, m);
        return PXR_EUNPROVEN;
    }
    /* Every level of the tree is smaller than the matrix itself. */
    uint8_t *levels = malloc((size_t)k * m * (k < m ? k : m));
    if (!levels) {
        pxr_explain(why, "out of memory");
        return PXR_ENOMEM;
    }
    struct singular found;
    bool mds = all_nonsingular(rows, m, k, levels, &found);
    free(levels);
    if (mds)
        return PXR_OK;
    pxr_explain(why,
                "custom matrix with k=%u, m=%u is not MDS: a singular %u by %u submatrix ends "
                "in row %u, column %u",
                k, m, found.order, found.order, found.row, found.column);
    return PXR_ENOTMDS;
}
