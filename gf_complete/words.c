/* SPDX-License-Identifier: BSD-3-Clause */
#include "words.h"

#include <string.h>

#include "call.h"
#include "dispatch.h"
#include "encode.h"

/* -------------------------------------------------------------------- bytes -- */

/* The bit matrix of a map of bytes, as gf256.h has it: bit j of byte 7-i is bit i of the image
   of bit j. */
static uint64_t matrix_of(const uint8_t image[8])
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t matrix = 0;
    for (int j = 0; j < 8; j++) {
        /* Byte 7-i keeps bit i of the image alone, and then is 1 where that was set. */
        const uint64_t bits = image[j] * ones & UINT64_C(0x0102040810204080);
        matrix |= ((bits + ones * 0x7f) >> 7 & ones) << j;
    }
    return matrix;
}

/* The nibble table of a map of bytes: the images of all low nibbles, then of all high ones. */
static void fill_nibbles(const uint8_t image[8], uint8_t *table)
{
    for (int half = 0; half < 2; half++, table += 16) {
        table[0] = 0;
        for (int bit = 0; bit < 4; bit++)
            for (int v = 0; v < 1 << bit; v++)
                table[(1 << bit) + v] = table[v] ^ image[4 * half + bit];
    }
}

/* A coefficient of the kernel set, in either form, at `to`. */
static void fill_coefficient(const struct pxr_kernels *kernels, const uint8_t image[8],
                             uint8_t *to)
{
    const uint64_t matrix = matrix_of(image);
    if (kernels->form == PXR_MATRICES)
        memcpy(to, &matrix, sizeof matrix);
    else
        fill_nibbles(image, to);
}

/* A byte holds one word of 8 bits, or two of 4. */
static void find_images(const struct pxr_gf_map *map, uint8_t image[8])
{
    for (int j = 0; j < 8; j++)
        image[j] = (uint8_t)(map->column[j % map->w].low << j / map->w * map->w);
}

/* Bytes go through the kernel set, whose coefficients may be any map of bytes. */
static void bytes_of(const struct pxr_gf_map *map, size_t len, const uint8_t *src, uint8_t *dst,
                     bool add)
{
    const struct pxr_kernels *const kernels = pxr_kernels();
    uint8_t image[8];
    _Alignas(8) uint8_t coefficient[PXR_TABLE];
    find_images(map, image);
    fill_coefficient(kernels, image, coefficient);
    uint8_t *const to[] = {dst, dst};
    const uint32_t way = pxr_way(PXR_WORK_ONE, pxr_place(len, 2, PXR_UNSEEN), 1);
    kernels->dot[PXR_SPECIAL_NONE][1](len, 1, coefficient, &src, to,
                                      (way & PXR_AHEAD) | (add ? PXR_ACCUMULATE : 0));
}

/* What a product's byte p has of the word's byte q: a map of bytes. */
static void find_block(const struct pxr_gf_map *map, unsigned p, unsigned q, uint8_t image[8])
{
    for (unsigned j = 0; j < 8; j++) {
        const struct pxr_gf_word column = map->column[8 * q + j];
        image[j] = (uint8_t)(p < 8 ? column.low >> 8 * p : column.high >> 8 * (p - 8));
    }
}

/* A dot product over byte planes, in passes of a few rows. */
void pxr_gf_planes(const struct pxr_gf_map *map, size_t len, const uint8_t *const *src,
                   uint8_t *const *dst, bool add)
{
    const struct pxr_kernels *const kernels = pxr_kernels();
    const unsigned planes = (unsigned)map->w / 8;
    const size_t size = pxr_form_bytes(kernels->form);
    for (unsigned p = 0, rows; p < planes; p += rows) {
        _Alignas(8) uint8_t coefficients[PXR_MAX_ROWS * PXR_GF_MOST_PLANES * PXR_TABLE];
        uint8_t *to[2 * PXR_MAX_ROWS];
        rows = pxr_rows_of_pass(planes - p);
        for (unsigned r = 0; r < rows; r++) {
            to[r] = to[rows + r] = dst[p + r];
            for (unsigned q = 0; q < planes; q++) {
                uint8_t image[8];
                find_block(map, p + r, q, image);
                fill_coefficient(kernels, image, coefficients + (r * planes + q) * size);
            }
        }
        kernels->dot[PXR_SPECIAL_NONE][rows](len, planes, coefficients, src, to,
                                             add ? PXR_ACCUMULATE : 0);
    }
}

void pxr_gf_add(size_t len, const uint8_t *src, uint8_t *dst)
{
    const uint8_t *const from[] = {dst, src};
    const uint32_t way = pxr_way(PXR_WORK_P, pxr_place(len, 2, PXR_UNSEEN), 2);
    pxr_kernels()->dot[PXR_SPECIAL_P][0](len, 2, NULL, from, &dst, way & PXR_AHEAD);
}

/* ------------------------------------------------------------- longer words -- */

#define WORD uint16_t
#define NAME(what) what##_16
#define DIGIT 8
#include "words_table.inc.h"
#undef WORD
#undef NAME
#undef DIGIT

#define WORD uint32_t
#define NAME(what) what##_32
#define DIGIT 8
#include "words_table.inc.h"
#undef WORD
#undef NAME
#undef DIGIT

#define WORD uint64_t
#define NAME(what) what##_64
#define DIGIT 4
#include "words_table.inc.h"
#undef WORD
#undef NAME
#undef DIGIT

/* The same for pairs of words, the high one first; bit i of a pair is bit i % 64 of pair[1 - i
 * / 64]. */
static void words_128(const struct pxr_gf_map *map, size_t len, const uint8_t *src,
                      uint8_t *dst, bool add)
{
    struct pxr_gf_word products[32][16];
    for (int d = 0; d < 32; d++) {
        products[d][0] = pxr_gf_low_word(0);
        for (int bit = 0; bit < 4; bit++)
            for (int v = 0; v < 1 << bit; v++)
                products[d][(1 << bit) + v] =
                    pxr_gf_sum(products[d][v], map->column[4 * d + bit]);
    }
    for (size_t pos = 0; pos + 16 <= len; pos += 16) {
        uint64_t word[2], old[2] = {0, 0};
        if (add)
            memcpy(old, dst + pos, sizeof old);
        memcpy(word, src + pos, sizeof word);
        struct pxr_gf_word sum = {old[0], old[1]};
#pragma GCC unroll 32
        for (int d = 0; d < 32; d++)
            sum = pxr_gf_sum(sum, products[d][word[1 - d / 16] >> d % 16 * 4 & 15]);
        const uint64_t out[2] = {sum.high, sum.low};
        memcpy(dst + pos, out, sizeof out);
    }
}

void pxr_gf_words(const struct pxr_gf_map *map, size_t len, const uint8_t *src, uint8_t *dst,
                  bool add)
{
    switch (map->w) {
    case 4:
    case 8:
        bytes_of(map, len, src, dst, add);
        break;
    case 16:
        words_16(map, len, src, dst, add);
        break;
    case 32:
        words_32(map, len, src, dst, add);
        break;
    case 64:
        words_64(map, len, src, dst, add);
        break;
    default:
        words_128(map, len, src, dst, add);
    }
}
