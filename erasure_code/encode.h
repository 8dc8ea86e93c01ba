/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plan of a call that codes: which rows go through which pass, in which pieces.
 */
#ifndef PXR_ENCODE_H
#define PXR_ENCODE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels.h"
#include "rows.h"

/*
 * dst[r] = sum over j < k of row r's coefficient j * src[j], for all rows.
 * Any len, k and count of rows; any alignment.  dst[r] may be the same buffer as any
 * src[j], with k and count up to PXR_MAX_SHARDS.
 */
void pxr_encode_rows(const struct pxr_kernels *kernels, size_t len, const struct pxr_rows *rows,
                     const uint8_t *const *src, uint8_t *const *dst);

/* The same with rows that are there as nibble tables alone (ec_init_tables' layout). */
void pxr_encode_tables(const struct pxr_kernels *kernels, size_t len, unsigned k,
                       unsigned count, const uint8_t *tables, const uint8_t *const *src,
                       uint8_t *const *dst);

/*
 * dst[r] += coefficient (r, index) * (src + old), the change that source `index` of
 * k makes to each of `count` rows; old may be NULL.  No dst[r] may be NULL, or overlap src
 * or old.
 */
void pxr_update_rows(const struct pxr_kernels *kernels, size_t len, unsigned k, unsigned count,
                     unsigned index, const uint8_t *tables, const uint8_t *src,
                     const uint8_t *old, uint8_t *const *dst);

/*
 * How many of the rows that are left the next pass takes.  Every pass reads all
 * sources again, so there are as few as possible, and their rows are balanced:
 * 7 rows are 4 + 3, never 6 + 1, because the work besides the products (loading
 * and splitting a source) would be shared by fewer.
 */
static inline unsigned pxr_rows_of_pass(unsigned rows_left)
{
    if (rows_left <= PXR_MAX_ROWS)
        return rows_left;
    const unsigned passes = (rows_left + PXR_MAX_ROWS - 1) / PXR_MAX_ROWS;
    return (rows_left + passes - 1) / passes;
}

#endif
