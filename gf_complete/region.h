/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of a field on regions. */
#ifndef PXR_GF_REGION_H
#define PXR_GF_REGION_H

#include "mapping.h"

/* Sets multiply_region and extract_word of a field whose head is filled in. */
void pxr_gf_set_region(gf_t *gf);

/* The same functions, with the mapping as one more argument. */
void pxr_gf_multiply_region(gf_t *gf, enum pxr_gf_mapping mapping, void *src, void *dest,
                            struct pxr_gf_word val, int bytes, int add);
struct pxr_gf_word pxr_gf_extract(gf_t *gf, enum pxr_gf_mapping mapping, void *start, int bytes,
                                  int index);

#endif
