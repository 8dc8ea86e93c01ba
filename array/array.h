/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PXA_ARRAY_H
#define PXA_ARRAY_H

#include "mask.h"

struct pxa_array {
    struct pxa_geometry geometry;
    pxr_code *code;
    unsigned shards; /* data shards of the code: k, or k + m where coefficients are by member */
    struct pxa_member member[PXA_MAX_MEMBERS];
    pxa_mask missing; /* members */
};

/* The members of an array, and so the blocks of a row. */
static inline unsigned array_width(const pxa_array *array)
{
    return array->geometry.data + array->geometry.parity;
}

#endif
