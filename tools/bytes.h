/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers and checksums as they are stored in files.  For source files that use xxHash. */
#ifndef PXR_TOOLS_BYTES_H
#define PXR_TOOLS_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <xxhash.h>

/* Variants for the CPU at run time, if libxxhash was built with them. */
#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#endif
#endif

/* Converts a number to the order of its bytes in files, and back. */
static inline uint64_t little_endian(uint64_t value)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(value);
#else
    return value;
#endif
}

/* Numbers are little-endian, and have 1 to 8 bytes. */
static inline void put(uint8_t *out, uint64_t value, int bytes)
{
    value = little_endian(value);
    memcpy(out, &value, (size_t)bytes);
}

static inline uint64_t get(const uint8_t *in, int bytes)
{
    uint64_t value = 0;
    memcpy(&value, in, (size_t)bytes);
    return little_endian(value);
}

/* Writes 16 bytes. */
static inline void put_hash(uint8_t *out, XXH128_hash_t hash)
{
    put(out, hash.low64, 8);
    put(out + 8, hash.high64, 8);
}

static inline bool all_zero(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

#endif
