/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dot products over GF(2^4), GF(2^8), GF(2^16) and GF(2^32), by the kernels for bytes.
 *
 * A word is the sum of its bytes, x = sum over i of x_i * 2^(8i), and multiplication
 * distributes over it:
 *
 *     byte o of c*x  =  sum over i of  (byte o of c * 2^(8i) * x_i)
 *
 * Each term is a linear map of the byte x_i, given by what it makes of the eight bytes with a
 * single 1.  Kernels multiply by any linear map that is in their form, so words whose bytes lie
 * in planes, byte i of all words in plane i, take no kernels of their own: a dot product of k
 * words is, for w / 8 = n, one of n*k bytes for each of n outputs.
 *
 * So a call goes through its shards in tiles.  A tile is split into planes in memory that
 * stays in L1, is multiplied there, and is joined again into the outputs.
 *
 * A byte holds one word of 8 bits, or two of 4, the first one in its low nibble.  To multiply
 * what it holds is a linear map of the byte, too.  So such shards are a single plane as they
 * are, and nothing is split and joined.
 */
#ifndef PXR_WORDS_H
#define PXR_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"

/* GF(2^w), w = 4, 8, 16 or 32, modulo x^w + the polynomial.  A word of several bytes is in the
   byte order of the machine. */
struct pxr_word_field {
    unsigned w;
    uint32_t polynomial;
};

/* The polynomials of gf-complete's fields, which are jerasure's, too, for w = 1 to 32. */
#define PXR_MOST_WORD_BITS 32
extern const uint32_t pxr_word_polynomials[PXR_MOST_WORD_BITS + 1];

static inline struct pxr_word_field pxr_word_field_of(unsigned w)
{
    return (struct pxr_word_field){w, pxr_word_polynomials[w]};
}

/* The bytes that whole words take: of one, or with w = 4 of two. */
static inline unsigned pxr_word_bytes(unsigned w)
{
    return (w + 7) / 8;
}

/* Products, also for other w up to 32. */
uint32_t pxr_word_mul(struct pxr_word_field field, uint32_t a, uint32_t b);

/* A linear map of bytes in the form of a coefficient, at `to`: PXR_TABLE or 8 bytes.  Byte j of
   the images is what the map makes of 2^j. */
void pxr_byte_map(enum pxr_form form, uint64_t images, uint8_t *to);

/* Rows of a matrix over such a field, made ready to be multiplied with. */
struct pxr_words {
    unsigned k, count;
    unsigned planes;                /* bytes of a word, and 1 with w = 4 */
    bool ones;                      /* row 0 has no other coefficients */
    const uint8_t *form[PXR_FORMS]; /* NULL where a form has not been made */
};

/* Bytes of `count` rows of k coefficients in a form. */
size_t pxr_words_bytes(struct pxr_word_field field, unsigned k, unsigned count,
                       enum pxr_form form);

/*
 * Expands count*k coefficients, row by row, into a form at `room`, which must live as long as
 * the rows do.  A second form is added by a second call with the same rows.
 */
void pxr_words_expand(struct pxr_words *words, struct pxr_word_field field, unsigned k,
                      unsigned count, const uint32_t *coefficients, enum pxr_form form,
                      uint64_t *room);

/* The same into both forms, and how many bytes of room they take, a multiple of 8. */
size_t pxr_words_room(struct pxr_word_field field, unsigned k, unsigned count);
struct pxr_words pxr_words_expand_both(struct pxr_word_field field, unsigned k, unsigned count,
                                       const uint32_t *coefficients, uint64_t *room);

/* One row and one source: any linear map of words of w = 4, 8, 16 or 32 bits, of which column n
   is what it makes of 2^n.  PXR_WORDS_MAP bytes of room are enough. */
#define PXR_WORDS_MAP (4 * 4 * PXR_TABLE)
struct pxr_words pxr_words_of_columns(unsigned w, const uint32_t *column, enum pxr_form form,
                                      uint64_t *room);

/*
 * dst[r] = sum over j < k of row r's coefficient j * src[j], or with `add`, dst[r] += that.
 * len is in bytes, a multiple of `planes`.  The set's form must have been made.  Any
 * alignment; an output may be no source, but that with one source and one row it may be this
 * source.
 */
void pxr_words_dot(const struct pxr_kernels *kernels, size_t len, const struct pxr_words *words,
                   const uint8_t *const *src, uint8_t *const *dst, bool add);

/* Some of its rows alone, those from `first` on; dst begins with the first of them. */
void pxr_words_dot_rows(const struct pxr_kernels *kernels, size_t len,
                        const struct pxr_words *words, unsigned first, unsigned rows,
                        const uint8_t *const *src, uint8_t *const *dst, bool add);

#endif
