/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The judge of gf_complete/: GF(2^w) and the mappings of regions, implemented from their
 * definitions without any code of the library.  It is slow on purpose.
 */
#ifndef PXR_UNIT_GF_REFERENCE_H
#define PXR_UNIT_GF_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number of 128 bits. */
struct gf_number {
    uint64_t high, low;
};

static inline bool gf_number_equal(struct gf_number a, struct gf_number b)
{
    return a.high == b.high && a.low == b.low;
}

/* A field: polynomials modulo x^w + poly or, if there is a base, pairs over the base modulo
   x^2 + poly*x + 1. */
struct gf_field {
    int w;
    uint64_t poly;
    const struct gf_field *base;
};

/* The default field of w bits, and the field of pairs over the default field of w/2 bits.  A
   later call may overwrite the result. */
const struct gf_field *gf_default_field(int w);
const struct gf_field *gf_default_pairs(int w);

struct gf_number gf_reference_product(const struct gf_field *f, struct gf_number a,
                                      struct gf_number b);

/* A random element.  It often has few bits. */
struct gf_number gf_random_element(int w);

/* The mappings: where the words are in a region. */
enum gf_layout {
    GF_LAYOUT_STANDARD,
    GF_LAYOUT_ALTMAP,       /* of SPLIT */
    GF_LAYOUT_PAIRS_ALTMAP, /* of COMPOSITE, over a standard base */
    GF_LAYOUT_CAUCHY
};

/* The number of words in a region, and the word with this index. */
size_t gf_reference_count(enum gf_layout layout, int w, size_t bytes);
struct gf_number gf_reference_word(enum gf_layout layout, int w, const uint8_t *region,
                                   size_t bytes, size_t index);

#endif
