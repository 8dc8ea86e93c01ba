/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words of 4, 8, 16, 32, 64 or 128 bits, one behind the other, times a constant.
 *
 * A product is linear: c * (a + b) = c*a + c*b.  So the products of c with the w bits of a
 * word, taken alone, say all there is to know of c, of whichever field, and this is the only
 * place in gf_complete/ that multiplies data.
 */
#ifndef PXR_GF_WORDS_H
#define PXR_GF_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "poly.h"

#define PXR_GF_MOST_BITS 128

/* column[i] is the product with the word of bit i alone, i < w. */
struct pxr_gf_map {
    int w;
    struct pxr_gf_word column[PXR_GF_MOST_BITS];
};

/* dst = map(src), or with add dst += map(src), for all whole words of len bytes.  Any
   alignment; dst may be src. */
void pxr_gf_words(const struct pxr_gf_map *map, size_t len, const uint8_t *src, uint8_t *dst,
                  bool add);

/* The same for words of w from 16 on whose bytes lie apart: plane q of src and of dst has byte
   q of len words, the lowest first.  No dst may be a src. */
#define PXR_GF_MOST_PLANES (PXR_GF_MOST_BITS / 8)
void pxr_gf_planes(const struct pxr_gf_map *map, size_t len, const uint8_t *const *src,
                   uint8_t *const *dst, bool add);

/* dst += src, any alignment; dst may be src. */
void pxr_gf_add(size_t len, const uint8_t *src, uint8_t *dst);

#endif
