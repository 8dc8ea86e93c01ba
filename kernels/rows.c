/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows.h"

#include <stdbool.h>
#include <string.h>

#include "gf256.h"

/* Reads a coefficient back from its nibble table: entry 1 of the table of c is c. */
static inline uint8_t coefficient(const uint8_t *row, unsigned j)
{
    return row[(size_t)PXR_TABLE * j + 1];
}

static bool is_ones(const uint8_t *row, unsigned k)
{
    unsigned j = 0;
    while (j < k && coefficient(row, j) == 1)
        j++;
    return j == k;
}

static bool is_powers_of_two(const uint8_t *row, unsigned k)
{
    unsigned j = 0;
    while (j < k && coefficient(row, j) == pxr_pow2(j))
        j++;
    return j == k;
}

/*
 * Matrices that have such rows have them at the beginning (ISA-L's and jerasure's; RAID-6).  To
 * allow a special row among the others, every pass would have to look where it is.
 */
struct pxr_rows pxr_rows_of_tables(unsigned k, unsigned count, const uint8_t *tables)
{
    struct pxr_rows rows = {.k = k, .count = count, .form = {[PXR_TABLES] = tables}};
    if (k < 2 || count == 0 || !is_ones(tables, k)) /* copying is no cheaper than multiplying */
        return rows;
    rows.special = PXR_SPECIAL_P;
    if (count > 1 && is_powers_of_two(pxr_row_tables(&rows, 1), k))
        rows.special = PXR_SPECIAL_PQ;
    return rows;
}

void pxr_expand_tables(size_t n, const uint8_t *coefficients, uint8_t *tables)
{
    for (size_t i = 0; i < n; i++)
        memcpy(tables + PXR_TABLE * i, pxr_nibble[coefficients[i]], PXR_TABLE);
}

void pxr_look_up_matrices(size_t n, const uint8_t *tables, uint64_t *matrices)
{
    for (size_t i = 0; i < n; i++)
        matrices[i] = pxr_affine[tables[PXR_TABLE * i + 1]];
}

const uint8_t *pxr_expand(enum pxr_form form, size_t n, const uint8_t *coefficients,
                          uint64_t *room)
{
    if (form == PXR_TABLES)
        pxr_expand_tables(n, coefficients, (uint8_t *)room);
    for (size_t i = 0; form == PXR_MATRICES && i < n; i++)
        room[i] = pxr_affine[coefficients[i]];
    return (const uint8_t *)room;
}

void pxr_expand_both(size_t n, const uint8_t *coefficients, uint64_t *room,
                     const uint8_t *forms[PXR_FORMS])
{
    forms[PXR_MATRICES] = pxr_expand(PXR_MATRICES, n, coefficients, room);
    forms[PXR_TABLES] = pxr_expand(PXR_TABLES, n, coefficients, room + n);
}

size_t pxr_rows_bytes(unsigned k, unsigned count)
{
    return (size_t)k * count * (PXR_TABLE + sizeof(uint64_t));
}

struct pxr_rows pxr_rows_expand(unsigned k, unsigned count, const uint8_t *coefficients,
                                uint64_t *room)
{
    const uint8_t *forms[PXR_FORMS];
    pxr_expand_both((size_t)k * count, coefficients, room, forms);
    struct pxr_rows rows = pxr_rows_of_tables(k, count, forms[PXR_TABLES]);
    rows.form[PXR_MATRICES] = forms[PXR_MATRICES];
    return rows;
}
