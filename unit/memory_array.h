/* SPDX-License-Identifier: BSD-3-Clause */
/* An array in memory whose parity the reference's arithmetic has computed. */
#ifndef PXR_UNIT_MEMORY_ARRAY_H
#define PXR_UNIT_MEMORY_ARRAY_H

#include "memory_member.h"

struct memory_array {
    struct pxa_geometry geometry;
    enum pxr_matrix matrix; /* PXR_ISAL_VAND or PXR_ISAL_CAUCHY */
    uint8_t *data;          /* what the array holds: pxa_capacity() bytes */
    struct memory_member store[PXA_MAX_MEMBERS];
    struct pxa_member member[PXA_MAX_MEMBERS]; /* for pxa_array_create() */
};

/* Makes members with random data, each with another beginning. */
void memory_array_make(struct memory_array *array, const struct pxa_geometry *geometry,
                       enum pxr_matrix matrix);
void memory_array_free(struct memory_array *array);

/* Makes all members whole: they are there, and no read fails. */
void memory_array_heal(struct memory_array *array);

/* The members from bit 0 on become missing. */
void memory_array_lose(struct memory_array *array, pxa_mask members);

#endif
