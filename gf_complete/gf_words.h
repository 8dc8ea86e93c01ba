/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words of 4, 8, 16, 32, 64 or 128 bits, one after the other, times a constant.
 *
 * A product is linear: c * (a + b) = c*a + c*b.  So the products of c with each single bit of a
 * word define the multiplication by c completely, in any field.  This is the only place in
 * gf_complete/ that multiplies data.
 */
#ifndef PXR_GF_WORDS_H
#define PXR_GF_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "poly.h"

#define PXR_GF_MOST_BITS 128

/* column[i] is the product with the word that has only bit i, for i < w. */
struct pxr_gf_map {
    int w;
    struct pxr_gf_word column[PXR_GF_MOST_BITS];
};

/* Computes dst = map(src), or with add dst += map(src), for all whole words of len bytes.  Any
   alignment is allowed, and dst may be src. */
void pxr_gf_words(const struct pxr_gf_map *map, size_t len, const uint8_t *src, uint8_t *dst,
                  bool add);

/* Does the same, as far as the kernel set can, for words of w >= 16 whose bytes are in runs of
   16 bytes: run place[q] of each block has byte q of 16 words, the lowest byte first.  Returns
   how many bytes are done, a multiple of a block.  dst may be src. */
size_t pxr_gf_runs(const struct pxr_gf_map *map, const unsigned *place, size_t len,
                   const uint8_t *src, uint8_t *dst, bool add);

/* Does the same for words of w >= 16 whose bytes are in planes: plane q of src and of dst has
   byte q of len words, the lowest byte first.  No dst may be a src. */
#define PXR_GF_MOST_PLANES (PXR_GF_MOST_BITS / 8)
void pxr_gf_planes(const struct pxr_gf_map *map, size_t len, const uint8_t *const *src,
                   uint8_t *const *dst, bool add);

/* Computes dst += src.  Any alignment is allowed, and dst may be src. */
void pxr_gf_add(size_t len, const uint8_t *src, uint8_t *dst);

#endif
