/* SPDX-License-Identifier: BSD-3-Clause */
#include "rows.h"

#include <stdbool.h>
#include <string.h>

#include "gf256.h"

/* A coefficient, read back from its nibble table: entry 1 of the table of c is c. */
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
 * Row P, and a row Q beside it.  Both kinds start with coefficient 1, so a glance at their
 * first tables rules most rows out.
 */
struct pxr_rows pxr_rows_of_tables(unsigned k, unsigned count, const uint8_t *tables)
{
    struct pxr_rows rows = {k, count, PXR_NO_ROW, PXR_NO_ROW, tables, NULL};
    if (k == 0)
        return rows;
    for (unsigned r = 0; r < count && rows.p == PXR_NO_ROW; r++)
        if (is_ones(pxr_row_tables(&rows, r), k))
            rows.p = r;
    for (unsigned r = 0; rows.p != PXR_NO_ROW && r < count && rows.q == PXR_NO_ROW; r++)
        if (r != rows.p && is_powers_of_two(pxr_row_tables(&rows, r), k))
            rows.q = r;
    return rows;
}

void pxr_expand_tables(size_t n, const uint8_t *coefficients, uint8_t *tables)
{
    for (size_t i = 0; i < n; i++)
        memcpy(tables + PXR_TABLE * i, pxr_nibble[coefficients[i]], PXR_TABLE);
}

size_t pxr_rows_bytes(unsigned k, unsigned count)
{
    return (size_t)k * count * (PXR_TABLE + sizeof(uint64_t));
}

struct pxr_rows pxr_rows_expand(unsigned k, unsigned count, const uint8_t *coefficients,
                                void *room)
{
    const size_t n = (size_t)k * count;
    uint64_t *const matrices = room;
    uint8_t *const tables = (uint8_t *)(matrices + n);
    for (size_t i = 0; i < n; i++)
        matrices[i] = pxr_affine[coefficients[i]];
    pxr_expand_tables(n, coefficients, tables);
    struct pxr_rows rows = pxr_rows_of_tables(k, count, tables);
    rows.matrices = matrices;
    return rows;
}
