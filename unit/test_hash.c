/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linear hashes: their values by the definition, and the properties that permxor_hash.h states.
 */
#include "check.h"
#include "hash_reference.h"
#include "judge.h"
#include "permxor_hash.h"

#include <stdlib.h>
#include <string.h>

/* Three blocks of the longest hash. */
enum { LONGEST = 3 * 8192 };

static const unsigned sizes[] = {4, 8, 16};
static unsigned size;
static uint8_t key[PXR_MAX_HASH];
static pxr_hash *hash;
static const uint8_t zeros[PXR_MAX_HASH];
static struct check_guard guard;

/* A kind of hash with a random key, or with the key t. */
static void make_hash(bool with_key)
{
    do
        check_fill(key, size);
    while (with_key && pxr_hash_create(&hash, size, key, NULL) != PXR_OK);
    if (!with_key) {
        memset(key, 0, sizeof key);
        key[1] = 1;
        CHECK_INT(pxr_hash_create(&hash, size, NULL, NULL), PXR_OK);
    }
}

static void add(uint64_t offset, size_t len, const uint8_t *bytes, uint8_t *sum)
{
    CHECK_INT(pxr_hash_add(hash, offset, len, bytes, sum), PXR_OK);
}

static void hash_of(size_t len, const uint8_t *bytes, uint8_t *sum)
{
    memset(sum, 0, size);
    add(0, len, bytes, sum);
}

/* b^offset by its bits, times a sum. */
static void move_reference(uint64_t offset, uint8_t *sum)
{
    uint8_t power[HASH_MOST];
    memcpy(power, key, sizeof power);
    for (; offset != 0; offset >>= 1) {
        if (offset & 1)
            reference_multiply(size, sum, power, sum);
        reference_multiply(size, power, power, power);
    }
}

/* ----------------------------------------------------------- definition -- */

static void check_value(size_t len, const uint8_t *bytes)
{
    uint8_t got[HASH_MOST], want[HASH_MOST];
    check_at("len=%ld", (long)len, 0, 0, 0);
    hash_of(len, bytes, got);
    reference_hash(size, key, len, bytes, want);
    CHECK_BYTES(got, want, size);
}

static void test_short(void)
{
    struct check_spot spot = {0};
    if (!check_case("%u bytes, every short length and misalignment", size))
        return;
    make_hash(true);
    while (check_next_spot(&spot)) {
        uint8_t *const bytes = check_at_spot(&guard, spot.len, &spot, 0);
        check_fill(bytes, spot.len);
        check_value(spot.len, bytes);
    }
    pxr_hash_free(hash);
}

static void test_long(void)
{
    if (!check_case("%u bytes, longer pieces", size))
        return;
    make_hash(true);
    for (unsigned round = check_effort(12); round > 0; round--) {
        const size_t len = check_below(LONGEST + 1);
        uint8_t *const bytes = check_place(&guard, len, CHECK_ANYWHERE);
        check_fill(bytes, len);
        check_value(len, bytes);
    }
    pxr_hash_free(hash);
}

/* A hash that was written down must stay right: H of the bytes 0 to 255, with the key t.  The
   values come from another program, which follows the definition. */
static void test_known(void)
{
    static const uint8_t known[][HASH_MOST] = {
        {0x19, 0xc2, 0xbb, 0xd2},
        {0xb5, 0xbc, 0x4b, 0x40, 0x54, 0x74, 0xed, 0x53},
        {0x16, 0xe2, 0xd5, 0x15, 0xe7, 0x26, 0xdb, 0x94, 0x84, 0x36, 0x55, 0x2c, 0xc0, 0x0d,
         0x2e, 0x6a},
    };
    if (!check_case("%u bytes, a value that is known", size))
        return;
    uint8_t bytes[256], sum[HASH_MOST];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)i;
    make_hash(false);
    hash_of(sizeof bytes, bytes, sum);
    CHECK_BYTES(sum, known[size == 4 ? 0 : size == 8 ? 1 : 2], size);
    pxr_hash_free(hash);
}

/* ------------------------------------------------------------ properties -- */

