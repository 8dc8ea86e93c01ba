/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reed-Solomon codes: their matrices, and RAID-6.
 *
 * Any `cols` rows of the extended Vandermonde matrix V are linearly independent.  This stays
 * true when V is multiplied from the right by the inverse of its top square T, which turns the
 * top into the identity.  It also stays true when rows and columns are multiplied by numbers
 * other than 0.  So the rows below the identity, scaled, are those of an MDS code.
 */
#include "reed_sol.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "dot.h"
#include "field.h"
#include "jerasure.h"

/* Returns whether the field has this many numbers. */
static bool has_numbers(int n, int w)
{
    return n >= 1 && w >= 1 && w <= JER_MOST_BITS && (w >= 31 || n <= 1 << w);
}

int *reed_sol_extended_vandermonde_matrix(int rows, int cols, int w)
{
    if (!has_numbers(rows, w) || !has_numbers(cols, w))
        return NULL;
    int *const v = calloc((size_t)rows * (size_t)cols, sizeof *v);
    if (!v)
        return NULL;
    v[0] = 1;
    for (int i = 1; i < rows - 1; i++) {
        int power = 1;
        for (int j = 0; j < cols; j++) {
            v[i * cols + j] = power;
            power = galois_single_multiply(power, i, w);
        }
    }
    if (rows > 1)
        v[rows * cols - 1] = 1;
    return v;
}

/* Divides each column by its entry in row 0, and then each further row by its entry in column
   0. */
static void scale(int *coding, int rows, int cols, int w)
{
    for (int j = 0; j < cols; j++) {
        const int c = galois_inverse(coding[j], w);
        for (int r = 0; r < rows; r++)
            coding[r * cols + j] = galois_single_multiply(coding[r * cols + j], c, w);
    }
    for (int r = 1; r < rows; r++) {
        const int c = galois_inverse(coding[r * cols], w);
        for (int j = 0; j < cols; j++)
            coding[r * cols + j] = galois_single_multiply(coding[r * cols + j], c, w);
    }
}

/* Returns the last `rows` rows of V times the inverse of the first `cols` rows, scaled.  NULL:
   no memory. */
static int *coding_rows(int *v, int rows, int cols, int w)
{
    int *const inverse = malloc(sizeof *inverse * (size_t)cols * (size_t)cols);
    int *coding = NULL;
    if (inverse && jerasure_invert_matrix(v, inverse, cols, w) == 0)
        coding = jerasure_matrix_multiply(v + cols * cols, inverse, rows, cols, cols, cols, w);
    if (coding)
        scale(coding, rows, cols, w);
    free(inverse);
    return coding;
}

int *reed_sol_vandermonde_coding_matrix(int k, int m, int w)
{
    if (k < 1 || m < 1)
        return NULL;
    int *const v = reed_sol_extended_vandermonde_matrix(k + m, k, w);
    int *const coding = v ? coding_rows(v, m, k, w) : NULL;
    free(v);
    return coding;
}

int *reed_sol_big_vandermonde_distribution_matrix(int rows, int cols, int w)
{
    if (cols < 1 || cols >= rows)
        return NULL;
    const size_t square = (size_t)cols * (size_t)cols;
    int *const coding = reed_sol_vandermonde_coding_matrix(cols, rows - cols, w);
    int *const all = calloc((size_t)rows * (size_t)cols, sizeof *all);
    if (coding && all) {
        for (size_t i = 0; i < square; i += (size_t)cols + 1)
            all[i] = 1;
        memcpy(all + square, coding, sizeof *all * ((size_t)rows * (size_t)cols - square));
        free(coding);
        return all;
    }
    free(coding);
    free(all);
    return NULL;
}

/* ------------------------------------------------------------ RAID-6 ---- */

int *reed_sol_r6_coding_matrix(int k, int w)
{
    if (k < 1 || (w != 8 && w != 16 && w != 32))
        return NULL;
    int *const matrix = malloc(sizeof *matrix * 2 * (size_t)k);
    int power = 1;
    for (int j = 0; matrix && j < k; j++) {
        matrix[j] = 1;
        matrix[k + j] = power;
        power = galois_single_multiply(power, 2, w);
    }
    return matrix;
}

int reed_sol_r6_encode(int k, int w, char **data_ptrs, char **coding_ptrs, int size)
{
    int *const matrix = reed_sol_r6_coding_matrix(k, w);
    struct jer_dot dot;
    const bool possible = matrix && jer_region_valid(__func__, w, size) &&
                          jer_dot_open(&dot, __func__, w, 0, k, 2);
    if (possible) {
        jer_dot_use(&dot, data_ptrs);
        jer_dot_add(&dot, matrix, coding_ptrs[0]);
        jer_dot_add(&dot, matrix + k, coding_ptrs[1]);
        jer_dot_compute(&dot, (size_t)size);
        jer_dot_close(&dot);
    }
    free(matrix);
    return possible;
}

static void double_region(const char *function, int w, char *region, int nbytes)
{
    if (region && jer_region_valid(function, w, nbytes))
        jer_region_multiply(w, 2, (uint8_t *)region, (uint8_t *)region, (size_t)nbytes, false);
}

void reed_sol_galois_w08_region_multby_2(char *region, int nbytes)
{
    double_region(__func__, 8, region, nbytes);
}

void reed_sol_galois_w16_region_multby_2(char *region, int nbytes)
{
    double_region(__func__, 16, region, nbytes);
}

void reed_sol_galois_w32_region_multby_2(char *region, int nbytes)
{
    double_region(__func__, 32, region, nbytes);
}
