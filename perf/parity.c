/* SPDX-License-Identifier: BSD-3-Clause */
#include "parity.h"

#include <stdint.h>
#include <string.h>

/* Loads up to eight bytes at a time, so that staging a walk over a large set does not take
   long. */
static uint64_t load(const u8 *at, size_t size)
{
    uint64_t word = 0;
    if (size >= sizeof word)
        memcpy(&word, at, sizeof word);
    else
        memcpy(&word, at, size);
    return word;
}

static void add(u8 *at, uint64_t word, size_t size)
{
    word ^= load(at, size);
    memcpy(at, &word, size < sizeof word ? size : sizeof word);
}

/* Each of the eight bytes times 2. */
static uint64_t times_two(uint64_t word)
{
    const uint64_t ones = 0x0101010101010101;
    return (word & 0x7f * ones) << 1 ^ (word >> 7 & ones) * 0x1d;
}

void parity_add(size_t n, u8 *const *data, size_t len, u8 *p, u8 *q)
{
    for (size_t at = 0; at < len; at += sizeof(uint64_t)) {
        uint64_t sum = 0, weighted = 0;
        for (size_t i = n; i-- > 0;) {
            const uint64_t word = data[i] != NULL ? load(data[i] + at, len - at) : 0;
            sum ^= word;
            weighted = times_two(weighted) ^ word;
        }
        if (p != NULL)
            add(p + at, sum, len - at);
        if (q != NULL)
            add(q + at, weighted, len - at);
    }
}
