/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Scans of one or two buffers: comparing, looking for zeros, Adler-32.
 *
 * Two buffers are equal when P of one of them is the other.  A buffer is zero when it is P of
 * no source at all.  Both are a check of kernels.h, which finds the block that differs.  Then
 * words find the byte.
 */
#include "scan.h"

#include <stdbool.h>
#include <string.h>

#include "dispatch.h"
#include "permxor_raid.h"

/* -------------------------------------------------------------- by words -- */

static uint64_t word(const uint8_t *p)
{
    uint64_t w;
    memcpy(&w, p, sizeof w);
    return w;
}

/* Returns where a and b differ in the eight bytes at i.  If b is NULL, it stands for zeros. */
static inline uint64_t change(const uint8_t *a, const uint8_t *b, size_t i)
{
    return b ? word(a + i) ^ word(b + i) : word(a + i);
}

static inline bool byte_differs(const uint8_t *a, const uint8_t *b, size_t i)
{
    return a[i] != (b ? b[i] : 0);
}

/* Returns the place in memory of the first byte of a word that is not zero. */
static size_t first_byte(uint64_t w)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (size_t)__builtin_ctzll(w) / 8;
#else
    return (size_t)__builtin_clzll(w) / 8;
#endif
}

/* Returns the first byte from i on that differs, or len if none does. */
static inline size_t first_by_words(const uint8_t *a, const uint8_t *b, size_t i, size_t len)
{
    for (; len - i >= sizeof(uint64_t); i += sizeof(uint64_t))
        if (change(a, b, i))
            return i + first_byte(change(a, b, i));
    while (i < len && !byte_differs(a, b, i))
        i++;
    return i;
}

/* Returns whether no byte differs, for 8 <= len <= 32.  Words that overlap need no loop. */
static inline bool short_equal(const uint8_t *a, const uint8_t *b, size_t len)
{
    uint64_t any = change(a, b, 0) | change(a, b, len - 8);
    if (len > 16)
        any |= change(a, b, 8) | change(a, b, len - 16);
    return !any;
}

/* ----------------------------------------------------------- with kernels -- */

/*
 * Words decide these cases before any vector is loaded: short buffers, and the first word of
 * longer ones, because most buffers that differ do so at once.
 */
#define BY_WORDS 32

PXR_INLINE size_t scan(const struct pxr_kernels *kernels, const uint8_t *a, const uint8_t *b,
                       size_t len)
{
    size_t at = 0;
    if (len > BY_WORDS) {
        uint8_t *const last[] = {(uint8_t *)(b ? b : a)};
        if (!change(a, b, 0))
            at = kernels->check[PXR_SPECIAL_P](len, b != NULL, &a, last, 0);
    } else if (len >= sizeof(uint64_t) && short_equal(a, b, len)) {
        at = len;
    }
    return at == len ? len : first_by_words(a, b, at, len);
}

size_t pxr_scan_difference(const struct pxr_kernels *kernels, const uint8_t *a,
                           const uint8_t *b, size_t len)
{
    return scan(kernels, a, b, len);
}

size_t pxr_scan_nonzero(const struct pxr_kernels *kernels, const uint8_t *p, size_t len)
{
    return scan(kernels, p, NULL, len);
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
 * With A and B as in kernel_adler.inc.h: the sums of the second piece start from A = 1, B = 0,
 * but they should have started from the sums of the first piece.  So A is too small by A1 - 1,
 * in each of the len values that B adds up:
 *
 *     A = A1 + A2 - 1,   B = B1 + B2 + len * (A1 - 1)     modulo 65521
 */
uint32_t pxr_adler32_combine(uint32_t first, uint32_t second, uint64_t second_len)
{
    const uint64_t modulus = PXR_ADLER_MODULUS;
    const uint64_t surplus = ((first & 0xffff) + modulus - 1) % modulus;
    const uint64_t a = (second & 0xffff) + surplus;
    const uint64_t b = (first >> 16) + (second >> 16) + second_len % modulus * surplus;
    return (uint32_t)(b % modulus << 16 | a % modulus);
}
