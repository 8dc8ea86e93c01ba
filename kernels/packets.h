/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Xors of packets by a 0/1 matrix, which all codes of packets consist of (doc/bitmatrix.md):
 * preparing the matrix for the kernels, and choosing the kernel for a call.
 */
#ifndef PXR_PACKETS_H
#define PXR_PACKETS_H

#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

/*
 * A packed 0/1 matrix: bit c % 64 of word c / 64 of a row is its column c.  Each row has
 * PXR_BIT_WORDS(columns) words, and bits beyond the columns are zero.
 */
struct pxr_bits {
    unsigned rows, columns;
    uint64_t *word;
};
#define PXR_BIT_WORDS(columns) (((size_t)(columns) + 63) / 64)

static inline uint64_t *pxr_bits_row(const struct pxr_bits *bits, unsigned row)
{
    return bits->word + PXR_BIT_WORDS(bits->columns) * row;
}

static inline unsigned pxr_bit(const uint64_t *row, unsigned column)
{
    return row[column / 64] >> column % 64 & 1;
}

static inline void pxr_set_bit(uint64_t *row, unsigned column)
{
    row[column / 64] |= UINT64_C(1) << column % 64;
}

/* The number of bytes that pxr_packet_rows_make() writes, a multiple of 8. */
size_t pxr_packet_rows_bytes(const struct pxr_bits *bits);

/* Makes the matrix in the forms that kernels take.  They are written to `room`, which must live
   as long as the result. */
struct pxr_packet_rows pxr_packet_rows_make(const struct pxr_bits *bits, uint64_t *room);

/* Computes the packets by the kernel that is fastest for this matrix and these packets. */
void pxr_packets_run(const struct pxr_kernels *kernels, const struct pxr_packets *packets);

#endif
