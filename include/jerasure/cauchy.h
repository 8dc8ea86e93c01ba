/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file cauchy.h Cauchy matrices under jerasure's names, for jerasure_matrix_to_bitmatrix().
 *
 * A matrix is an array of m * k int, row by row, which the caller releases with free().  NULL
 * means that there is no such code, or no memory.
 */
#ifndef PXR_JERASURE_CAUCHY_H
#define PXR_JERASURE_CAUCHY_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/** Makes the matrix 1 / (i ^ (m + j)). w is 1 to 32, and k + m <= 2^w. */
int *cauchy_original_coding_matrix(int k, int m, int w);

/**
 * Makes the matrix 1 / (X[i] ^ Y[j]).  X has m numbers and Y has k, and all of them are
 * different.
 */
int *cauchy_xy_coding_matrix(int k, int m, int w, int *X, int *Y);

/**
 * Divides columns and rows so that the bit matrix has fewer ones.  Each column is divided by
 * its entry in row 0.  Each other row is divided by the entry that leaves the fewest ones, if
 * that is fewer than before.
 */
void cauchy_improve_coding_matrix(int k, int m, int w, int *matrix);

/**
 * Makes a matrix with few ones.  For m = 2 it is the best one in the default field, as far as
 * that is known.
 * Otherwise it is the original one, improved by cauchy_improve_coding_matrix().
 */
int *cauchy_good_general_coding_matrix(int k, int m, int w);

/**
 * Returns the number of ones in the bit matrix of n.  In a composite field it is the bit matrix
 * modulo x^w + 2^(w-1) * 2, as in jerasure.
 */
int cauchy_n_ones(int n, int w);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
