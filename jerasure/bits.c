/* SPDX-License-Identifier: BSD-3-Clause */
#include "bits.h"

#include <stdlib.h>

struct jer_bits jer_bits_new(unsigned rows, unsigned columns)
{
    struct jer_bits bits = {rows, columns, (columns + 63) / 64, NULL};
    bits.word = calloc((size_t)rows * bits.words, sizeof *bits.word);
    return bits;
}

void jer_bits_read(struct jer_bits *bits, unsigned r, const int *numbers)
{
    for (unsigned column = 0; column < bits->columns; column++)
        if (numbers[column] != 0)
            jer_bits_set(bits, r, column);
}

void jer_bits_write(const struct jer_bits *bits, unsigned r, int *numbers)
{
    for (unsigned column = 0; column < bits->columns; column++)
        numbers[column] = jer_bits_has(bits, r, column);
}

unsigned jer_bits_ones(const struct jer_bits *bits, unsigned r)
{
    const uint64_t *const row = jer_bits_row(bits, r);
    unsigned ones = 0;
    for (unsigned i = 0; i < bits->words; i++)
        ones += (unsigned)__builtin_popcountll(row[i]);
    return ones;
}

unsigned jer_bits_distance(const struct jer_bits *bits, unsigned r, unsigned other)
{
    const uint64_t *const a = jer_bits_row(bits, r), *const b = jer_bits_row(bits, other);
    unsigned ones = 0;
    for (unsigned i = 0; i < bits->words; i++)
        ones += (unsigned)__builtin_popcountll(a[i] ^ b[i]);
    return ones;
}

/* Rows of bits and of the inverse change together. */
static void add_row(struct jer_bits *bits, struct jer_bits *inverse, unsigned to, unsigned from)
{
    jer_words_add(jer_bits_row(bits, to), jer_bits_row(bits, from), bits->words);
    jer_words_add(jer_bits_row(inverse, to), jer_bits_row(inverse, from), bits->words);
}

/* Gauss and Jordan.  Where a diagonal entry is 0, adding a later row makes it 1. */
bool jer_bits_invert(struct jer_bits *bits, struct jer_bits *inverse)
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

void jer_bits_multiply(const struct jer_bits *a, const struct jer_bits *b,
                       struct jer_bits *product)
{
    for (unsigned r = 0; r < a->rows; r++)
        for (unsigned column = 0; column < a->columns; column++)
            if (jer_bits_has(a, r, column))
                jer_words_add(jer_bits_row(product, r), jer_bits_row(b, column), b->words);
}
