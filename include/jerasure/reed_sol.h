/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file reed_sol.h Reed-Solomon codes under jerasure's names: matrices for jerasure.h, and
 * RAID-6.
 *
 * A matrix is an array of int, row by row, which the caller releases with free().  NULL means
 * that there is no such code, or no memory.
 */
#ifndef PXR_JERASURE_REED_SOL_H
#define PXR_JERASURE_REED_SOL_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/**
 * Makes the m * k coding matrix of the technique reed_sol_van: the extended Vandermonde matrix
 * of k + m rows, made systematic, with ones in the first row and in the first column.  It is
 * MDS. k + m <= 2^w.
 */
int *reed_sol_vandermonde_coding_matrix(int k, int m, int w);

/**
 * Makes the extended Vandermonde matrix: row 0 is (1, 0, ..., 0), row i is i^0, i^1, ..., and
 * the last row is (0, ..., 0, 1).  Both sizes are at most 2^w.
 */
int *reed_sol_extended_vandermonde_matrix(int rows, int cols, int w);

/**
 * Makes the same matrix systematic: the identity, and below it the coding matrix. cols < rows.
 */
int *reed_sol_big_vandermonde_distribution_matrix(int rows, int cols, int w);

/** Makes the coding matrix of RAID-6: a row of ones, and a row of 2^j. w is 8, 16 or 32. */
int *reed_sol_r6_coding_matrix(int k, int w);

/**
 * Computes P and Q of k data devices. data_ptrs has k pointers and coding_ptrs has 2, to `size`
 * bytes each.  Returns 1, or 0 when w is not 8, 16 or 32.
 */
int reed_sol_r6_encode(int k, int w, char **data_ptrs, char **coding_ptrs, int size);

/** Multiplies a region of words of 8 bits by 2, in place. */
void reed_sol_galois_w08_region_multby_2(char *region, int nbytes);

/** Multiplies a region of words of 16 bits by 2, in place. */
void reed_sol_galois_w16_region_multby_2(char *region, int nbytes);

/** Multiplies a region of words of 32 bits by 2, in place. */
void reed_sol_galois_w32_region_multby_2(char *region, int nbytes);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
