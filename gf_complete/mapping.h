/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the words of a region are: the mappings of include/gf_complete/gf_complete.h.
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

/* Of a field of whichever library. */
enum pxr_gf_mapping pxr_gf_mapping_of(const struct pxr_gf_head *field);

/* A region: `head` bytes of standard words from start on, then the body, which is in the
   mapping's own order, then standard words again. */
struct pxr_gf_region {
    const struct pxr_gf_head *field;
    enum pxr_gf_mapping mapping;
    uint8_t *start;
    size_t head, body, bytes;
};
struct pxr_gf_region pxr_gf_region_of(const struct pxr_gf_head *field,
                                      enum pxr_gf_mapping mapping, void *start, size_t bytes);

/* Bytes of a run, each of another word, and which run of a block has byte i of its words: the
   lowest byte is in the first one, but for w = 16. */
#define PXR_GF_RUN 16
static inline size_t pxr_gf_run_of(int w, size_t i)
{
    return w == 16 ? 1 - i : i;
}

/* How many words it has; reads and writes one of them. */
size_t pxr_gf_count(const struct pxr_gf_region *region);
struct pxr_gf_word pxr_gf_get(const struct pxr_gf_region *region, size_t index);
void pxr_gf_put(const struct pxr_gf_region *region, size_t index, struct pxr_gf_word word);

/* Standard words of w bits at p: one of them read, and written. */
struct pxr_gf_word pxr_gf_load(int w, const uint8_t *p, size_t index);
void pxr_gf_store(int w, uint8_t *p, size_t index, struct pxr_gf_word word);

#endif
