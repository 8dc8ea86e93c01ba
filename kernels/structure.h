/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structure in a coding matrix: rows that can be computed with fewer products than they have
 * coefficients. doc/structured.md derives all of it.
 *
 * Source j stands for the point j of the field, and output r for the point k + r.  Take a coset
 * of outputs and a coset of sources, both of b = 2^levels points.  If all b*b coefficients
 * between them are
 *
 *     w / (output's point + source's point)         with the same w,
 *
 * then they are a Cauchy matrix times w, which factors.  ISA-L's Cauchy matrix has this form
 * with w = 1 everywhere.  The systematic Vandermonde matrix of klauspost/reedsolomon, and of
 * the libraries that took it over, has this form where k is a multiple of b.
 */
#ifndef PXR_STRUCTURE_H
#define PXR_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

/* Returns c(y, B) in a Cauchy matrix, for the cosets with these numbers.  The number of a coset
   is its points without their lowest `levels` bits. */
uint8_t pxr_coset_quotient(unsigned levels, unsigned group, unsigned coset);

/* Writes the twiddles of a transform at `point`, level by level.  Returns the place behind
   them. */
uint8_t *pxr_fill_twiddles(unsigned levels, unsigned point, uint8_t *out);

/* A pass of rows that have structure. */
struct pxr_structure {
    unsigned levels; /* of its transforms; 0 where there is no structure */
    unsigned cosets; /* of outputs */
    struct pxr_cosets shape;
    unsigned cost;                       /* half cycles for one vector of every shard, as below
                                          */
    const uint8_t *constants[PXR_FORMS]; /* for pxr_structured_fn */
};

/*
 * The time for one vector of every shard, in half cycles.  It holds for processors with one
 * unit that multiplies whole vectors and can also xor, and another unit that can only xor: the
 * time is that of the products, or half the time of all operations if that is more.
 */
unsigned pxr_half_cycles(unsigned products, unsigned xors);
unsigned pxr_matrix_cost(unsigned k, unsigned count);

/* Return the number of products for one vector of every source, and the number of constants of
   a structure. */
unsigned pxr_structure_products(const struct pxr_structure *structure);
size_t pxr_structure_constants(const struct pxr_structure *structure);

/* With fewer rows, moving data takes more time than the products.  Measured like the costs, no
   kernel set gains with three rows. */
#define PXR_STRUCTURED_ROWS 4

/* Finds the cheapest structure of `count` rows of k coefficients, of which the first is row
   `row` of its code. levels = 0 means that the matrix itself is cheaper. constants[] is not
   set.  Coefficients that are NULL stand for ISA-L's Cauchy matrix. */
struct pxr_structure pxr_structure_find(unsigned k, unsigned row, unsigned count,
                                        const uint8_t *coefficients);

/* Writes the constants of a structure, one byte each. */
void pxr_structure_fill(const struct pxr_structure *structure, unsigned k, unsigned row,
                        const uint8_t *coefficients, uint8_t *constants);

#endif
