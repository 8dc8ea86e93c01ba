/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fields of the process, and regions in them: what the other files of this folder compute
 * with.
 */
#ifndef PXR_JERASURE_FIELD_H
#define PXR_JERASURE_FIELD_H

#include <gf_complete.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JER_MOST_BITS 32

/* Tells standard error why a call of this name is not done. */
__attribute__((format(printf, 2, 3))) void jer_complain(const char *function,
                                                        const char *format, ...);

/* The field of w bits, 1 to 32, which is made if there is none yet; NULL: no memory. */
gf_t *jer_field(int w);

/* Whether the field is the default one, and not one that the program has given. */
bool jer_field_is_default(int w);

/* The bits of a number that is in an int. */
static inline uint32_t jer_number(int number, int w)
{
    return (uint32_t)number & (uint32_t)((UINT64_C(1) << w) - 1);
}

/* Whether regions may be words of w bits, and size bytes a whole number of them; else it
   complains. */
bool jer_region_valid(const char *function, int w, int size);

/* dst = c * src, or dst += c * src, on words of 8, 16 or 32 bits.  dst may be src. */
void jer_region_multiply(int w, uint32_t c, const uint8_t *src, uint8_t *dst, size_t size,
                         bool add);

/* dst = the xor of n sources; dst may be one of them. */
void jer_region_sum(unsigned n, const uint8_t *const *src, uint8_t *dst, size_t size);

#endif
