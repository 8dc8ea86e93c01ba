/* SPDX-License-Identifier: BSD-3-Clause */
#include "memory_array.h"

#include "check.h"
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>

static unsigned width(const struct memory_array *array)
{
    return array->geometry.data + array->geometry.parity;
}

static void *allocate(size_t size)
{
    void *bytes = malloc(size > 0 ? size : 1);
    if (bytes == NULL) {
        fprintf(stderr, "memory_array: no memory\n");
        exit(1);
    }
    return bytes;
}

static uint8_t coefficient(const struct memory_array *array, unsigned r, unsigned shard)
{
    if (array->matrix == PXR_ISAL_CAUCHY)
        return reference_inv((uint8_t)((array->geometry.data + r) ^ shard));
    return reference_pow(2, r * shard);
}

static uint8_t *block_at(const struct memory_array *array, const struct pxa_row *row,
                         unsigned block)
{
    const unsigned member = row->member[block];
    return array->store[member].bytes + array->member[member].start + row->offset;
}

/* Products are looked up in a table of the coefficient's, since the reference is slow. */
static void add_product(uint8_t *to, const uint8_t *from, uint8_t factor, uint32_t len)
{
    uint8_t product[256];
    for (unsigned x = 0; x < 256; x++)
        product[x] = reference_mul(factor, (uint8_t)x);
    for (uint32_t i = 0; i < len; i++)
        to[i] ^= product[from[i]];
}

static void fill_row(struct memory_array *array, uint64_t number)
{
    const struct pxa_geometry *g = &array->geometry;
    struct pxa_row row;
    pxa_row(g, number, &row);
    for (unsigned r = 0; r < g->parity; r++)
        for (uint32_t i = 0; i < g->chunk; i++)
            block_at(array, &row, g->data + r)[i] = 0;
    for (unsigned d = 0; d < g->data; d++) {
        const uint8_t *from = array->data + (number * g->data + d) * g->chunk;
        for (uint32_t i = 0; i < g->chunk; i++)
            block_at(array, &row, d)[i] = from[i];
        for (unsigned r = 0; r < g->parity; r++)
            add_product(block_at(array, &row, g->data + r), from,
                        coefficient(array, r, row.shard[d]), g->chunk);
    }
}

void memory_array_make(struct memory_array *array, const struct pxa_geometry *geometry,
                       enum pxr_matrix matrix)
{
    *array = (struct memory_array){.geometry = *geometry, .matrix = matrix};
    const size_t capacity = (size_t)pxa_capacity(geometry);
    array->data = allocate(capacity);
    check_fill(array->data, capacity);
    for (unsigned i = 0; i < width(array); i++) {
        const uint64_t start = 17 * i;
        array->store[i].size = start + geometry->member_size;
        array->store[i].bytes = allocate((size_t)array->store[i].size);
        check_fill(array->store[i].bytes, (size_t)array->store[i].size);
        array->member[i] = (struct pxa_member){.self = &array->store[i], .start = start};
    }
    memory_array_heal(array);
    for (uint64_t number = 0; number < pxa_rows(geometry); number++)
        fill_row(array, number);
}

void memory_array_heal(struct memory_array *array)
{
    for (unsigned i = 0; i < width(array); i++) {
        array->store[i].bad_begin = array->store[i].bad_end = 0;
        array->store[i].reads = 0;
        array->member[i].calls = &memory_calls;
        array->member[i].valid = UINT64_MAX;
        array->member[i].bad_count = 0;
    }
}

void memory_array_lose(struct memory_array *array, pxa_mask members)
{
    for (unsigned i = 0; i < width(array); i++)
        if (members >> i & 1)
            array->member[i].calls = NULL;
}

void memory_array_free(struct memory_array *array)
{
    for (unsigned i = 0; i < width(array); i++)
        free(array->store[i].bytes);
    free(array->data);
}
