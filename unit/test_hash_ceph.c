/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sketch of Ceph's pull request 71721: its values by the definition, its properties, and
 * how often it misses two equal changes.
 */
#include "check.h"
#include "hash_reference.h"
#include "judge.h"
#include "permxor_hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 100000 };

static pxr_hash *hash;
static struct check_guard guard;

static void add(uint64_t offset, size_t len, const uint8_t *bytes, uint8_t *sum)
{
    CHECK_INT(pxr_hash_add(hash, offset, len, bytes, sum), PXR_OK);
}

static void check_value(uint64_t offset, size_t len, const uint8_t *bytes)
{
    uint8_t got[SKETCH] = {0}, want[SKETCH];
    check_at("len=%ld offset=%ld", (long)len, (long)offset, 0, 0);
    add(offset, len, bytes, got);
    reference_sketch(offset, len, bytes, want);
    CHECK_BYTES(got, want, SKETCH);
}

static void test_short(void)
{
    struct check_spot spot = {0};
    if (!check_case("every short length and misalignment"))
        return;
    while (check_next_spot(&spot)) {
        uint8_t *const bytes = check_at_spot(&guard, spot.len, &spot, 0);
        check_fill(bytes, spot.len);
        check_value(0, spot.len, bytes);
    }
}

/* Short pieces and long ones are computed in different ways. */
static void test_random(void)
{
    if (!check_case("any length, at offsets of up to 64 bits"))
        return;
    for (unsigned round = check_effort(300); round > 0; round--) {
        const uint64_t offset = check_random() >> check_below(64);
        const size_t len = check_below(check_below(4) ? 3000 : LONGEST + 1);
        uint8_t *const bytes = check_place(&guard, len, CHECK_ANYWHERE);
        check_fill(bytes, len);
        check_value(offset, len, bytes);
    }
}

/* Each offset with a byte of its own: all coefficients, also those that were 0. */
static void test_coefficients(void)
{
    enum { COUNT = 5000 };
    if (!check_case("single bytes"))
        return;
    for (unsigned i = 0; i < COUNT; i++) {
        const uint8_t one = 1;
        check_value(i, 1, &one);
    }
}

/* The values come from another program, which follows the definition. */
static void test_known(void)
{
    static const uint8_t short_sum[SKETCH] = {0x44, 0xc3, 0x14, 0x27},
                         far_sum[SKETCH] = {0x8a, 0x6d, 0x11, 0x16},
                         long_sum[SKETCH] = {0x0f, 0x10, 0x1b, 0xd5};
    if (!check_case("values that are known"))
        return;
    uint8_t bytes[5000], sum[SKETCH] = {0};
    for (unsigned i = 0; i < 256; i++)
        bytes[i] = (uint8_t)i;
    add(0, 256, bytes, sum);
    CHECK_BYTES(sum, short_sum, SKETCH);
    memset(sum, 0, SKETCH);
    add((UINT64_C(1) << 40) + 7, 256, bytes, sum);
    CHECK_BYTES(sum, far_sum, SKETCH);
    memset(sum, 0, SKETCH);
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i % 251);
    add(0, sizeof bytes, bytes, sum);
    CHECK_BYTES(sum, long_sum, SKETCH);
}

static void test_linear(void)
{
    if (!check_case("H(aX + bY) = aH(X) + bH(Y)"))
        return;
    static uint8_t x[LONGEST], y[LONGEST], z[LONGEST];
    for (unsigned round = check_effort(30); round > 0; round--) {
        const size_t len = check_below(check_below(2) ? 600 : LONGEST);
        const uint8_t a = (uint8_t)check_random(), b = (uint8_t)check_random();
        uint8_t hx[SKETCH] = {0}, hy[SKETCH] = {0}, hz[SKETCH] = {0}, want[SKETCH];
        check_fill(x, len);
        check_fill(y, len);
        for (size_t i = 0; i < len; i++)
            z[i] = judge_mul(a, x[i]) ^ judge_mul(b, y[i]);
        add(0, len, x, hx);
        add(0, len, y, hy);
        add(0, len, z, hz);
        for (unsigned i = 0; i < SKETCH; i++)
            want[i] = judge_mul(a, hx[i]) ^ judge_mul(b, hy[i]);
        CHECK_BYTES(hz, want, SKETCH);
    }
}

