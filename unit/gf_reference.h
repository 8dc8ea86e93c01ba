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

/* 128 bits. */
struct gf_number {
    uint64_t high, low;
};

static inline bool gf_number_equal(struct gf_number a, struct gf_number b)
{
    return a.high == b.high && a.low == b.low;
}

/* A field: modulo x^w + poly, or pairs over `base` modulo x^2 + poly*x + 1. */
struct gf_field {
    int w;
    uint64_t poly;
    const struct gf_field *base;
};

/* The default field of a w, and the pairs over that of w/2. */
const struct gf_field *gf_default_field(int w);
const struct gf_field *gf_default_pairs(int w);

struct gf_number gf_reference_product(const struct gf_field *f, struct gf_number a,
                                      struct gf_number b);

/* A random element, often one with few bits. */
struct gf_number gf_random_element(int w);

/* Mappings by name: where the words of regions are. */
enum gf_layout {
    GF_LAYOUT_STANDARD,
    GF_LAYOUT_ALTMAP,       /* SPLIT */
    GF_LAYOUT_PAIRS_ALTMAP, /* COMPOSITE, over a standard base */
    GF_LAYOUT_CAUCHY
};

/* How many words a region has, and one of them. */
size_t gf_reference_count(enum gf_layout layout, int w, size_t bytes);
struct gf_number gf_reference_word(enum gf_layout layout, int w, const uint8_t *region,
                                   size_t bytes, size_t index);

#endif
