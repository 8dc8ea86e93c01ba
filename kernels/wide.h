/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structured coding of many outputs, for which a single pass would not have enough registers:
 * encoding of wide codes, and rebuilding of many lost shards.  The work is done in pieces of
 * all shards that fit in the first cache, in three steps.  First, every group of sources is
 * transformed.  Second, the sums of the cosets are computed: they are an ordinary dot product
 * with one source for each group and one output for each coset, over all lanes one after the
 * other.  Third, every coset is transformed. doc/structured.md has the mathematics.
 *
 * The coefficient of output r and source j has to be
 *
 *     b[r] * a[j] / (point of r + point of j)
 *
 * for any points that are all different.  The matrices that rebuild the shards of such a code
 * have this form again.
 */
#ifndef PXR_WIDE_H
#define PXR_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"
#include "structure.h"

/* Rows of coefficients, and the points of their sources and outputs.  When all of these are
   NULL, they stand for ISA-L's Cauchy matrix. */
struct pxr_wide_matrix {
    unsigned k, count;
    const uint8_t *coefficients;
    const uint16_t *source_points, *output_points;
};

/* PXR_NO_SHARD is free because a code has at least one shard of each kind, so no source and no
   output has the number 255. */
enum { PXR_MOST_COSETS = 256 >> PXR_WIDE_LEVELS, PXR_NO_SHARD = 255 };

/* Room for the twiddles of sources and of outputs, sums, scales, and coefficients of cosets
   that are half sources and half outputs: with 3 levels 2*224 + 32*32 + 256 + 32*4*4, with 4
   levels less. */
enum { PXR_MOST_WIDE_CONSTANTS = 2304 };

struct pxr_wide {
    unsigned k, count;
    unsigned levels, groups, cosets;   /* levels = 0: there is no structure */
    unsigned shared;                   /* cosets of outputs that also contain a source */
    unsigned direct;                   /* coefficients between the outputs and sources of such
                                          cosets */
    bool scale_sources, scale_outputs; /* by a and by b, where these differ within a coset */
    unsigned cost;                     /* as in structure.h */
    /* The number of a coset: its points without their lowest bits. */
    uint8_t group[PXR_MOST_COSETS], coset[PXR_MOST_COSETS];
    /* The shard in each lane of all groups, and of all cosets; PXR_NO_SHARD: none. */
    uint8_t source[256], output[256];
    const uint8_t *constants[PXR_FORMS];
};

/* Finds the cheapest structure with transforms of at most this many levels. levels = 0 means
   that there is none, or that the matrix itself is cheaper. */
void pxr_wide_find(const struct pxr_wide_matrix *matrix, unsigned most_levels,
                   struct pxr_wide *wide);

/* Returns the number of products for one vector of every source. */
unsigned pxr_wide_products(const struct pxr_wide *wide);

/* Return how many constants the structure has, and write them, one byte each. */
size_t pxr_wide_constants(const struct pxr_wide *wide);
void pxr_wide_fill(const struct pxr_wide *wide, const struct pxr_wide_matrix *matrix,
                   uint8_t *constants);

/* For the parity rows of a code, whose matrix has no points of its own: finds the cheaper of a
   structured pass and of the steps.  The dearer one gets levels = 0; so do both where the
   matrix itself is cheaper.  Returns the number of constants. */
size_t pxr_cheaper_find(const struct pxr_wide_matrix *matrix, unsigned most_levels,
                        struct pxr_structure *pass, struct pxr_wide *steps);

/* Writes the constants of what was found. */
void pxr_cheaper_fill(const struct pxr_wide_matrix *matrix, const struct pxr_structure *pass,
                      const struct pxr_wide *steps, uint8_t *constants);

/* Encodes.  Any len and alignment is allowed.  Where something is scaled, both forms of the
   constants must be there.  An output may be the same buffer as a source if no coset is shared,
   or only the first one is, as in ISA-L's Cauchy matrix. */
void pxr_wide_encode(const struct pxr_kernels *kernels, size_t len, const struct pxr_wide *wide,
                     const uint8_t *const *src, uint8_t *const *dst);

#endif
