/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Codes of words of 4 bits, two in each byte: all shapes, all losses of small codes, and errors
 * in one word or in both words of a byte.
 */
#include <string.h>

#include "check.h"
#include "word_stripe.h"

enum { MOST = 16 };

/* -------------------------------------------------------------- encode -- */

static void encode_once(const pxr_code *code, const struct word_shape *shape,
                        const uint32_t *coefficients, size_t len)
{
    struct stripe s = word_stripe(code, len);
    check_at("%ld+%ld len=%ld", s.k, s.m, (long)len, 0);
    word_check_parity(shape, coefficients, s.shard, len, 100);
    stripe_free(&s);
}

static void test_shape(const struct word_shape *shape)
{
    uint32_t coefficients[MOST * MOST / 4];
    pxr_code *code = word_code(shape);
    word_coefficients(code, coefficients);
    CHECK(word_coefficients_are_right(shape, coefficients));
    for (size_t len = 1; len < 80; len += 1 + check_below(check_thorough() ? 6 : 30))
        encode_once(code, shape, coefficients, len);
    encode_once(code, shape, coefficients, 257 + check_below(9000));
    pxr_code_free(code);
}

static void test_encode(void)
{
    if (!check_case("encode, all shapes"))
        return;
    for (unsigned k = 1; k < MOST; k++)
        for (unsigned m = 1; k + m <= MOST; m++)
            test_shape(&(struct word_shape){PXR_JERASURE_VAN, k, m, 4});
    for (unsigned k = 1; k + 2 <= MOST; k++)
        test_shape(&(struct word_shape){PXR_JERASURE_R6, k, 2, 4});
}

/* Long shards.  The call is cut into pieces, and its shards count as being in memory. */
static void test_long(void)
{
    const struct word_shape shape = {PXR_JERASURE_VAN, 8, 8, 4};
    if (!word_case("encode long shards", &shape))
        return;
    uint32_t coefficients[8 * 8];
    pxr_code *code = word_code(&shape);
    check_stream_outputs();
    word_coefficients(code, coefficients);
    encode_once(code, &shape, coefficients, 100001);
    pxr_code_free(code);
}

/* --------------------------------------------------------- reconstruct -- */

/* Loses the shards whose bits are set in `lost`, and rebuilds all of them. */
static void rebuild(const pxr_code *code, const struct stripe *full, unsigned lost)
{
    bool all[MOST];
    for (unsigned i = 0; i < full->k + full->m; i++)
        all[i] = lost >> i & 1;
    check_at("%ld+%ld, lost are 0x%lx", full->k, full->m, lost, 0);
    word_rebuild(code, full, all, all);
}

/* Every way to lose up to m shards.  With `sampled`, less effort tries fewer of them. */
static void lose_all(const struct word_shape *shape, bool sampled)
{
    pxr_code *code = word_code(shape);
    struct stripe full = word_stripe(code, 7);
    for (unsigned lost = 1; lost < 1u << (shape->k + shape->m); lost++)
        if ((unsigned)__builtin_popcount(lost) <= shape->m && (!sampled || check_sampled()))
            rebuild(code, &full, lost);
    stripe_free(&full);
    pxr_code_free(code);
}

static void test_losses(void)
{
    if (!check_case("every loss"))
        return;
    for (unsigned k = 1; k < 8; k++)
        for (unsigned m = 1; k + m <= 8; m++)
            lose_all(&(struct word_shape){PXR_JERASURE_VAN, k, m, 4}, k + m > 6);
    lose_all(&(struct word_shape){PXR_JERASURE_R6, 14, 2, 4}, true);
    lose_all(&(struct word_shape){PXR_JERASURE_VAN, 12, 4, 4}, true);
}

/* ---------------------------------------------------------------- locate -- */

/* Every error of a byte: the 15 errors of the low word, those of the high word, and all
   pairs. */
static void test_locate(const struct word_shape *shape)
{
    if (!word_case("locate", shape))
        return;
    pxr_code *code = word_code(shape);
    struct stripe s = word_stripe(code, 33);
    for (unsigned wrong = 0; wrong < shape->k + shape->m; wrong++)
        for (unsigned error = 1; error < 256; error++) {
            const size_t at = check_below(s.len);
            unsigned index;
            check_at("shard %ld at %ld, error 0x%lx", wrong, (long)at, error, 0);
            s.shard[wrong][at] ^= (uint8_t)error;
            CHECK_INT(pxr_locate(code, s.len, stripe_in(&s), &index), PXR_EMISMATCH);
            CHECK_INT(index, wrong);
            s.shard[wrong][at] ^= (uint8_t)error;
        }
    stripe_free(&s);
    pxr_code_free(code);
}

/* One shard is wrong in the low word of a byte, and one in the high word.  Where it is the same
   shard, it must be found. */
static void test_two_wrong(void)
{
    if (!check_case("two shards that are wrong in one byte"))
        return;
    pxr_code *code = word_code(&(struct word_shape){PXR_JERASURE_VAN, 6, 2, 4});
    struct stripe s = word_stripe(code, 20);
    for (unsigned low = 0; low < 8; low++)
        for (unsigned high = 0; high < 8; high++) {
            const size_t at = check_below(s.len);
            unsigned index;
            check_at("%ld and %ld", low, high, 0, 0);
            s.shard[low][at] ^= 0x01;
            s.shard[high][at] ^= 0x70;
            const bool one = low == high;
            CHECK_INT(pxr_locate(code, s.len, stripe_in(&s), &index),
                      one ? PXR_EMISMATCH : PXR_EAMBIGUOUS);
            CHECK_INT(index, one ? low : 8);
            s.shard[low][at] ^= 0x01;
            s.shard[high][at] ^= 0x70;
        }
    stripe_free(&s);
    pxr_code_free(code);
}

int main(int argc, char **argv)
{
    check_start("test_nibble_code", argc, argv);
    check_forced_kernels();
    test_encode();
    test_losses();
    test_locate(&(struct word_shape){PXR_JERASURE_VAN, 6, 3, 4});
    test_locate(&(struct word_shape){PXR_JERASURE_R6, 14, 2, 4});
    test_two_wrong();
    test_long(); /* last, because it changes the machine record */
    return check_finish();
}
