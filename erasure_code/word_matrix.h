/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrices over GF(2^16) and GF(2^32), stored row by row.
 */
#ifndef PXR_WORD_MATRIX_H
#define PXR_WORD_MATRIX_H

#include <stdbool.h>

#include "code.h"
#include "words.h"

/* 1/a, also for other w up to 32; a is not 0. */
uint32_t pxr_word_inverse(struct pxr_word_field field, uint32_t a);

/* out = in^-1, n by n; in is destroyed.  False when it is singular. */
bool pxr_word_invert(struct pxr_word_field field, uint32_t *in, uint32_t *out, unsigned n);

/* The m*k coefficients of jerasure's reed_sol_van or reed_sol_r6_op, for which m is 2.  False
   where memory ran out. */
bool pxr_word_matrix_fill(struct pxr_word_field field, uint32_t *rows, unsigned k, unsigned m,
                          enum pxr_matrix matrix);

#endif
