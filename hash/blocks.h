/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of bytes times powers of an element b of F:
 *
 *     x[0] + x[1]*b + x[2]*b^2 + ... + x[n-1]*b^(n-1)
 *
 * by the dot product of the kernel sets.
 */
#ifndef PXR_BLOCKS_H
#define PXR_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#include "extension.h"
#include "rows.h"

/* There are sums in 2^PXR_FOLDS columns; blocks.c. */
#define PXR_FOLDS 7

struct pxr_powers {
    unsigned degree;                 /* d */
    unsigned rows;                   /* of a block */
    struct pxr_element power[64];    /* b^(2^i) */
    struct pxr_rows block;           /* d rows over the rows of a block and the sums so far */
    struct pxr_rows fold[PXR_FOLDS]; /* d rows over the sums: they multiply by b^(2^i) */
};

/* Returns the bytes of the room that pxr_powers_make() needs, a multiple of 8. */
size_t pxr_powers_bytes(unsigned d);

/* Prepares the powers of b, which is not zero.  They refer to `room`. */
void pxr_powers_make(unsigned d, struct pxr_element b, struct pxr_powers *powers,
                     uint64_t *room);

/* Returns b^exponent. */
struct pxr_element pxr_powers_get(const struct pxr_powers *powers, uint64_t exponent);

/* Returns b^offset times the sum of these bytes, of which there is at least one. */
struct pxr_element pxr_powers_sum(const struct pxr_powers *powers, uint64_t offset, size_t len,
                                  const uint8_t *bytes);

#endif
