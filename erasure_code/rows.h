/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of a matrix, made ready to be multiplied with: what is worked out once for a code or
 * a plan, and again in each call of ISA-L's interface, which hands over tables alone.
 */
#ifndef PXR_ROWS_H
#define PXR_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

/* No such row. */
#define PXR_NO_ROW UINT32_MAX

/*
 * `count` rows of k coefficients each, row by row, in the two forms that kernel sets
 * multiply with.  Both are kept because pxr_kernel_select() may change the set.
 */
struct pxr_rows {
    unsigned k, count;
    unsigned p, q;            /* the rows of ones and of powers of two, or PXR_NO_ROW */
    const uint8_t *tables;    /* PXR_TABLE bytes a coefficient, ISA-L's layout */
    const uint64_t *matrices; /* gf256.h: pxr_affine; NULL where no set here wants them */
};

/* The tables of row r. */
static inline const uint8_t *pxr_row_tables(const struct pxr_rows *rows, unsigned r)
{
    return rows->tables + (size_t)PXR_TABLE * rows->k * r;
}

/* Bytes of what pxr_rows_expand() writes, a multiple of 8. */
size_t pxr_rows_bytes(unsigned k, unsigned count);

/* The rows of count*k coefficients, their forms written to `room`, which is aligned to 8
   bytes and must live as long as they do. */
struct pxr_rows pxr_rows_expand(unsigned k, unsigned count, const uint8_t *coefficients,
                                void *room);

/* Rows that somebody else has expanded, looked through for those with a cheaper way. */
struct pxr_rows pxr_rows_of_tables(unsigned k, unsigned count, const uint8_t *tables);

/* Expand n coefficients into n nibble tables. */
void pxr_expand_tables(size_t n, const uint8_t *coefficients, uint8_t *tables);

#endif
