/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of a matrix, prepared for multiplication.  A code or a plan prepares them once.  ISA-L's
 * interface hands over only tables, so there each call prepares them again.
 */
#ifndef PXR_ROWS_H
#define PXR_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "kernels.h"
#include "structure.h"
#include "wide.h"

/*
 * `count` rows of k coefficients each, row by row, in the two forms that kernel sets multiply
 * with.  Both forms are kept because pxr_kernel_select() may change the set.
 */
struct pxr_rows {
    unsigned k, count;
    enum pxr_special special;       /* what the first rows are: P, or P and Q, or neither */
    const uint8_t *form[PXR_FORMS]; /* NULL where a form has not been made */
    /* NULL where there is none, or where it was not looked for; at most one of the two is set.
     */
    const struct pxr_structure *structure;
    const struct pxr_wide *wide;
};

/* Returns the bytes of a coefficient in a form. */
static inline size_t pxr_form_bytes(enum pxr_form form)
{
    return form == PXR_MATRICES ? sizeof(uint64_t) : PXR_TABLE;
}

/* Returns the tables of row r. */
static inline const uint8_t *pxr_row_tables(const struct pxr_rows *rows, unsigned r)
{
    return rows->form[PXR_TABLES] + (size_t)PXR_TABLE * rows->k * r;
}

/* Returns `count` of the rows, starting with row `first`. */
static inline struct pxr_rows pxr_rows_slice(const struct pxr_rows *rows, unsigned first,
                                             unsigned count)
{
    struct pxr_rows slice = {.k = rows->k, .count = count};
    if (first == 0 && count >= (unsigned)rows->special)
        slice.special = rows->special;
    for (enum pxr_form form = 0; form < PXR_FORMS; form++)
        if (rows->form[form])
            slice.form[form] = rows->form[form] + pxr_form_bytes(form) * rows->k * first;
    return slice;
}

/* Returns the number of bytes that pxr_rows_expand() writes, a multiple of 8. */
size_t pxr_rows_bytes(unsigned k, unsigned count);

/* Makes the rows of count*k coefficients.  Their forms are written to `room`, which must live
   as long as the rows. */
struct pxr_rows pxr_rows_expand(unsigned k, unsigned count, const uint8_t *coefficients,
                                uint64_t *room);

/* Makes rows from tables that the caller has expanded. */
struct pxr_rows pxr_rows_of_tables(unsigned k, unsigned count, const uint8_t *tables);

/* Expand n coefficients into n nibble tables; look up the matrices of n tables. */
void pxr_expand_tables(size_t n, const uint8_t *coefficients, uint8_t *tables);
void pxr_look_up_matrices(size_t n, const uint8_t *tables, uint64_t *matrices);

/* Expands n coefficients into this form, at `room`, and returns the room as bytes. */
const uint8_t *pxr_expand(enum pxr_form form, size_t n, const uint8_t *coefficients,
                          uint64_t *room);

/* The same into both forms. pxr_rows_bytes(1, n) bytes are enough for them. */
void pxr_expand_both(size_t n, const uint8_t *coefficients, uint64_t *room,
                     const uint8_t *forms[PXR_FORMS]);

#endif
