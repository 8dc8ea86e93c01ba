/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dot products over GF(2^4), GF(2^8), GF(2^16) and GF(2^32), computed by the kernels for bytes.
 *
 * A word is the sum of its bytes, x = sum over i of x_i * 2^(8i), and multiplication
 * distributes over this sum:
 *
 *     byte o of c*x  =  sum over i of  (byte o of c * 2^(8i) * x_i)
 *
 * Each term is a linear map of the byte x_i.  The map is given by its images of the eight bytes
 * that have a single 1.  Kernels multiply by any linear map that is in their form.  So words
 * need no kernels of their own when their bytes are in planes, byte i of all words in plane i.
 * With n = w / 8, a dot product of k words is then a dot product of n*k bytes for each of n
 * outputs.
 *
 * Many kernel sets split, multiply and join a few vectors of each shard at a time, in
 * registers.  Elsewhere a call goes through its shards in tiles: a tile is split into planes in
 * memory that stays in L1, is multiplied there, and is joined again into the outputs.
 *
 * A byte holds one word of 8 bits, or two words of 4 bits with the first one in the low nibble.
 * Multiplying these words is also a linear map of the byte.  So such shards are already a
 * single plane, and need not be split and joined.
 */
#ifndef PXR_WORDS_H
#define PXR_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

/* GF(2^w), with w = 4, 8, 16 or 32, modulo x^w + the polynomial.  A word of several bytes is in
   the byte order of the machine. */
struct pxr_word_field {
    unsigned w;
    uint32_t polynomial;
};

/* The polynomials of gf-complete's fields for w = 1 to 32. jerasure uses the same ones. */
#define PXR_MOST_WORD_BITS 32
extern const uint32_t pxr_word_polynomials[PXR_MOST_WORD_BITS + 1];

static inline struct pxr_word_field pxr_word_field_of(unsigned w)
{
    return (struct pxr_word_field){w, pxr_word_polynomials[w]};
}

/* The bytes that hold whole words: one word, or two words with w = 4. */
static inline unsigned pxr_word_bytes(unsigned w)
{
    return (w + 7) / 8;
}

/* Returns which byte of a word in memory has the bits from 8*s on. */
static inline unsigned pxr_plane_of(unsigned s, unsigned planes)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return planes - 1 - s;
#else
    (void)planes;
    return s;
#endif
}

/* Returns the product a * b.  It also works for other w up to 32. */
uint32_t pxr_word_mul(struct pxr_word_field field, uint32_t a, uint32_t b);

/* Writes a linear map of bytes in the form of a coefficient, to `to`: PXR_TABLE bytes or 8
   bytes.  Byte j of the images is the map's image of 2^j. */
void pxr_byte_map(enum pxr_form form, uint64_t images, uint8_t *to);

/* Rows of a matrix over such a field, prepared for multiplication. */
struct pxr_words {
    unsigned k, count;
    unsigned planes;                /* bytes of a word; 1 with w = 4 */
    bool ones;                      /* all coefficients of row 0 are one */
    const uint8_t *form[PXR_FORMS]; /* NULL where a form has not been made */
};

/* The most bytes of a word. */
#define PXR_MOST_WORD_PLANES 4

/* The sources of a group share a pass, and the maps of a pass are stored together: the maps of
   group 0 for all rows, then those of group 1, and so on. */
#define PXR_WORDS_GROUP 16

/* Returns how many sources from `first` on share a pass.  It is all of them when words are a
   single plane. */
static inline unsigned pxr_words_group(const struct pxr_words *words, unsigned first)
{
    const unsigned left = words->k - first;
    return words->planes > 1 && left > PXR_WORDS_GROUP ? PXR_WORDS_GROUP : left;
}

/* Returns where the maps of a row begin within the maps of its group. */
static inline size_t pxr_words_before(const struct pxr_words *words, unsigned first,
                                      unsigned row)
{
    return (size_t)words->planes * words->planes *
           ((size_t)first * words->count + (size_t)row * pxr_words_group(words, first));
}

/* Returns the bytes of `count` rows of k coefficients in a form. */
size_t pxr_words_bytes(struct pxr_word_field field, unsigned k, unsigned count,
                       enum pxr_form form);

/*
 * Expands count*k coefficients, row by row, into a form at `room`, which must live as long as
 * the rows.  To add the second form, call it again with the same rows.
 */
void pxr_words_expand(struct pxr_words *words, struct pxr_word_field field, unsigned k,
                      unsigned count, const uint32_t *coefficients, enum pxr_form form,
                      uint64_t *room);

/* Return how many bytes both forms need, a multiple of 8; and expand into both forms. */
size_t pxr_words_room(struct pxr_word_field field, unsigned k, unsigned count);
struct pxr_words pxr_words_expand_both(struct pxr_word_field field, unsigned k, unsigned count,
                                       const uint32_t *coefficients, uint64_t *room);

/* Makes one row with one source, from any linear map of words of w = 4, 8, 16 or 32 bits.
   Column n is the map's image of 2^n.  PXR_WORDS_MAP bytes of room are enough. */
#define PXR_WORDS_MAP (4 * 4 * PXR_TABLE)
struct pxr_words pxr_words_of_columns(unsigned w, const uint32_t *column, enum pxr_form form,
                                      uint64_t *room);

/*
 * dst[r] = sum over j < k of row r's coefficient j * src[j], or with `add`, dst[r] += that sum.
 * len is in bytes, a multiple of `planes`.  The set's form must have been made.  Any alignment
 * is allowed.  An output must not be a source, except that with one source and one row the
 * output may be that source.  words_dot.c does it.
 */
void pxr_words_dot(const struct pxr_kernels *kernels, size_t len, const struct pxr_words *words,
                   const uint8_t *const *src, uint8_t *const *dst, bool add);

/* Computes some of the rows: those from `first` on. dst[0] is the output of the first of them.
 */
void pxr_words_dot_rows(const struct pxr_kernels *kernels, size_t len,
                        const struct pxr_words *words, unsigned first, unsigned rows,
                        const uint8_t *const *src, uint8_t *const *dst, bool add);

#endif
