/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structure in a coding matrix: rows that are computed with fewer products than they have
 * coefficients.  doc/structured.md derives all of it.
 *
 * Source j stands for the point j of the field and output r for the point k + r.  Wherever the
 * coefficients of a coset of outputs and a coset of sources, both of b = 2^levels points, are
 *
 *     w / (output's point + source's point)         with the same w for all b*b of them,
 *
 * they are a Cauchy matrix times w, which factors.  ISA-L's Cauchy matrix is of this form with
 * w = 1 everywhere; the systematic Vandermonde matrix of klauspost/reedsolomon and its heirs
 * is, wherever k is a multiple of b.
 */
#ifndef PXR_STRUCTURE_H
#define PXR_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

/* c(y, B) of cosets with those numbers, which are their points without the lowest `levels`
   bits, in a Cauchy matrix. */
uint8_t pxr_coset_quotient(unsigned levels, unsigned group, unsigned coset);

/* The twiddles of a transform at `point`, level by level; returns what is behind them. */
uint8_t *pxr_fill_twiddles(unsigned levels, unsigned point, uint8_t *out);

/* A pass of rows that have structure. */
struct pxr_structure {
    unsigned levels; /* of its transforms; 0 where there is no structure */
    unsigned cosets; /* of outputs */
    struct pxr_cosets shape;
    unsigned cost;                       /* half cycles for a vector of every shard, as below */
    const uint8_t *constants[PXR_FORMS]; /* for pxr_structured_fn */
};

/*
 * What a vector of every shard takes on processors with one unit for products of whole vectors,
 * which can also xor, and another one that can: the time is that of the products, or half of
 * that of all, in half cycles.
 */
unsigned pxr_half_cycles(unsigned products, unsigned xors);
unsigned pxr_matrix_cost(unsigned k, unsigned count);

/* The products of a vector of every source, and how many constants a structure has. */
unsigned pxr_structure_products(const struct pxr_structure *structure);
size_t pxr_structure_constants(const struct pxr_structure *structure);

/* The cheapest structure of `count` rows of k coefficients, the first of which is row `row` of
   its code: with levels = 0 where the matrix itself is cheaper.  constants[] is not set.
   Coefficients that are NULL stand for those of ISA-L's Cauchy matrix. */
struct pxr_structure pxr_structure_find(unsigned k, unsigned row, unsigned count,
                                        const uint8_t *coefficients);

/* The same of the first `count` parity rows of ISA-L's Cauchy matrix, remembered. */
struct pxr_structure pxr_structure_of_cauchy(unsigned k, unsigned count);

/* Whether tables (ec_init_tables' layout) are those of the first `count` parity rows of ISA-L's
   Cauchy matrix of k sources. */
bool pxr_is_cauchy(unsigned k, unsigned count, const uint8_t *tables);

/* Its constants, one byte each. */
void pxr_structure_fill(const struct pxr_structure *structure, unsigned k, unsigned row,
                        const uint8_t *coefficients, uint8_t *constants);

#endif
