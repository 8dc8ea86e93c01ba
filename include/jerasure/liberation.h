/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * \file liberation.h Bit matrices for RAID-6 with few ones, under jerasure's names.
 *
 * A bit matrix is 2w rows of k * w int, each 0 or 1, row by row.  The caller releases it with
 * free().  NULL means that k is too large, or that there is no memory.  When w does not suit
 * the code, the functions still return a matrix, but that matrix is not MDS.
 */
#ifndef PXR_JERASURE_LIBERATION_H
#define PXR_JERASURE_LIBERATION_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/** The Liberation code, with k <= w, and w a prime number above 2. */
int *liberation_coding_bitmatrix(int k, int w);

/** The Liber8tion code, with k <= 8; w is 8. */
int *liber8tion_coding_bitmatrix(int k);

/** The code of Blaum and Roth, with k <= w, and w + 1 a prime number. */
int *blaum_roth_coding_bitmatrix(int k, int w);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
