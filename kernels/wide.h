/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structured coding of many outputs, for which no pass has registers: encoding of wide codes,
 * and rebuilding of many lost shards.  It is three steps on a piece of all shards that fits the
 * first cache: every group of sources is transformed; the cosets' sums are an ordinary dot
 * product, of as many sources as there are groups and as many outputs as there are cosets, all
 * lanes one behind the other; and every coset is transformed.  doc/structured.md has the
 * mathematics.
 *
 * The coefficient of output r and source j is to be
 *
 *     b[r] * a[j] / (point of r + point of j)
 *
 * for any points, all of them different.  Matrices that rebuild the shards of a code of this
 * form have it again.
 */
#ifndef PXR_WIDE_H
#define PXR_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

/* Rows of coefficients, and the points of their sources and outputs; NULL in place of all of
   them stands for ISA-L's Cauchy matrix. */
struct pxr_wide_matrix {
    unsigned k, count;
    const uint8_t *coefficients;
    const uint16_t *source_points, *output_points;
};

/* A code has at least one shard of either kind, so neither a source nor an output is number
 * 255. */
enum { PXR_MOST_COSETS = 256 >> PXR_WIDE_LEVELS, PXR_NO_SHARD = 255 };

/* Twiddles of sources and of outputs, sums, scales, and coefficients of cosets that are half
   sources and half outputs: with 3 levels 2*224 + 32*32 + 256 + 32*4*4, with 4 less. */
enum { PXR_MOST_WIDE_CONSTANTS = 2304 };

struct pxr_wide {
    unsigned k, count;
    unsigned levels, groups, cosets;   /* levels = 0: there is no structure */
    unsigned shared;                   /* cosets of outputs that some source is in, too */
    unsigned direct;                   /* coefficients of such outputs and sources */
    bool scale_sources, scale_outputs; /* by a and b, where these differ within a coset */
    unsigned cost;                     /* as in structure.h */
    /* The number of a coset: its points without the lowest bits. */
    uint8_t group[PXR_MOST_COSETS], coset[PXR_MOST_COSETS];
    /* Which shard each lane of all groups, and of all cosets, is; PXR_NO_SHARD: none. */
    uint8_t source[256], output[256];
    const uint8_t *constants[PXR_FORMS];
};

/* The cheapest structure by transforms of at most so many levels; with levels = 0 where there
   is none, or the matrix itself is cheaper. */
void pxr_wide_find(const struct pxr_wide_matrix *matrix, unsigned most_levels,
                   struct pxr_wide *wide);

/* The products of a vector of every source. */
unsigned pxr_wide_products(const struct pxr_wide *wide);

/* How many constants it has, and these, a byte each. */
size_t pxr_wide_constants(const struct pxr_wide *wide);
void pxr_wide_fill(const struct pxr_wide *wide, const struct pxr_wide_matrix *matrix,
                   uint8_t *constants);

/* Any len and alignment.  Both forms of the constants are there where something is scaled.
   An output may be the same buffer as a source where shared is 0 or 1. */
void pxr_wide_encode(const struct pxr_kernels *kernels, size_t len, const struct pxr_wide *wide,
                     const uint8_t *const *src, uint8_t *const *dst);

#endif
