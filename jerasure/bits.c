/* SPDX-License-Identifier: BSD-3-Clause */
#include "bits.h"

#include <stdlib.h>

struct pxr_bits jer_bits_new(unsigned rows, unsigned columns)
{
    uint64_t *const word = calloc(PXR_BIT_WORDS(columns) * rows, sizeof *word);
    return (struct pxr_bits){.rows = rows, .columns = columns, .word = word};
}

void jer_bits_read(struct pxr_bits *bits, unsigned r, const int *numbers)
{
    for (unsigned column = 0; column < bits->columns; column++)
        if (numbers[column] != 0)
            jer_bits_set(bits, r, column);
}

struct pxr_bits jer_bits_of(const int *numbers, unsigned rows, unsigned columns)
{
    struct pxr_bits bits = jer_bits_new(rows, columns);
    for (unsigned r = 0; bits.word && r < rows; r++)
        jer_bits_read(&bits, r, numbers + (size_t)r * columns);
    return bits;
}

void jer_bits_write(const struct pxr_bits *bits, unsigned r, int *numbers)
{
    for (unsigned column = 0; column < bits->columns; column++)
        numbers[column] = jer_bits_has(bits, r, column);
}

unsigned jer_bits_ones(const struct pxr_bits *bits, unsigned r)
{
    const uint64_t *const row = pxr_bits_row(bits, r);
    unsigned ones = 0;
    for (size_t i = 0; i < PXR_BIT_WORDS(bits->columns); i++)
        ones += (unsigned)__builtin_popcountll(row[i]);
    return ones;
}

unsigned jer_bits_distance(const struct pxr_bits *bits, unsigned r, unsigned other)
{
    const uint64_t *const a = pxr_bits_row(bits, r), *const b = pxr_bits_row(bits, other);
    unsigned ones = 0;
    for (size_t i = 0; i < PXR_BIT_WORDS(bits->columns); i++)
        ones += (unsigned)__builtin_popcountll(a[i] ^ b[i]);
    return ones;
}

/* Adds a row to another one, in bits and in the inverse at the same time. */
static void add_row(struct pxr_bits *bits, struct pxr_bits *inverse, unsigned to, unsigned from)
{
    const size_t words = PXR_BIT_WORDS(bits->columns);
    jer_words_add(pxr_bits_row(bits, to), pxr_bits_row(bits, from), words);
    jer_words_add(pxr_bits_row(inverse, to), pxr_bits_row(inverse, from), words);
}

/* Gauss-Jordan elimination.  When a diagonal entry is 0, adding a later row makes it 1. */
bool jer_bits_invert(struct pxr_bits *bits, struct pxr_bits *inverse)
{
    const unsigned n = bits->rows;
    for (unsigned at = 0; at < n; at++)
        jer_bits_set(inverse, at, at);
    for (unsigned at = 0; at < n; at++) {
        unsigned pivot = at;
        while (pivot < n && !jer_bits_has(bits, pivot, at))
            pivot++;
        if (pivot == n)
            return false;
        if (pivot != at)
            add_row(bits, inverse, at, pivot);
        for (unsigned r = 0; r < n; r++)
            if (r != at && jer_bits_has(bits, r, at))
                add_row(bits, inverse, r, at);
    }
    return true;
}

void jer_bits_multiply(const struct pxr_bits *a, const struct pxr_bits *b,
                       struct pxr_bits *product)
{
    for (unsigned r = 0; r < a->rows; r++)
        for (unsigned column = 0; column < a->columns; column++)
            if (jer_bits_has(a, r, column))
                jer_words_add(pxr_bits_row(product, r), pxr_bits_row(b, column),
                              PXR_BIT_WORDS(b->columns));
}
