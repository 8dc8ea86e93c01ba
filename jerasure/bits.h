/* SPDX-License-Identifier: BSD-3-Clause */
/* Work on matrices of bits, which packets.h describes. */
#ifndef PXR_JERASURE_BITS_H
#define PXR_JERASURE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packets.h"

/* All zero.  Free its word, which is NULL where there was no memory. */
struct pxr_bits jer_bits_new(unsigned rows, unsigned columns);

static inline bool jer_bits_has(const struct pxr_bits *bits, unsigned r, unsigned column)
{
    return pxr_bit(pxr_bits_row(bits, r), column);
}

static inline void jer_bits_set(struct pxr_bits *bits, unsigned r, unsigned column)
{
    pxr_set_bit(pxr_bits_row(bits, r), column);
}

/* The bits of numbers, row by row, of which any but 0 is a one; its word as above. */
struct pxr_bits jer_bits_of(const int *numbers, unsigned rows, unsigned columns);

/* Sets in row r the columns whose numbers are not 0, and the other way round. */
void jer_bits_read(struct pxr_bits *bits, unsigned r, const int *numbers);
void jer_bits_write(const struct pxr_bits *bits, unsigned r, int *numbers);

/* Ones of row r; of the difference of two rows. */
unsigned jer_bits_ones(const struct pxr_bits *bits, unsigned r);
unsigned jer_bits_distance(const struct pxr_bits *bits, unsigned r, unsigned other);

/* row ^= from; both have so many words. */
static inline void jer_words_add(uint64_t *row, const uint64_t *from, size_t words)
{
    for (size_t i = 0; i < words; i++)
        row[i] ^= from[i];
}

/* inverse = bits^-1, both square and of one size; bits is destroyed.  False: it is singular. */
bool jer_bits_invert(struct pxr_bits *bits, struct pxr_bits *inverse);

/* product = a * b, which is all zero before.  a has as many columns as b has rows. */
void jer_bits_multiply(const struct pxr_bits *a, const struct pxr_bits *b,
                       struct pxr_bits *product);

#endif
