/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The scans of permxor_raid.h: every length up to 300 at every misalignment, at guard pages,
 * and with differences at every offset.
 */
#include "check.h"
#include "judge.h"
#include "permxor_raid.h"

#include <string.h>

#define MOST_BYTES (256 * 1024)

static struct check_guard first, second;

/* Calls visit for every length and misalignment of the sweep, with a buffer in `first` and one
   in `second`.  The two buffers lie near opposite guard pages. */
typedef void visit_fn(uint8_t *a, uint8_t *b, size_t len);

static void visit_places(visit_fn *visit)
{
    struct check_spot spot = {0};
    while (check_next_spot(&spot)) {
        struct check_spot other = spot;
        other.to_end = !spot.to_end;
        visit(check_at_spot(&first, spot.len, &spot, 0),
              check_at_spot(&second, spot.len, &other, 1), spot.len);
    }
}

/* --------------------------------------------------------------- compare -- */

/* Makes the byte at `at` differ, and then also a byte there or behind it.  Afterwards the
   buffers are equal again. */
static void differ_at(uint8_t *a, const uint8_t *b, size_t len, size_t at)
{
    const size_t later = at + check_below(len - at);
    a[at] ^= (uint8_t)(1u << check_below(8));
    CHECK_INT((long long)pxr_compare(a, b, len), (long long)at);
    a[later] ^= 0x10;
    CHECK_INT((long long)pxr_compare(b, a, len), (long long)(a[at] == b[at] ? len : at));
    memcpy(a, b, len);
}

static void compare(uint8_t *a, uint8_t *b, size_t len)
{
    check_fill(a, len);
    memcpy(b, a, len);
    CHECK_INT((long long)pxr_compare(a, b, len), (long long)len);
    if (len == 0)
        return;
    differ_at(a, b, len, 0);
    differ_at(a, b, len, len - 1);
    differ_at(a, b, len, check_below(len));
}

static void test_compare(void)
{
    if (!check_case("compare"))
        return;
    visit_places(compare);
    CHECK_INT((long long)pxr_compare(NULL, NULL, 0), 0);
    for (unsigned round = 0; round < check_effort(40); round++) {
        const size_t len = check_below(round % 8 ? 9000 : MOST_BYTES);
        check_at("len=%ld", (long)len, 0, 0, 0);
        compare(check_place(&first, len, round % 3), check_place(&second, len, (round + 1) % 3),
                len);
    }
}

static void test_compare_offsets(void)
{
    if (!check_case("compare, a difference at every offset"))
        return;
    for (size_t len = 1; len <= 1200; len += 1 + check_below(len < 300 ? 40 : 300)) {
        uint8_t *const a = check_place(&first, len, CHECK_ANYWHERE);
        uint8_t *const b = check_place(&second, len, CHECK_AT_END);
        check_fill(a, len);
        memcpy(b, a, len);
        for (size_t at = 0; at < len; at++) {
            check_at("len=%ld at=%ld", (long)len, (long)at, 0, 0);
            differ_at(a, b, len, at);
        }
        CHECK_UNTOUCHED(&first, a, len);
        CHECK_UNTOUCHED(&second, b, len);
    }
}

/* ---------------------------------------------------------- find_nonzero -- */

static void nonzero_at(uint8_t *bytes, size_t len, size_t at)
{
    const size_t later = at + check_below(len - at);
    bytes[later] = 0xff;
    bytes[at] = (uint8_t)(1u << check_below(8));
    CHECK_INT((long long)pxr_find_nonzero(bytes, len), (long long)at);
    bytes[at] = bytes[later] = 0;
}

static void find_nonzero(uint8_t *bytes, uint8_t *unused, size_t len)
{
    (void)unused;
    memset(bytes, 0, len);
    CHECK_INT((long long)pxr_find_nonzero(bytes, len), (long long)len);
    if (len == 0)
        return;
    nonzero_at(bytes, len, 0);
    nonzero_at(bytes, len, len - 1);
    nonzero_at(bytes, len, check_below(len));
}

static void test_find_nonzero(void)
{
    if (!check_case("find_nonzero"))
        return;
    visit_places(find_nonzero);
    CHECK_INT((long long)pxr_find_nonzero(NULL, 0), 0);
    for (unsigned round = 0; round < check_effort(40); round++) {
        const size_t len = check_below(round % 8 ? 9000 : MOST_BYTES);
        check_at("len=%ld", (long)len, 0, 0, 0);
        find_nonzero(check_place(&first, len, round % 3), NULL, len);
    }
}

static void test_find_nonzero_offsets(void)
{
    if (!check_case("find_nonzero, at every offset"))
        return;
    for (size_t len = 1; len <= 1200; len += 1 + check_below(len < 300 ? 40 : 300)) {
        uint8_t *const bytes = check_place(&first, len, CHECK_ANYWHERE);
        memset(bytes, 0, len);
        for (size_t at = 0; at < len; at++) {
            check_at("len=%ld at=%ld", (long)len, (long)at, 0, 0);
            nonzero_at(bytes, len, at);
        }
    }
}

