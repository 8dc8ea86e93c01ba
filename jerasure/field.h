/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fields of the process, and regions in them.  The other files of this folder compute with
 * these.
 */
#ifndef PXR_JERASURE_FIELD_H
#define PXR_JERASURE_FIELD_H

#include <gf_complete.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JER_MOST_BITS 32

/* Prints to standard error why a call of this name is not done. */
__attribute__((format(printf, 2, 3))) void jer_complain(const char *function,
                                                        const char *format, ...);

/* Returns the field of w bits, 1 to 32.  It is made if there is none yet.  NULL: no memory. */
gf_t *jer_field(int w);

/* Returns whether the field is the default one, and not one that the program has supplied. */
bool jer_field_is_default(int w);

/* Returns the bits of a number in an int. */
static inline uint32_t jer_number(int number, int w)
{
    return (uint32_t)number & (uint32_t)((UINT64_C(1) << w) - 1);
}

/* Returns whether regions may consist of words of w bits, and whether size bytes are a whole
   number of them.  If not, prints a message. */
bool jer_region_valid(const char *function, int w, int size);

/* Computes dst = c * src, or dst += c * src, on words of 8, 16 or 32 bits. dst may be src. */
void jer_region_multiply(int w, uint32_t c, const uint8_t *src, uint8_t *dst, size_t size,
                         bool add);

/* Computes dst = the xor of n sources. dst may be one of them. */
void jer_region_sum(unsigned n, const uint8_t *const *src, uint8_t *dst, size_t size);

#endif
