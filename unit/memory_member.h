/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of arrays in memory, for the tests of array/. */
#ifndef PXR_UNIT_MEMORY_MEMBER_H
#define PXR_UNIT_MEMORY_MEMBER_H

#include "permxor_array.h"

struct memory_member {
    uint8_t *bytes;
    uint64_t size;
    uint64_t bad_begin, bad_end; /* reads that touch this range fail */
    uint64_t reads;              /* how many there were */
};

/* Reads outside the member fail. */
extern const struct pxa_member_calls memory_calls;

#endif
