/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads and stores of fewer bytes than a register has.  They touch no other byte.
 *
 * Coding works on each byte alone.  So a byte may be anywhere in a register, as long as the
 * store takes it from where the load put it.  Therefore n bytes, with h <= n <= 2h, are handled
 * as their first h bytes and their last h bytes.  The two parts overlap: the bytes in both are
 * computed twice, with the same result.
 */
#ifndef PXR_PART_H
#define PXR_PART_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "inline.h"

/* Any 16-byte vector type may be cast to this type and back. */
typedef uint64_t halves __attribute__((vector_size(16)));

/* The two overlapping ends of n bytes, each of this type. */
#define LOAD_ENDS(type, p, n)                                   \
    ({                                                          \
        type first_, last_;                                     \
        memcpy(&first_, (p), sizeof first_);                    \
        memcpy(&last_, (p) + (n) - sizeof last_, sizeof last_); \
        (halves){first_, last_};                                \
    })
#define STORE_ENDS(type, p, v, n)                               \
    do {                                                        \
        const type first_ = (type)(v)[0];                       \
        const type last_ = (type)(v)[1];                        \
        memcpy((p), &first_, sizeof first_);                    \
        memcpy((p) + (n) - sizeof last_, &last_, sizeof last_); \
    } while (0)

/* 1 <= n <= 16 */
PXR_INLINE halves load_part_16(const uint8_t *p, size_t n)
{
    if (n >= 8)
        return LOAD_ENDS(uint64_t, p, n);
    if (n >= 4)
        return LOAD_ENDS(uint32_t, p, n);
    if (n >= 2)
        return LOAD_ENDS(uint16_t, p, n);
    return (halves){*p};
}

PXR_INLINE void store_part_16(uint8_t *p, halves v, size_t n)
{
    if (n >= 8)
        STORE_ENDS(uint64_t, p, v, n);
    else if (n >= 4)
        STORE_ENDS(uint32_t, p, v, n);
    else if (n >= 2)
        STORE_ENDS(uint16_t, p, v, n);
    else
        *p = (uint8_t)v[0];
}

#endif
