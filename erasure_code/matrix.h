/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrices over GF(2^8), stored row by row.
 */
#ifndef PXR_MATRIX_H
#define PXR_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

/* Coding rows (without the identity): rows*k bytes. */
void pxr_matrix_rs(uint8_t *a, unsigned rows, unsigned k);     /* 2^(r*j) */
void pxr_matrix_cauchy(uint8_t *a, unsigned rows, unsigned k); /* 1/((k+r) ^ j) */

/* Rows and columns are counted in 16 bits. */
#define PXR_MATRIX_MAX 65535

/*
 * Computes out = in^-1, n by n, with n <= PXR_MATRIX_MAX.  The call destroys in.  Returns false
 * when in is singular, and then out is unspecified. in and out must not overlap.
 */
bool pxr_matrix_invert(uint8_t *in, uint8_t *out, unsigned n);

#endif
