/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the words of a region are: the mappings that include/gf_complete/gf_complete.h
 * describes.
 */
#ifndef PXR_GF_MAPPING_H
#define PXR_GF_MAPPING_H

#include <stddef.h>
#include <stdint.h>

#include "field.h"

enum pxr_gf_mapping {
    PXR_GF_STANDARD,
    PXR_GF_RUNS,   /* ALTMAP with SPLIT */
    PXR_GF_HALVES, /* ALTMAP with COMPOSITE */
    PXR_GF_PACKETS /* CAUCHY */
};

/* Returns the mapping of a field of any library. */
enum pxr_gf_mapping pxr_gf_mapping_of(const struct pxr_gf_head *field);

/* A region: `head` bytes of standard words from start on, then the body in the mapping's own
   order, then standard words again. */
struct pxr_gf_region {
    const struct pxr_gf_head *field;
    enum pxr_gf_mapping mapping;
    uint8_t *start;
    size_t head, body, bytes;
};
struct pxr_gf_region pxr_gf_region_of(const struct pxr_gf_head *field,
                                      enum pxr_gf_mapping mapping, void *start, size_t bytes);

/* The bytes of a run, each from another word; and the run of a block that has byte i of its
   words.  The first run has the lowest byte, except for w = 16. */
#define PXR_GF_RUN 16
static inline size_t pxr_gf_run_of(int w, size_t i)
{
    return w == 16 ? 1 - i : i;
}

/* Return how many words a region has, and read and write one of them. */
size_t pxr_gf_count(const struct pxr_gf_region *region);
struct pxr_gf_word pxr_gf_get(const struct pxr_gf_region *region, size_t index);
void pxr_gf_put(const struct pxr_gf_region *region, size_t index, struct pxr_gf_word word);

/* Read and write one of the standard words of w bits at p. */
struct pxr_gf_word pxr_gf_load(int w, const uint8_t *p, size_t index);
void pxr_gf_store(int w, uint8_t *p, size_t index, struct pxr_gf_word word);

#endif
