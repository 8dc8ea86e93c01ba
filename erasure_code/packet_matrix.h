/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The 0/1 matrices of codes of packets (doc/bitmatrix.md).
 */
#ifndef PXR_PACKET_MATRIX_H
#define PXR_PACKET_MATRIX_H

#include <stdbool.h>

#include "code.h"

/* The parameters of a code of packets. */
struct pxr_packet_shape {
    unsigned k, m, w;
    enum pxr_matrix matrix;
};

/* Returns PXR_OK when the matrix exists with this shape, and else PXR_EINVAL, or PXR_ENOTMDS,
   which the caller may ignore. k and m are at least 1, and w is 1 to PXR_MAX_W. */
int pxr_packet_matrix_check(const struct pxr_packet_shape *shape, struct pxr_error *why);

/* Fills in the bits of a matrix that exists: m*w rows of k*w columns, which are all zero
   before.  The matrices for two parity shards are also filled in when they are not MDS, and for
   any w >= k. */
void pxr_packet_matrix_fill(struct pxr_bits *bits, const struct pxr_packet_shape *shape);

#endif
