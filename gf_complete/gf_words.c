/* SPDX-License-Identifier: BSD-3-Clause */
#include "gf_words.h"

#include <string.h>

#include "call.h"
#include "dispatch.h"
#include "encode.h"
#include "words.h"

/* -------------------------------------------- words with their bytes apart -- */

/* Returns the map of bytes from byte q of a word to byte p of the product. */
static uint64_t images_of_block(const struct pxr_gf_map *map, unsigned p, unsigned q)
{
    uint64_t images = 0;
    for (unsigned j = 0; j < 8; j++) {
        const struct pxr_gf_word column = map->column[8 * q + j];
        const uint64_t half = p < 8 ? column.low : column.high;
        images |= (half >> 8 * (p % 8) & 0xff) << 8 * j;
    }
    return images;
}

/* Multiplies words of up to 8 bytes by a pass of the kernel set, for which it makes the maps of
   bytes.  place[p] says where byte p of a word is.  Returns how many bytes are done. */
static size_t run_pass(const struct pxr_kernels *kernels, pxr_words_fn *pass,
                       const struct pxr_gf_map *map, const unsigned *place, size_t len,
                       const uint8_t *src, uint8_t *dst, bool add)
{
    _Alignas(8) uint8_t maps[64 * PXR_TABLE];
    const unsigned n = (unsigned)map->w / 8;
    for (unsigned p = 0; p < n; p++)
        for (unsigned q = 0; q < n; q++)
            pxr_byte_map(kernels->form, images_of_block(map, p, q),
                         maps + (place[p] * n + place[q]) * pxr_form_bytes(kernels->form));
    return pass(1, maps, &src, &dst, 0, len, add ? PXR_ACCUMULATE : 0);
}

/* From how many bytes on making the 64 maps of a word of 64 bits pays. */
#define KERNEL_64_FROM 1024

/* Returns the kernel set's pass over words in runs, if it has one and making the maps pays. */
static pxr_words_fn *pass_of_runs(const struct pxr_kernels *kernels, int w, size_t len)
{
    if (len < (size_t)w / 8 * kernels->vector)
        return NULL;
    switch (w) {
    case 16:
        return kernels->runs[PXR_WORDS_16];
    case 32:
        return kernels->runs[PXR_WORDS_32];
    case 64:
        return len >= KERNEL_64_FROM ? kernels->runs[PXR_WORDS_64] : NULL;
    default:
        return NULL;
    }
}

size_t pxr_gf_runs(const struct pxr_gf_map *map, const unsigned *place, size_t len,
                   const uint8_t *src, uint8_t *dst, bool add)
{
    const struct pxr_kernels *const kernels = pxr_kernels();
    pxr_words_fn *const pass = pass_of_runs(kernels, map->w, len);
    return pass ? run_pass(kernels, pass, map, place, len, src, dst, add) : 0;
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
            for (unsigned q = 0; q < planes; q++)
                pxr_byte_map(kernels->form, images_of_block(map, p + r, q),
                             coefficients + (r * planes + q) * size);
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

/* ------------------------------------------------------------- standard words -- */

/* The kernel set multiplies words of up to 32 bits by any linear map. */
static void words_up_to_32(const struct pxr_gf_map *map, size_t len, const uint8_t *src,
                           uint8_t *dst, bool add)
{
    const struct pxr_kernels *const kernels = pxr_kernels();
    uint32_t column[32];
    uint64_t room[PXR_WORDS_MAP / sizeof(uint64_t)];
    for (int i = 0; i < map->w; i++)
        column[i] = (uint32_t)map->column[i].low;
    const struct pxr_words words =
        pxr_words_of_columns((unsigned)map->w, column, kernels->form, room);
    pxr_words_dot(kernels, len - len % words.planes, &words, &src, &dst, add);
}

/* A word is the sum of its digits of four bits, each at its place.  So the product is the sum
   of the digits' products. */
static void digits_64(const struct pxr_gf_map *map, size_t len, const uint8_t *src,
                      uint8_t *dst, bool add)
{
    uint64_t products[16][16];
    for (int d = 0; d < 16; d++) {
        products[d][0] = 0;
        for (int bit = 0; bit < 4; bit++)
            for (int v = 0; v < 1 << bit; v++)
                products[d][(1 << bit) + v] = products[d][v] ^ map->column[4 * d + bit].low;
    }
    for (size_t pos = 0; pos + 8 <= len; pos += 8) {
        uint64_t word, sum = 0;
        if (add)
            memcpy(&sum, dst + pos, sizeof sum);
        memcpy(&word, src + pos, sizeof word);
#pragma GCC unroll 16
        for (int d = 0; d < 16; d++)
            sum ^= products[d][word >> 4 * d & 15];
        memcpy(dst + pos, &sum, sizeof sum);
    }
}

/* The kernel set multiplies by the 64 maps of bytes, if it can.  Returns how many bytes are
   done. */
static size_t kernel_64(const struct pxr_gf_map *map, size_t len, const uint8_t *src,
                        uint8_t *dst, bool add)
{
    const struct pxr_kernels *const kernels = pxr_kernels();
    pxr_words_fn *const words = kernels->words[PXR_WORDS_64][PXR_SPECIAL_NONE][1];
    unsigned place[8];
    if (!words || len < KERNEL_64_FROM)
        return 0;
    for (unsigned p = 0; p < 8; p++)
        place[p] = pxr_plane_of(p, 8);
    return run_pass(kernels, words, map, place, len, src, dst, add);
}

static void words_64(const struct pxr_gf_map *map, size_t len, const uint8_t *src, uint8_t *dst,
                     bool add)
{
    const size_t done = kernel_64(map, len, src, dst, add);
    if (done < len)
        digits_64(map, len - done, src + done, dst + done, add);
}

/* The same for pairs of words, with the high one first.  Bit i of a pair is bit i % 64 of
   pair[1 - i / 64]. */
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
    case 16:
    case 32:
        words_up_to_32(map, len, src, dst, add);
        break;
    case 64:
        words_64(map, len, src, dst, add);
        break;
    default:
        words_128(map, len, src, dst, add);
    }
}
