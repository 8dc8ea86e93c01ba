/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splits words of 2 and of 4 bytes into planes, and joins them again; included by
 * kernel_set.inc.h.  Plane p holds byte p of every word (words.h says what planes are for).
 *
 * These are plain loops over bytes and use no verbs: every compiler finds the instruction set's
 * own way to load and store interleaved bytes. gcc does so at this optimization level when the
 * attribute below asks for it.
 */
#if defined(__GNUC__) && !defined(__clang__)
#define VECTORIZED __attribute__((optimize("tree-vectorize", "vect-cost-model=dynamic")))
#else
#define VECTORIZED
#endif

VECTORIZED static void split_2(size_t words, const uint8_t *restrict src,
                               uint8_t *restrict planes, size_t stride)
{
    uint8_t *restrict const p0 = planes, *restrict const p1 = planes + stride;
    for (size_t i = 0; i < words; i++) {
        p0[i] = src[2 * i];
        p1[i] = src[2 * i + 1];
    }
}

VECTORIZED static void split_4(size_t words, const uint8_t *restrict src,
                               uint8_t *restrict planes, size_t stride)
{
    uint8_t *restrict const p0 = planes, *restrict const p1 = planes + stride;
    uint8_t *restrict const p2 = planes + 2 * stride, *restrict const p3 = planes + 3 * stride;
    for (size_t i = 0; i < words; i++) {
        p0[i] = src[4 * i];
        p1[i] = src[4 * i + 1];
        p2[i] = src[4 * i + 2];
        p3[i] = src[4 * i + 3];
    }
}

VECTORIZED static void join_2(size_t words, const uint8_t *restrict planes, size_t stride,
                              uint8_t *restrict dst)
{
    const uint8_t *restrict const p0 = planes, *restrict const p1 = planes + stride;
    for (size_t i = 0; i < words; i++) {
        dst[2 * i] = p0[i];
        dst[2 * i + 1] = p1[i];
    }
}

VECTORIZED static void join_4(size_t words, const uint8_t *restrict planes, size_t stride,
                              uint8_t *restrict dst)
{
    const uint8_t *restrict const p0 = planes;
    const uint8_t *restrict const p1 = planes + stride;
    const uint8_t *restrict const p2 = planes + 2 * stride;
    const uint8_t *restrict const p3 = planes + 3 * stride;
    for (size_t i = 0; i < words; i++) {
        dst[4 * i] = p0[i];
        dst[4 * i + 1] = p1[i];
        dst[4 * i + 2] = p2[i];
        dst[4 * i + 3] = p3[i];
    }
}