static void test_linear(void)
{
    if (!check_case("%u bytes, H(aX + bY) = aH(X) + bH(Y)", size))
        return;
    make_hash(true);
    uint8_t *const x = malloc(LONGEST), *const y = malloc(LONGEST), *const z = malloc(LONGEST);
    for (unsigned round = check_effort(60); round > 0; round--) {
        const size_t len = check_below(2) ? check_below(LONGEST) : check_below(600);
        const uint8_t a = (uint8_t)check_random(), b = (uint8_t)check_random();
        uint8_t hx[HASH_MOST], hy[HASH_MOST], hz[HASH_MOST], want[HASH_MOST];
        check_fill(x, len);
        check_fill(y, len);
        for (size_t i = 0; i < len; i++)
            z[i] = judge_mul(a, x[i]) ^ judge_mul(b, y[i]);
        hash_of(len, x, hx);
        hash_of(len, y, hy);
        hash_of(len, z, hz);
        for (unsigned i = 0; i < size; i++)
            want[i] = judge_mul(a, hx[i]) ^ judge_mul(b, hy[i]);
        CHECK_BYTES(hz, want, size);
    }
    free(x);
    free(y);
    free(z);
    pxr_hash_free(hash);
}

/* The pieces of a shard in any order, some of them hashed apart and combined. */
static void test_pieces(void)
{
    enum { PIECES = 7 };
    if (!check_case("%u bytes, pieces in any order", size))
        return;
    make_hash(true);
    uint8_t *const bytes = malloc(LONGEST);
    check_fill(bytes, LONGEST);
    for (unsigned round = check_effort(40); round > 0; round--) {
        size_t border[PIECES + 1] = {0};
        for (unsigned i = 1; i <= PIECES; i++)
            border[i] = border[i - 1] + check_below(LONGEST / PIECES);
        uint8_t whole[HASH_MOST], sum[HASH_MOST] = {0};
        hash_of(border[PIECES], bytes, whole);
        unsigned done = 0;
        while (done != (1u << PIECES) - 1) {
            const unsigned i = (unsigned)check_below(PIECES);
            const uint8_t *const piece = bytes + border[i];
            const size_t len = border[i + 1] - border[i];
            if (done >> i & 1)
                continue;
            done |= 1u << i;
            if (check_below(2)) {
                add(border[i], len, piece, sum);
            } else {
                uint8_t part[HASH_MOST];
                hash_of(len, piece, part);
                CHECK_INT(pxr_hash_combine(hash, border[i], part, sum), PXR_OK);
            }
        }
        CHECK_BYTES(sum, whole, size);
    }
    free(bytes);
    pxr_hash_free(hash);
}

static void test_offsets(void)
{
    if (!check_case("%u bytes, offsets of up to 64 bits", size))
        return;
    make_hash(true);
    for (unsigned round = check_effort(300); round > 0; round--) {
        const uint64_t offset = check_random() >> check_below(64);
        uint8_t bytes[100], got[HASH_MOST] = {0}, want[HASH_MOST];
        const size_t len = check_below(sizeof bytes + 1);
        check_fill(bytes, len);
        add(offset, len, bytes, got);
        reference_hash(size, key, len, bytes, want);
        move_reference(offset, want);
        CHECK_BYTES(got, want, size);
    }
    pxr_hash_free(hash);
}

/* A part of a shard changes.  The hash follows from the old and the new bytes, and from their
   sum. */
static void test_change(void)
{
    if (!check_case("%u bytes, the change of a part", size))
        return;
    make_hash(true);
    uint8_t *const bytes = malloc(LONGEST), *const new_bytes = malloc(LONGEST);
    check_fill(bytes, LONGEST);
    uint8_t sum[HASH_MOST], also[HASH_MOST], want[HASH_MOST];
    hash_of(LONGEST, bytes, sum);
    memcpy(also, sum, sizeof also);
    for (unsigned round = check_effort(40); round > 0; round--) {
        const size_t at = check_below(LONGEST), len = check_below(LONGEST - at + 1);
        check_fill(new_bytes, len);
        add(at, len, bytes + at, sum);
        add(at, len, new_bytes, sum);
        for (size_t i = 0; i < len; i++)
            bytes[at + i] ^= new_bytes[i];
        add(at, len, bytes + at, also);
        memcpy(bytes + at, new_bytes, len);
        hash_of(LONGEST, bytes, want);
        CHECK_BYTES(sum, want, size);
        CHECK_BYTES(also, want, size);
    }
    free(bytes);
    free(new_bytes);
    pxr_hash_free(hash);
}

/* ---------------------------------------------------------------- finding -- */

