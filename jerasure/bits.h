/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrices of bits, 64 columns in a word.
 */
#ifndef PXR_JERASURE_BITS_H
#define PXR_JERASURE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jer_bits {
    unsigned rows, columns;
    unsigned words; /* of a row */
    uint64_t *word; /* row by row; NULL: there was no memory */
};

/* All zero.  Free its word. */
struct jer_bits jer_bits_new(unsigned rows, unsigned columns);

static inline uint64_t *jer_bits_row(const struct jer_bits *bits, unsigned r)
{
    return bits->word + (size_t)bits->words * r;
}

static inline bool jer_bits_has(const struct jer_bits *bits, unsigned r, unsigned column)
{
    return jer_bits_row(bits, r)[column / 64] >> column % 64 & 1;
}

static inline void jer_bits_set(struct jer_bits *bits, unsigned r, unsigned column)
{
    jer_bits_row(bits, r)[column / 64] |= UINT64_C(1) << column % 64;
}

/* Sets in row r the columns whose numbers are not 0, and the other way round. */
void jer_bits_read(struct jer_bits *bits, unsigned r, const int *numbers);
void jer_bits_write(const struct jer_bits *bits, unsigned r, int *numbers);

/* Ones of row r; of the difference of two rows. */
unsigned jer_bits_ones(const struct jer_bits *bits, unsigned r);
unsigned jer_bits_distance(const struct jer_bits *bits, unsigned r, unsigned other);

/* row ^= from; both have so many words. */
static inline void jer_words_add(uint64_t *row, const uint64_t *from, unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        row[i] ^= from[i];
}

/* inverse = bits^-1, both square and of one size; bits is destroyed.  False: it is singular. */
bool jer_bits_invert(struct jer_bits *bits, struct jer_bits *inverse);

/* product = a * b, which is all zero before.  a has as many columns as b has rows. */
void jer_bits_multiply(const struct jer_bits *a, const struct jer_bits *b,
                       struct jer_bits *product);

#endif
