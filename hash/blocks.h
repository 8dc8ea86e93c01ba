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

/* How the bytes of a block are summed: it has `rows` rows of `width` bytes, each `stride` bytes
   behind the one before. */
struct pxr_shape {
    size_t width, stride;
    struct pxr_rows block; /* d rows over the rows of the block, and over the sums so far */
    struct pxr_rows fold;  /* d rows over the sums; blocks.c */
};

struct pxr_powers {
    unsigned degree;              /* d */
    unsigned rows;                /* of a block */
    struct pxr_element power[64]; /* b^(2^i) */
    struct pxr_shape far, wide, narrow;
};

/* Returns the bytes of the room that pxr_powers_make() needs, a multiple of 8. */
size_t pxr_powers_bytes(unsigned d);

/* Prepares the powers of b, which is not zero.  They refer to `room`. */
void pxr_powers_make(unsigned d, struct pxr_element b, struct pxr_powers *powers,
                     uint64_t *room);

/* Returns b^exponent. */
struct pxr_element pxr_powers_get(const struct pxr_powers *powers, uint64_t exponent);

/* Returns the sum of these bytes. */
struct pxr_element pxr_powers_sum(const struct pxr_powers *powers, size_t len,
                                  const uint8_t *bytes);

#endif