/* The first piece to come is a random one. */
static void test_pieces(void)
{
    enum { PIECES = 7 };
    if (!check_case("pieces in any order"))
        return;
    static uint8_t bytes[LONGEST];
    check_fill(bytes, LONGEST);
    for (unsigned round = check_effort(40); round > 0; round--) {
        size_t border[PIECES + 1] = {0};
        for (unsigned i = 1; i <= PIECES; i++)
            border[i] = border[i - 1] + check_below(LONGEST / PIECES);
        uint8_t whole[SKETCH] = {0}, sum[SKETCH] = {0};
        add(0, border[PIECES], bytes, whole);
        const unsigned first = (unsigned)check_below(PIECES);
        for (unsigned n = 0; n < PIECES; n++) {
            const unsigned i = (first + 3 * n) % PIECES; /* 3 and 7 have no common factor */
            add(border[i], border[i + 1] - border[i], bytes + border[i], sum);
        }
        CHECK_BYTES(sum, whole, SKETCH);
    }
}

/* The header says how often two equal changes within 200,000 bytes are missed. */
static void test_missed_pairs(void)
{
    enum { SHARD = 200000 };
    if (!check_case("two equal changes are missed"))
        return;
    const unsigned trials = check_effort(2000000);
    const double expected = trials / 777.0;
    unsigned missed = 0;
    for (unsigned n = 0; n < trials; n++) {
        const uint8_t change = (uint8_t)(1 + check_below(255));
        const uint64_t i = check_below(SHARD), j = (i + 1 + check_below(SHARD - 1)) % SHARD;
        uint8_t sum[SKETCH] = {0};
        if (pxr_hash_add(hash, i, 1, &change, sum) != PXR_OK ||
            pxr_hash_add(hash, j, 1, &change, sum) != PXR_OK)
            break;
        missed += memcmp(sum, (const uint8_t[SKETCH]){0}, SKETCH) == 0;
    }
    if (check_bench())
        printf("pairs of equal changes that are missed: %u, expected %.0f\n", missed, expected);
    check_at("%ld are missed, and %ld expected", (long)missed, (long)expected, 0, 0);
    CHECK(fabs(missed - expected) <= 6 * sqrt(expected) + 2);
}

static void test_errors(void)
{
    if (!check_case("arguments that are wrong"))
        return;
    const uint8_t one[SKETCH] = {1};
    uint8_t sum[SKETCH] = {0};
    struct pxr_error why;
    CHECK_INT(pxr_hash_create_ceph_71721(NULL, &why), PXR_EINVAL);
    CHECK(strstr(why.text, "hash is NULL"));
    CHECK_INT(pxr_hash_size(hash), SKETCH);
    CHECK_INT(pxr_hash_combine(hash, 0, one, sum), PXR_EINVAL);
    CHECK_INT(pxr_hash_combine(hash, 8, one, sum), PXR_EINVAL);
    CHECK_INT(pxr_hash_add(hash, 0, 1, NULL, sum), PXR_EINVAL);
    CHECK_INT(pxr_hash_add(hash, 0, 1, one, NULL), PXR_EINVAL);
    CHECK_INT(pxr_hash_add(hash, 0, 0, NULL, sum), PXR_OK);
    CHECK_BYTES(sum, (const uint8_t[SKETCH]){0}, SKETCH);
}

int main(int argc, char **argv)
{
    check_start("test_hash_ceph", argc, argv);
    judge_start();
    guard = check_guard_new(LONGEST + 64);
    CHECK_INT(pxr_hash_create_ceph_71721(&hash, NULL), PXR_OK);
    test_short();
    test_random();
    test_coefficients();
    test_known();
    test_linear();
    test_pieces();
    test_missed_pairs();
    test_errors();
    pxr_hash_free(hash);
    check_guard_free(&guard);
    return check_finish();
}
