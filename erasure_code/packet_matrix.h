/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The 0/1 matrices of codes of packets (doc/bitmatrix.md).
 */
#ifndef PXR_PACKET_MATRIX_H
#define PXR_PACKET_MATRIX_H

#include <stdbool.h>

#include "code.h"

/* What a code of packets is made of. */
struct pxr_packet_shape {
    unsigned k, m, w;
    enum pxr_matrix matrix;
};

/* Whether the matrix exists at this shape: PXR_OK, PXR_EINVAL or PXR_ENOTMDS, which the caller
   may pass over.  k and m are at least 1, and w is 1 to PXR_MAX_W. */
int pxr_packet_matrix_check(const struct pxr_packet_shape *shape, struct pxr_error *why);

/* Fills in the bits, m*w rows of k*w columns that are all zero, where the matrix exists.  Those
   for two parity shards are also filled in where they are not MDS, and for any w >= k. */
void pxr_packet_matrix_fill(struct pxr_bits *bits, const struct pxr_packet_shape *shape);

#endif