/* --------------------------------------------------------------- adler32 -- */

static const struct {
    const char *text;
    uint32_t adler;
} known[] = {
    {"", 1},
    {"a", 0x00620062},
    {"abc", 0x024d0127},
    {"message digest", 0x29750586},
    {"abcdefghijklmnopqrstuvwxyz", 0x90860b20},
    {"Wikipedia", 0x11e60398},
};

static void adler(uint8_t *bytes, uint8_t *unused, size_t len)
{
    const uint32_t seed = check_below(3) ? 1 : (uint32_t)check_random();
    (void)unused;
    check_fill(bytes, len);
    CHECK_INT(pxr_adler32(seed, bytes, len), judge_adler32(seed, bytes, len));
}

static void test_adler(void)
{
    if (!check_case("adler32"))
        return;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        CHECK_INT(pxr_adler32(1, known[i].text, strlen(known[i].text)), known[i].adler);
    CHECK_INT(pxr_adler32(0x12345678, NULL, 0), 0x12345678);
    visit_places(adler);
    for (unsigned round = 0; round < check_effort(16); round++) {
        const size_t len = check_below(round % 4 ? 9000 : MOST_BYTES);
        uint8_t *const bytes = check_place(&first, len, round % 3);
        check_at("len=%ld", (long)len, 0, 0, 0);
        adler(bytes, NULL, len);
        memset(bytes, 0xff, len);
        CHECK_INT(pxr_adler32(~0u, bytes, len), judge_adler32(~0u, bytes, len));
    }
}

static void test_combine(void)
{
    if (!check_case("adler32_combine"))
        return;
    for (unsigned round = 0; round < check_effort(400); round++) {
        const size_t len = check_below(round % 16 ? 600 : 70000), split = check_below(len + 1);
        uint8_t *const bytes = check_from_start(&first, len, 0);
        const uint32_t seed = check_below(2) ? 1 : (uint32_t)check_random();
        check_fill(bytes, len);
        check_at("len=%ld split=%ld seed=%lx", (long)len, (long)split, (long)seed, 0);
        CHECK_INT(pxr_adler32_combine(pxr_adler32(seed, bytes, split),
                                      pxr_adler32(1, bytes + split, len - split), len - split),
                  judge_adler32(seed, bytes, len));
    }
}

/* The Adler-32 after len bytes of the same value, by arithmetic modulo 65521:
   A + len*value, and B + len*A + value * (1 + 2 + ... + len). */
static uint32_t adler_of_same(uint32_t seed, uint8_t value, uint64_t len)
{
    const uint64_t m = 65521;
    const uint64_t half = len % 2 ? (len + 1) / 2 : len / 2, other = len % 2 ? len : len + 1;
    const uint64_t sum = half % m * (other % m) % m;
    const uint64_t a = (seed & 0xffff) % m, b = (seed >> 16) % m, n = len % m;
    return (uint32_t)((b + n * a % m + value * sum) % m << 16 | (a + n * value) % m);
}

static void test_combine_long(void)
{
    static const uint64_t lengths[] = {0,
                                       1,
                                       65520,
                                       65521,
                                       65522,
                                       UINT64_C(0xffffffff),
                                       UINT64_C(0x100000000),
                                       UINT64_C(0x100000001),
                                       UINT64_C(65521) << 32,
                                       UINT64_C(0x7fffffffffffffff),
                                       UINT64_C(0xfffffffffffffffe)};
    uint8_t bytes[1000];
    if (!check_case("adler32_combine, any length"))
        return;
    memset(bytes, 0x9d, sizeof bytes);
    CHECK_INT(adler_of_same(1, 0x9d, sizeof bytes), judge_adler32(1, bytes, sizeof bytes));
    for (unsigned round = 0; round < 200; round++) {
        const size_t number = check_below(2 * sizeof lengths / sizeof *lengths);
        const uint64_t len =
            number < sizeof lengths / sizeof *lengths ? lengths[number] : check_random() >> 1;
        const uint8_t value = (uint8_t)check_random();
        const uint32_t before = adler_of_same(1, 0x55, check_below(70000));
        check_at("len=0x%lx value=%ld before=0x%lx", (long)len, value, (long)before, 0);
        CHECK_INT(pxr_adler32_combine(before, adler_of_same(1, value, len), len),
                  adler_of_same(before, value, len));
    }
}

int main(int argc, char **argv)
{
    check_start("test_scan", argc, argv);
    first = check_guard_new(MOST_BYTES);
    second = check_guard_new(MOST_BYTES);
    check_forced_kernels();
    test_compare();
    test_compare_offsets();
    test_find_nonzero();
    test_find_nonzero_offsets();
    test_adler();
    test_combine();
    test_combine_long();
    return check_finish();
}