/* Any change within as many bytes as the hash has is found, with any key. */
static void test_bursts(bool with_key)
{
    if (!check_case("%u bytes, %s, bursts are found", size,
                    with_key ? "with a key" : "without"))
        return;
    make_hash(with_key);
    for (unsigned round = check_effort(2000); round > 0; round--) {
        uint8_t burst[HASH_MOST], sum[HASH_MOST] = {0};
        const unsigned len = 1 + (unsigned)check_below(size);
        check_fill(burst, len);
        burst[check_below(len)] |= 1;
        add(check_random() >> 20, len, burst, sum);
        CHECK(memcmp(sum, zeros, size) != 0);
    }
    pxr_hash_free(hash);
}

/* Sectors that changed places, or moved: without luck of 1 in 2^32 the hash differs. */
static void test_moves(void)
{
    enum { SECTOR = 512, SECTORS = 64 };
    if (!check_case("%u bytes, swapped and shifted sectors are found", size))
        return;
    make_hash(true);
    uint8_t *const bytes = malloc(SECTOR * SECTORS), *const moved = malloc(SECTOR * SECTORS);
    check_fill(bytes, SECTOR * SECTORS);
    uint8_t right[HASH_MOST], sum[HASH_MOST];
    hash_of(SECTOR * SECTORS, bytes, right);
    for (unsigned round = check_effort(200); round > 0; round--) {
        const size_t a = check_below(SECTORS), b = (a + 1 + check_below(SECTORS - 1)) % SECTORS;
        memcpy(moved, bytes, SECTOR * SECTORS);
        memcpy(moved + a * SECTOR, bytes + b * SECTOR, SECTOR);
        memcpy(moved + b * SECTOR, bytes + a * SECTOR, SECTOR);
        hash_of(SECTOR * SECTORS, moved, sum);
        CHECK(memcmp(sum, right, size) != 0);
        const size_t by = 1 + check_below(SECTOR);
        memcpy(moved, bytes + by, SECTOR * SECTORS - by);
        memcpy(moved + SECTOR * SECTORS - by, bytes, by);
        hash_of(SECTOR * SECTORS, moved, sum);
        CHECK(memcmp(sum, right, size) != 0);
    }
    free(bytes);
    free(moved);
    pxr_hash_free(hash);
}

/* ----------------------------------------------------------------- errors -- */

static void test_errors(void)
{
    if (!check_case("arguments that are wrong"))
        return;
    static const uint8_t small[PXR_MAX_HASH] = {9};
    struct pxr_error why;
    uint8_t sum[HASH_MOST] = {0};
    for (unsigned n = 0; n < 33; n++) {
        hash = (pxr_hash *)sum;
        const bool good = n == 4 || n == 8 || n == 16;
        CHECK_INT(pxr_hash_create(&hash, n, NULL, &why), good ? PXR_OK : PXR_EINVAL);
        CHECK_INT(pxr_hash_size(hash), good ? n : 0);
        pxr_hash_free(hash);
    }
    CHECK_INT(pxr_hash_create(NULL, 4, NULL, &why), PXR_EINVAL);
    for (unsigned n = 4; n <= 16; n *= 2) {
        CHECK_INT(pxr_hash_create(&hash, n, small, &why), PXR_EINVAL);
        CHECK(hash == NULL && strstr(why.text, "smaller field"));
    }
    CHECK_INT(pxr_hash_size(NULL), 0);
    pxr_hash_free(NULL);
    CHECK_INT(pxr_hash_create(&hash, 4, NULL, NULL), PXR_OK);
    CHECK_INT(pxr_hash_add(NULL, 0, 1, small, sum), PXR_EINVAL);
    CHECK_INT(pxr_hash_add(hash, 0, 1, NULL, sum), PXR_EINVAL);
    CHECK_INT(pxr_hash_add(hash, 0, 1, small, NULL), PXR_EINVAL);
    CHECK_INT(pxr_hash_add(hash, 0, 0, NULL, sum), PXR_OK);
    CHECK_INT(pxr_hash_combine(NULL, 0, small, sum), PXR_EINVAL);
    CHECK_INT(pxr_hash_combine(hash, 0, NULL, sum), PXR_EINVAL);
    CHECK_INT(pxr_hash_combine(hash, 0, small, NULL), PXR_EINVAL);
    CHECK_BYTES(sum, zeros, sizeof sum);
    pxr_hash_free(hash);
}

int main(int argc, char **argv)
{
    check_start("test_hash", argc, argv);
    judge_start();
    guard = check_guard_new(LONGEST + 64);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size = sizes[i];
        test_short();
        test_long();
        test_known();
        test_linear();
        test_pieces();
        test_offsets();
        test_change();
        test_bursts(false);
        test_bursts(true);
        test_moves();
    }
    test_errors();
    check_guard_free(&guard);
    return check_finish();
}
