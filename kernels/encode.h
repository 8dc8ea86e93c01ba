/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plan of a call that codes: which rows go through which pass, in which pieces.
 */
#ifndef PXR_ENCODE_H
#define PXR_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call.h"
#include "kernels.h"
#include "rows.h"

/*
 * Calls of shorter shards are one plain pass: they look at nothing that takes longer than
 * their coding.  doc/machine-measured.md has the measurements.
 */
#define PXR_BRIEF_BYTES 2048

/* So are somewhat longer ones of so few shards that an L1 cache of 32 KiB holds them, where a
   row of ones is as quick to multiply as others. */
enum { PXR_FEW_SOURCES = 6, PXR_FEW_ROWS = 2, PXR_FEW_BYTES = 4096 };
static inline bool pxr_has_few(const struct pxr_kernels *kernels, size_t len, unsigned k,
                               unsigned count)
{
    return len <= PXR_FEW_BYTES && k <= PXR_FEW_SOURCES && count <= PXR_FEW_ROWS &&
           kernels->form == PXR_MATRICES;
}

/* Whether a call of k sources and so many rows is brief. */
static inline bool pxr_is_brief(const struct pxr_kernels *kernels, size_t len, unsigned k,
                                unsigned count)
{
    return count - 1 < PXR_MAX_ROWS &&
           (len < PXR_BRIEF_BYTES || pxr_has_few(kernels, len, k, count));
}

/* An update is brief for longer: so long all its shards fit an L1 cache, where it has no way.
 */
#define PXR_BRIEF_UPDATE_BYTES 4096

/* 0 - 1 is the largest number there is: one comparison each. */
static inline bool pxr_is_brief_update(size_t len, unsigned count)
{
    return len - 1 < PXR_BRIEF_UPDATE_BYTES && count - 1 < PXR_MAX_ROWS;
}

/* Shorter calls do not take a structured pass. */
#define PXR_STRUCTURED_FROM 256

/* Any call that is not brief. */
void pxr_encode_long(const struct pxr_kernels *kernels, size_t len, const struct pxr_rows *rows,
                     const uint8_t *const *src, uint8_t *const *dst);

/*
 * dst[r] = sum over j < k of row r's coefficient j * src[j], for all rows.
 * Any len, k and count of rows; any alignment.  dst[r] may be the same buffer as any
 * src[j], with k and count up to PXR_MAX_SHARDS.
 */
static inline void pxr_encode_rows(const struct pxr_kernels *kernels, size_t len,
                                   const struct pxr_rows *rows, const uint8_t *const *src,
                                   uint8_t *const *dst)
{
    const enum pxr_form form = kernels->form;
    if (len >= PXR_STRUCTURED_FROM && rows->structure)
        pxr_encode_long(kernels, len, rows, src, dst);
    else if (pxr_is_brief(kernels, len, rows->k, rows->count) && rows->form[form])
        kernels->plain[form][rows->count](len, rows->k, rows->form[form], src, dst, 0);
    else
        pxr_encode_long(kernels, len, rows, src, dst);
}

/* Any call with tables that is not brief. */
void pxr_encode_tables_long(const struct pxr_kernels *kernels, size_t len, unsigned k,
                            unsigned count, const uint8_t *tables, const uint8_t *const *src,
                            uint8_t *const *dst);

/* The same with rows that are there as nibble tables alone (ec_init_tables' layout). */
static inline void pxr_encode_tables(const struct pxr_kernels *kernels, size_t len, unsigned k,
                                     unsigned count, const uint8_t *tables,
                                     const uint8_t *const *src, uint8_t *const *dst)
{
    if (pxr_is_brief(kernels, len, k, count)) {
        kernels->plain[PXR_TABLES][count](len, k, tables, src, dst, 0);
    } else {
        pxr_encode_tables_long(kernels, len, k, count, tables, src, dst);
    }
}

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

/* Any update that is not brief, or has old contents. */
void pxr_update_long(const struct pxr_kernels *kernels, size_t len, unsigned k, unsigned count,
                     const uint8_t *tables, const uint8_t *src, const uint8_t *old,
                     uint8_t *const *dst);

/*
 * dst[r] += coefficient (r, index) * (src + old), the change that source `index` of
 * k makes to each of `count` rows; old may be NULL.  No dst[r] may overlap src or old, or be
 * NULL, but that in a brief update nothing is written then.
 */
static inline void pxr_update_rows(const struct pxr_kernels *kernels, size_t len, unsigned k,
                                   unsigned count, unsigned index, const uint8_t *tables,
                                   const uint8_t *src, const uint8_t *old, uint8_t *const *dst)
{
    if (pxr_is_brief_update(len, count) && !old)
        kernels->add[count](len, k, count, index, tables, src, dst);
    else
        pxr_update_long(kernels, len, k, count, tables + (size_t)PXR_TABLE * index, src, old,
                        dst);
}

#endif
