/* SPDX-License-Identifier: BSD-3-Clause */
/* The two forms of md's superblock, on bytes.  There is no input and no allocation here. */
#ifndef PXA_MD_SUPER_H
#define PXA_MD_SUPER_H

#include "permxor_array_md.h"

#include <stdbool.h>

/* Both forms fit in it. */
#define PXA_MD_SUPER_SIZE 4096

#define PXA_MD_MAGIC UINT32_C(0xa92b4efc)

/* The most members in a superblock, which is more than a pxa_array has. */
#define PXA_MD_MAX_MEMBERS PXA_MD_MAX_DEVICES

/*
 * Parse what is at offset `at` of a device of this size.  They return PXR_OK, PXA_ENONE when
 * there is no magic number, or PXA_EDAMAGED.
 */
int pxa_md_parse_0(const uint8_t *bytes, uint64_t at, struct pxa_md_super *super,
                   struct pxr_error *why);
int pxa_md_parse_1(const uint8_t *bytes, uint64_t at, uint64_t device,
                   struct pxa_md_super *super, struct pxr_error *why);

/* A number of `count` bytes in either byte order. */
static inline uint64_t pxa_md_number(const uint8_t *bytes, unsigned count, bool big)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << 8 * (big ? count - 1 - i : i);
    return value;
}

/* Whether md keeps blocks of data and parity at this level. */
static inline bool pxa_md_has_parity(int32_t level)
{
    return level >= 4 && level <= 6;
}

#endif
