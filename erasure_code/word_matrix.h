/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrices over GF(2^w), stored row by row.
 */
#ifndef PXR_WORD_MATRIX_H
#define PXR_WORD_MATRIX_H

#include "code.h"
#include "words.h"

/* Returns 1/a, also for other w up to 32. a must not be 0. */
uint32_t pxr_word_inverse(struct pxr_word_field field, uint32_t a);

/* Writes the m*k coefficients of jerasure's reed_sol_van, or of reed_sol_r6_op, for which m is
   2.  All their square submatrices are nonsingular. */
void pxr_word_matrix_fill(struct pxr_word_field field, uint32_t *rows, unsigned k, unsigned m,
                          enum pxr_matrix matrix);

/* Adds factor[r] * row to row r of a matrix, for r < count.  The matrix's rows are `stride`
   apart, and n of their entries are changed.  `row` must not be a row whose factor is not 0. */
void pxr_word_add_multiples(struct pxr_word_field field, const uint32_t *row, unsigned n,
                            unsigned count, const uint32_t *factor, uint32_t *matrix,
                            size_t stride);

/* Turns the left n by n square of n rows into the identity, by Gauss-Jordan elimination.  The
   part to the right of it is multiplied by the inverse of the square. n is at most
   PXR_MAX_WORD_SHARDS, and all square submatrices of the square are nonsingular. */
void pxr_word_eliminate(struct pxr_word_field field, uint32_t *matrix, unsigned n,
                        unsigned columns);

#endif
