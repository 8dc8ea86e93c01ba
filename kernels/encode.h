/* SPDX-License-Identifier: BSD-3-Clause */
/* The plan of a call that codes: which rows go through which pass, and in which pieces. */
#ifndef PXR_ENCODE_H
#define PXR_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call.h"
#include "cauchy_tables.h"
#include "dispatch.h"
#include "kernels.h"
#include "rows.h"

/*
 * A call with shards of up to this many bytes is brief: it is one plain pass, and looks at
 * nothing that would take longer than the coding itself. doc/machine-measured.md has the
 * measurements.
 */
#define PXR_BRIEF_BYTES 2048

/* Somewhat longer calls are also brief when their few shards fit in an L1 cache of 32 KiB and
   multiplying by a row of ones is as fast as multiplying by any other row.  The longest of them
   are not brief if calls that write as much look where their shards are, unless they trust that
   the shards are near. */
enum { PXR_FEW_SOURCES = 6, PXR_FEW_ROWS = 2, PXR_FEW_BYTES = 4096 };
static inline bool pxr_has_few(const struct pxr_kernels *kernels, size_t len, unsigned k,
                               unsigned count)
{
    if (len > PXR_FEW_BYTES || k > PXR_FEW_SOURCES || count > PXR_FEW_ROWS ||
        kernels->form != PXR_MATRICES)
        return false;
    return len < PXR_FEW_BYTES || count < PXR_FEW_ROWS ||
           len * count < PXR_MACHINE(look_outputs) || pxr_trusts(len * ((size_t)k + count));
}

/* Returns whether a call of k sources and this many rows is brief. */
static inline bool pxr_is_brief(const struct pxr_kernels *kernels, size_t len, unsigned k,
                                unsigned count)
{
    return count - 1 < PXR_MAX_ROWS &&
           (len <= PXR_BRIEF_BYTES || pxr_has_few(kernels, len, k, count));
}

/* The same for tables.  Comparing all coefficients with the Cauchy matrix takes some time, so
   brief calls do so from this length and this number of sources on.  doc/structured.md has the
   measurements. */
enum { PXR_CAUCHY_FROM = 512, PXR_CAUCHY_SOURCES = 8 };
static inline bool pxr_is_brief_tables(const struct pxr_kernels *kernels, size_t len,
                                       unsigned k, unsigned count, const uint8_t *tables)
{
    return pxr_is_brief(kernels, len, k, count) &&
           (len < PXR_CAUCHY_FROM || k < PXR_CAUCHY_SOURCES ||
            !pxr_may_be_cauchy(k, count, tables));
}

/* An update is brief up to a larger length: up to it, all its shards fit in an L1 cache, where
   an update has no special way. */
#define PXR_BRIEF_UPDATE_BYTES 4096

/* 0 - 1 is the largest unsigned number, so one comparison checks both ends of each range. */
static inline bool pxr_is_brief_update(size_t len, unsigned count)
{
    return len - 1 < PXR_BRIEF_UPDATE_BYTES && count - 1 < PXR_MAX_ROWS;
}

/* Shorter calls do not use structure.  Without it, a call of more rows than a pass has makes
   several passes, so there it pays sooner. */
#define PXR_STRUCTURED_FROM 256
#define PXR_STRUCTURED_FROM_WIDE 128

/* Returns whether an output is the same buffer as a source. */
bool pxr_any_in_place(unsigned k, unsigned count, const uint8_t *const *src,
                      uint8_t *const *dst);

/* Handles any call that is not brief. */
void pxr_encode_long(const struct pxr_kernels *kernels, size_t len, const struct pxr_rows *rows,
                     const uint8_t *const *src, uint8_t *const *dst);

/*
 * Computes dst[r] = sum over j < k of row r's coefficient j * src[j], for all rows.  Any len,
 * k, number of rows and alignment is allowed.  With k and count up to PXR_MAX_SHARDS, dst[r]
 * may be the same buffer as any src[j].
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

/* Handles any call with tables that is not brief. */
void pxr_encode_tables_long(const struct pxr_kernels *kernels, size_t len, unsigned k,
                            unsigned count, const uint8_t *tables, const uint8_t *const *src,
                            uint8_t *const *dst);

/* The same for rows that exist only as nibble tables, in the layout of ec_init_tables(). */
static inline void pxr_encode_tables(const struct pxr_kernels *kernels, size_t len, unsigned k,
                                     unsigned count, const uint8_t *tables,
                                     const uint8_t *const *src, uint8_t *const *dst)
{
    if (pxr_is_brief_tables(kernels, len, k, count, tables))
        kernels->plain[PXR_TABLES][count](len, k, tables, src, dst, 0);
    else
        pxr_encode_tables_long(kernels, len, k, count, tables, src, dst);
}

/*
 * Returns how many of the remaining rows the next pass takes, of `most` at most.  Every pass
 * reads all sources again, so there are as few passes as possible.  The rows are balanced among
 * the passes: with 6 at most, 7 rows are 4 + 3, never 6 + 1.  A pass also loads and splits each
 * source, and with 6 + 1 the second pass would do that work for a single row.
 */
static inline unsigned pxr_balanced_rows(unsigned rows_left, unsigned most)
{
    if (rows_left <= most)
        return rows_left;
    if (rows_left <= 2 * most)
        return (rows_left + 1) / 2; /* short calls would notice the divisions below */
    const unsigned passes = (rows_left + most - 1) / most;
    return (rows_left + passes - 1) / passes;
}

/* The same for passes of bytes. */
static inline unsigned pxr_rows_of_pass(unsigned rows_left)
{
    return pxr_balanced_rows(rows_left, PXR_MAX_ROWS);
}

/* Handles any update that is not brief, or that has old contents. */
void pxr_update_long(const struct pxr_kernels *kernels, size_t len, unsigned k, unsigned count,
                     const uint8_t *tables, const uint8_t *src, const uint8_t *old,
                     uint8_t *const *dst);

/*
 * dst[r] += coefficient (r, index) * (src + old), for each of `count` rows.  This is the change
 * that source `index` of k makes to the outputs. old may be NULL.  No dst[r] may overlap src or
 * old.  No dst[r] may be NULL, except in a brief update, which then writes nothing.
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

/* dst = c * src, or with add dst += c * src, in GF(2^8).  dst may be src. */
static inline void pxr_multiply_bytes(size_t len, uint8_t c, const uint8_t *src, uint8_t *dst,
                                      bool add)
{
    const struct pxr_kernels *const kernels = pxr_kernels();
    const struct pxr_rows row = {
        .k = 1, .count = 1, .form = {pxr_nibble[c], (const uint8_t *)&pxr_affine[c]}};
    if (add)
        pxr_update_rows(kernels, len, 1, 1, 0, pxr_nibble[c], src, NULL, &dst);
    else
        pxr_encode_rows(kernels, len, &row, &src, &dst);
}

#endif
