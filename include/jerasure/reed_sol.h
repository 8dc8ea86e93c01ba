/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reed_sol.h - Reed-Solomon codes under jerasure's names: matrices for jerasure.h, and RAID-6.
 *
 * A matrix is an array of int, row by row, that the caller releases with free().  NULL means
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

/*
 * The m * k coding matrix of technique reed_sol_van: the extended Vandermonde matrix of k + m
 * rows, made systematic, with ones in the first row and in the first column.  It is MDS.
 * k + m <= 2^w.
 */
int *reed_sol_vandermonde_coding_matrix(int k, int m, int w);

/* The extended Vandermonde matrix: row 0 is (1, 0, ..., 0), row i is i^0, i^1, ..., and the
   last row is (0, ..., 0, 1).  Both sizes are at most 2^w. */
int *reed_sol_extended_vandermonde_matrix(int rows, int cols, int w);

/* The same made systematic: the identity, and below it the coding matrix.  cols < rows. */
int *reed_sol_big_vandermonde_distribution_matrix(int rows, int cols, int w);

/* RAID-6's coding matrix: a row of ones, and 2^j.  w is 8, 16 or 32. */
int *reed_sol_r6_coding_matrix(int k, int w);

/* Computes P and Q of k data devices; data_ptrs and coding_ptrs have k and 2 of them, each of
   `size` bytes.  1, or 0 where w is none of 8, 16 and 32. */
int reed_sol_r6_encode(int k, int w, char **data_ptrs, char **coding_ptrs, int size);

/* Multiply a region by 2 in place. */
void reed_sol_galois_w08_region_multby_2(char *region, int nbytes);
void reed_sol_galois_w16_region_multby_2(char *region, int nbytes);
void reed_sol_galois_w32_region_multby_2(char *region, int nbytes);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
