/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cauchy matrices, and Cauchy matrices whose bit matrices have few ones.
 *
 * Every square submatrix of a Cauchy matrix 1 / (x_i ^ y_j) is a Cauchy matrix and therefore
 * invertible.  Multiplying rows and columns by numbers other than 0 does not change this.  But
 * it changes the number of ones in the bit matrix, and each one costs an xor of a packet.
 */
#include "cauchy.h"

#include <stdbool.h>
#include <stdlib.h>

#include "field.h"
#include "galois.h"
#include "words.h"

/* Returns the ones of the bit matrix of n modulo x^w + poly.  Its column y is n * x^y. */
static int count_ones(uint32_t n, int w, uint32_t poly)
{
    int ones = 0;
    for (int y = 0; y < w; y++) {
        n = jer_number((int)n, w);
        ones += __builtin_popcount(n);
        n = n << 1 ^ (n >> (w - 1) ? poly : 0);
    }
    return ones;
}

/*
 * In a COMPOSITE field of the program x is not 2, so this is not the bit matrix of that field.
 * But jerasure counts in this way in all fields, and what it counts decides its matrices.
 */
int cauchy_n_ones(int n, int w)
{
    if (w < 1 || w > JER_MOST_BITS)
        return 0;
    const int highest = (int)(UINT32_C(1) << (w - 1));
    return count_ones((uint32_t)n, w, (uint32_t)galois_single_multiply(highest, 2, w));
}

int *cauchy_xy_coding_matrix(int k, int m, int w, int *X, int *Y)
{
    if (k < 1 || m < 1 || w < 1 || w > JER_MOST_BITS)
        return NULL;
    int *const matrix = malloc(sizeof *matrix * (size_t)k * (size_t)m);
    for (int i = 0; matrix && i < m; i++)
        for (int j = 0; j < k; j++)
            matrix[i * k + j] = galois_inverse(X[i] ^ Y[j], w);
    return matrix;
}

int *cauchy_original_coding_matrix(int k, int m, int w)
{
    if (k < 1 || m < 1 || w < 1 || w > JER_MOST_BITS || (w < 31 && k + m > 1 << w))
        return NULL;
    int *const matrix = malloc(sizeof *matrix * (size_t)k * (size_t)m);
    for (int i = 0; matrix && i < m; i++)
        for (int j = 0; j < k; j++)
            matrix[i * k + j] = galois_inverse(i ^ (m + j), w);
    return matrix;
}

/* ---------------------------------------------------------- few ones ---- */

static int ones_of_row(const int *row, int k, int w, int factor)
{
    int ones = 0;
    for (int j = 0; j < k; j++)
        ones += cauchy_n_ones(galois_single_multiply(row[j], factor, w), w);
    return ones;
}

/* Returns the number that, times the row, leaves the fewest ones.  It is 1 or the inverse of
   one of the row's entries.  Of equally good numbers it is the first. */
static int best_factor(const int *row, int k, int w)
{
    int best = 1, fewest = ones_of_row(row, k, w, 1);
    for (int j = 0; j < k; j++) {
        if (row[j] == 0)
            continue;
        const int factor = galois_inverse(row[j], w);
        const int ones = ones_of_row(row, k, w, factor);
        if (ones < fewest) {
            fewest = ones;
            best = factor;
        }
    }
    return best;
}

void cauchy_improve_coding_matrix(int k, int m, int w, int *matrix)
{
    for (int j = 0; j < k; j++) {
        if (matrix[j] == 0 || matrix[j] == 1)
            continue;
        const int factor = galois_inverse(matrix[j], w);
        for (int i = 0; i < m; i++)
            matrix[i * k + j] = galois_single_multiply(matrix[i * k + j], factor, w);
    }
    for (int i = 1; i < m; i++) {
        int *const row = matrix + i * k;
        const int factor = best_factor(row, k, w);
        for (int j = 0; factor != 1 && j < k; j++)
            row[j] = galois_single_multiply(row[j], factor, w);
    }
}

/* The largest w, and the largest k, for which the best numbers are known. */
#define BEST_WIDTH 11
#define BEST_MOST 1023

struct candidate {
    int number, ones;
};

static int by_ones(const void *a, const void *b)
{
    const struct candidate *const x = a, *const y = b;
    return x->ones != y->ones ? x->ones - y->ones : x->number - y->number;
}

/*
 * For m = 2 with a first row of ones, any different numbers are valid as the second row.  So
 * the best ones are those whose bit matrices have the fewest ones.  They are the best ones of
 * the default field also when the program has set another field, because jerasure has them in
 * tables.
 */
static int *best_second_row(int k, int w)
{
    const int count = (1 << w) - 1;
    int *const matrix = malloc(sizeof *matrix * 2 * (size_t)k);
    struct candidate *const numbers = malloc(sizeof *numbers * (size_t)count);
    if (matrix && numbers) {
        for (int i = 0; i < count; i++)
            numbers[i] = (struct candidate){
                i + 1, count_ones((uint32_t)i + 1, w, pxr_word_polynomials[w])};
        qsort(numbers, (size_t)count, sizeof *numbers, by_ones);
        for (int j = 0; j < k; j++) {
            matrix[j] = 1;
            matrix[k + j] = numbers[j].number;
        }
        free(numbers);
        return matrix;
    }
    free(numbers);
    free(matrix);
    return NULL;
}

int *cauchy_good_general_coding_matrix(int k, int m, int w)
{
    if (m == 2 && k >= 1 && w >= 2 && w <= BEST_WIDTH && k <= BEST_MOST && k < 1 << w)
        return best_second_row(k, w);
    int *const matrix = cauchy_original_coding_matrix(k, m, w);
    if (matrix)
        cauchy_improve_coding_matrix(k, m, w, matrix);
    return matrix;
}
