/* SPDX-License-Identifier: BSD-3-Clause */
#include "words.h"

#include <string.h>

#include "rows.h"

const uint32_t pxr_word_polynomials[PXR_MOST_WORD_BITS + 1] = {
    0,   0x1,  0x3,  0x3,   0x3,  0x5,    0x3, 0x9,  0x1d,     0x11, 0x9,
    0x5, 0x53, 0x1b, 0x443, 0x3,  0x100b, 0x9, 0x81, 0x27,     0x9,  0x5,
    0x3, 0x21, 0x87, 0x9,   0x47, 0x27,   0x9, 0x5,  0x800007, 0x9,  0x400007,
};

uint32_t pxr_word_mul(struct pxr_word_field field, uint32_t a, uint32_t b)
{
    const uint32_t top = UINT32_C(1) << (field.w - 1), mask = top | (top - 1);
    uint32_t sum = 0;
    for (; b != 0; b >>= 1) {
        sum ^= b & 1 ? a : 0;
        a = (a << 1 & mask) ^ (a & top ? field.polynomial : 0);
    }
    return sum;
}

/* ------------------------------------------------------------- maps ---- */

#define MOST_COLUMNS (8 * PXR_MOST_WORD_PLANES)

static void put_bytes(uint8_t *to, uint64_t bytes)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    memcpy(to, &bytes, sizeof bytes);
}

/*
 * Writes the nibble table of a map.  Byte j of `images` is the image of 2^j, and entry n is the
 * sum of the images of the bits of n.  Eight entries are computed at once, in the bytes of a
 * word: byte n of a factor is 1 if n has the bit.
 */
static void put_table(uint8_t *table, uint64_t images)
{
    for (unsigned half = 0; half < 2; half++, images >>= 32) {
        const uint64_t low = (images & 0xff) * UINT64_C(0x0100010001000100) ^
                             (images >> 8 & 0xff) * UINT64_C(0x0101000001010000) ^
                             (images >> 16 & 0xff) * UINT64_C(0x0101010100000000);
        put_bytes(table + 16 * half, low);
        put_bytes(table + 16 * half + 8,
                  low ^ (images >> 24 & 0xff) * UINT64_C(0x0101010101010101));
    }
}

/* Exchanges the bits of x that the mask names with the bits that are `shift` above them. */
static uint64_t exchange(uint64_t x, unsigned shift, uint64_t mask)
{
    const uint64_t differing = (x ^ x >> shift) & mask;
    return x ^ differing ^ differing << shift;
}

/*
 * Makes the matrix of the map for gf2p8affineqb.  Byte 7 - b is the row for bit b of the
 * result, and its bit j says whether the image of 2^j has that bit.  So the matrix is the
 * transpose of the images, with the last row first.  The transposition exchanges the corners of
 * squares of 2 by 2 bits, then of 4 by 4 and of 8 by 8.
 */
static uint64_t matrix_of(uint64_t images)
{
    images = exchange(images, 7, UINT64_C(0x00aa00aa00aa00aa));
    images = exchange(images, 14, UINT64_C(0x0000cccc0000cccc));
    images = exchange(images, 28, UINT64_C(0x00000000f0f0f0f0));
    return __builtin_bswap64(images);
}

void pxr_byte_map(enum pxr_form form, uint64_t images, uint8_t *to)
{
    if (form == PXR_TABLES) {
        put_table(to, images);
    } else {
        const uint64_t matrix = matrix_of(images);
        memcpy(to, &matrix, sizeof matrix);
    }
}

/* Makes the columns of a map of whole bytes from the first w columns, those of one word: the
   word in the high nibble is mapped like the word in the low one. */
static void fill_bytes(unsigned w, uint32_t *column)
{
    for (unsigned n = w; n < 8; n++)
        column[n] = column[n - w] << w;
}

