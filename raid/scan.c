/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans of one or two buffers: comparing, looking for zeros, Adler-32.
 *
 * Two buffers are equal where P of the one is the other, and a buffer is zero where it
 * is P of no source at all: both are a check of kernels.h, which tells the block, and
 * words tell the byte.
 */
#include <string.h>

#include "encode.h"
#include "permxor.h"
#include "raid.h"

/* -------------------------------------------------------------- by words -- */

static uint64_t word(const uint8_t *p)
{
    uint64_t w;
    memcpy(&w, p, sizeof w);
    return w;
}

/* The place in memory of the first byte of a word that is not zero. */
static size_t first_byte(uint64_t w)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (size_t)__builtin_ctzll(w) / 8;
#else
    return (size_t)__builtin_clzll(w) / 8;
#endif
}

/* Where the first of n bytes is in which a and b differ; n where there is none. */
static size_t difference_by_words(const uint8_t *a, const uint8_t *b, size_t n)
{
    size_t i = 0;
    for (; n - i >= sizeof(uint64_t); i += sizeof(uint64_t)) {
        const uint64_t change = word(a + i) ^ word(b + i);
        if (change)
            return i + first_byte(change);
    }
    while (i < n && a[i] == b[i])
        i++;
    return i;
}

static size_t nonzero_by_words(const uint8_t *p, size_t n)
{
    size_t i = 0;
    for (; n - i >= sizeof(uint64_t); i += sizeof(uint64_t))
        if (word(p + i))
            return i + first_byte(word(p + i));
    while (i < n && p[i] == 0)
        i++;
    return i;
}

/* ----------------------------------------------------------- with kernels -- */

/*
 * What words look at before vectors are begun with: most buffers that differ do so at
 * once, and short ones end here.
 */
#define BY_WORDS ((size_t)16)

size_t pxr_scan_difference(const struct pxr_kernels *kernels, const uint8_t *a,
                           const uint8_t *b, size_t len)
{
    const size_t begin = len < BY_WORDS ? len : BY_WORDS;
    size_t at = difference_by_words(a, b, begin);
    if (at < begin || len == begin)
        return at;
    at = kernels->check[PXR_SPECIAL_P](len, 1, &a, (uint8_t *const[]){(uint8_t *)b},
                                       pxr_memory_policy(len, 2));
    return at + difference_by_words(a + at, b + at, len - at);
}

size_t pxr_scan_nonzero(const struct pxr_kernels *kernels, const uint8_t *p, size_t len)
{
    const size_t begin = len < BY_WORDS ? len : BY_WORDS;
    size_t at = nonzero_by_words(p, begin);
    if (at < begin || len == begin)
        return at;
    at = kernels->check[PXR_SPECIAL_P](len, 0, NULL, (uint8_t *const[]){(uint8_t *)p},
                                       pxr_memory_policy(len, 1));
    return at + nonzero_by_words(p + at, len - at);
}

/* ---------------------------------------------------------- the functions -- */

size_t pxr_compare(const void *a, const void *b, size_t len)
{
    return pxr_scan_difference(pxr_kernels(), a, b, len);
}

size_t pxr_find_nonzero(const void *buffer, size_t len)
{
    return pxr_scan_nonzero(pxr_kernels(), buffer, len);
}

uint32_t pxr_adler32(uint32_t adler, const void *buffer, size_t len)
{
    return pxr_kernels()->adler32(adler, buffer, len);
}

/*
 * With A and B as in kernel_adler.inc.h: the second piece's sums start from A = 1, B = 0
 * where they should have started from the first one's.  A is too small by A1 - 1 then,
 * in each of the len values that B adds up:
 *
 *     A = A1 + A2 - 1,   B = B1 + B2 + len * (A1 - 1)     modulo 65521
 */
uint32_t pxr_adler32_combine(uint32_t first, uint32_t second, uint64_t second_len)
{
    const uint64_t modulus = 65521;
    const uint64_t surplus = ((first & 0xffff) + modulus - 1) % modulus;
    const uint64_t a = (second & 0xffff) + surplus;
    const uint64_t b = (first >> 16) + (second >> 16) + second_len % modulus * surplus;
    return (uint32_t)(b % modulus << 16 | a % modulus);
}
