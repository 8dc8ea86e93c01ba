/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions for matrices of bits, which packets.h describes. */
#ifndef PXR_JERASURE_BITS_H
#define PXR_JERASURE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packets.h"

/* Makes a matrix of zeros.  The caller frees its word, which is NULL when there was no memory.
 */
struct pxr_bits jer_bits_new(unsigned rows, unsigned columns);

static inline bool jer_bits_has(const struct pxr_bits *bits, unsigned r, unsigned column)
{
    return pxr_bit(pxr_bits_row(bits, r), column);
}

static inline void jer_bits_set(struct pxr_bits *bits, unsigned r, unsigned column)
{
    pxr_set_bit(pxr_bits_row(bits, r), column);
}

/* Makes bits from numbers, row by row; any number but 0 is a one.  The caller frees its word,
   which is NULL when there was no memory. */
struct pxr_bits jer_bits_of(const int *numbers, unsigned rows, unsigned columns);

/* Sets in row r the columns whose numbers are not 0; and does the reverse. */
void jer_bits_read(struct pxr_bits *bits, unsigned r, const int *numbers);
void jer_bits_write(const struct pxr_bits *bits, unsigned r, int *numbers);

/* Return the number of ones in row r, and in the difference of two rows. */
unsigned jer_bits_ones(const struct pxr_bits *bits, unsigned r);
unsigned jer_bits_distance(const struct pxr_bits *bits, unsigned r, unsigned other);

/* Computes row ^= from, both of this many words. */
static inline void jer_words_add(uint64_t *row, const uint64_t *from, size_t words)
{
    for (size_t i = 0; i < words; i++)
        row[i] ^= from[i];
}

/* Computes inverse = bits^-1.  Both are square and of the same size, and bits is destroyed.
   Returns false when bits is singular. */
bool jer_bits_invert(struct pxr_bits *bits, struct pxr_bits *inverse);

/* Computes product = a * b. product is all zero before. a has as many columns as b has rows. */
void jer_bits_multiply(const struct pxr_bits *a, const struct pxr_bits *b,
                       struct pxr_bits *product);

#endif