/* Writes the maps between planes that together are a map of words.  Column n of the map of
   words is its image of 2^n.  The map from plane i to plane o is written at to + (o * stride +
   i) maps. */
static void put_maps(enum pxr_form form, unsigned planes, const uint32_t *column, uint8_t *to,
                     size_t stride)
{
    for (unsigned i = 0; i < planes; i++) {
        for (unsigned o = 0; o < planes; o++) {
            uint64_t images = 0;
            for (unsigned j = 0; j < 8; j++)
                images |= (uint64_t)(column[8 * i + j] >> 8 * o & 0xff) << 8 * j;
            const size_t at = pxr_plane_of(o, planes) * stride + pxr_plane_of(i, planes);
            pxr_byte_map(form, images, to + pxr_form_bytes(form) * at);
        }
    }
}

/* Makes multiplication by c as a map of words. */
static void columns_of(struct pxr_word_field field, uint32_t c, uint32_t *column)
{
    const uint32_t top = UINT32_C(1) << (field.w - 1), mask = top | (top - 1);
    for (unsigned n = 0; n < field.w; n++) {
        column[n] = c;
        c = (c << 1 & mask) ^ (c & top ? field.polynomial : 0);
    }
    fill_bytes(field.w, column);
}

size_t pxr_words_bytes(struct pxr_word_field field, unsigned k, unsigned count,
                       enum pxr_form form)
{
    const size_t planes = pxr_word_bytes(field.w);
    return pxr_form_bytes(form) * planes * planes * k * count;
}

void pxr_words_expand(struct pxr_words *words, struct pxr_word_field field, unsigned k,
                      unsigned count, const uint32_t *coefficients, enum pxr_form form,
                      uint64_t *room)
{
    words->k = k;
    words->count = count;
    words->planes = pxr_word_bytes(field.w);
    words->ones = k > 0 && count > 0;
    for (unsigned j = 0; j < k && words->ones; j++)
        words->ones = coefficients[j] == 1;
    uint8_t *const maps = (uint8_t *)room;
    for (unsigned first = 0, sources; first < k; first += sources) {
        sources = pxr_words_group(words, first);
        for (unsigned r = 0; r < count; r++) {
            for (unsigned j = 0; j < sources; j++) {
                const size_t at = pxr_words_before(words, first, r) + (size_t)j * words->planes;
                uint32_t column[MOST_COLUMNS];
                columns_of(field, coefficients[(size_t)r * k + first + j], column);
                put_maps(form, words->planes, column, maps + pxr_form_bytes(form) * at,
                         (size_t)sources * words->planes);
            }
        }
    }
    words->form[form] = maps;
}

size_t pxr_words_room(struct pxr_word_field field, unsigned k, unsigned count)
{
    return pxr_words_bytes(field, k, count, PXR_TABLES) +
           pxr_words_bytes(field, k, count, PXR_MATRICES);
}

struct pxr_words pxr_words_expand_both(struct pxr_word_field field, unsigned k, unsigned count,
                                       const uint32_t *coefficients, uint64_t *room)
{
    const size_t tables = pxr_words_bytes(field, k, count, PXR_TABLES);
    struct pxr_words words = {.k = 0};
    pxr_words_expand(&words, field, k, count, coefficients, PXR_TABLES, room);
    pxr_words_expand(&words, field, k, count, coefficients, PXR_MATRICES,
                     room + tables / sizeof *room);
    return words;
}

struct pxr_words pxr_words_of_columns(unsigned w, const uint32_t *column, enum pxr_form form,
                                      uint64_t *room)
{
    struct pxr_words words = {.k = 1, .count = 1, .planes = pxr_word_bytes(w)};
    uint32_t all[MOST_COLUMNS];
    memcpy(all, column, w * sizeof *all);
    fill_bytes(w, all);
    put_maps(form, words.planes, all, (uint8_t *)room, words.planes);
    words.form[form] = (const uint8_t *)room;
    return words;
}
