/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ISA-L's RAID functions, isal_zero_detect() and isal_adler32() compared with judge.h: any
 * length and alignment that the headers of ISA-L allow, outputs in place of sources, and calls
 * that must be refused.
 */
#include "check.h"
#include "isal_raid_functions.h"
#include "judge.h"
#include "raid_stripe.h"

#include "isa-l.h"

#include <limits.h>
#include <string.h>

/* The buffers of a call: the n+2 blocks of the stripe in raid_stripe.h, or n+1 blocks for a
   function that has P only. */
static void *array[RAID_MOST_BLOCKS];

static int buffers(const struct isal_raid_function *f)
{
    return (int)(raid.n + f->parities);
}

static int call(const struct isal_raid_function *f)
{
    return f->ours(buffers(f), (int)raid.len, array);
}

/* n data blocks, or more if the function needs more. */
static unsigned enough(const struct isal_raid_function *f, unsigned n)
{
    const unsigned least = (unsigned)f->least - f->parities;
    return n < least ? least : n;
}

static void prepare(const struct isal_raid_function *f, unsigned n, size_t len,
                    enum check_placement placement)
{
    len -= len % (size_t)f->multiple;
    raid_fill(enough(f, n), len, placement);
    check_at("n=%ld len=%ld placement=%ld", raid.n, (long)len, placement, 0);
    memcpy(array, raid.block, sizeof array);
}

/* Changes one bit of any block; the function must report it. */
static void find_difference(const struct isal_raid_function *f)
{
    const size_t block = check_below((size_t)buffers(f)), at = check_below(raid.len);
    const uint8_t bit = (uint8_t)(1u << check_below(8));
    raid.block[block][at] ^= bit;
    CHECK_INT(call(f), 1);
    raid.block[block][at] ^= bit;
}

/* Tries the function on the stripe. */
static void attempt(const struct isal_raid_function *f)
{
    for (unsigned r = 0; r < f->parities && !f->checks; r++)
        raid_spoil(raid.n + r);
    CHECK_INT(call(f), 0);
    for (unsigned round = 0; round < 3 && f->checks && raid.len > 0; round++)
        find_difference(f);
    raid_check();
}

static void sweep_places(const struct isal_raid_function *f)
{
    struct check_spot spot = {0};
    while (check_next_spot(&spot)) {
        if (spot.len % (size_t)f->multiple != 0)
            continue;
        raid_fill_at(enough(f, 1 + (unsigned)check_below(5)), &spot);
        memcpy(array, raid.block, sizeof array);
        attempt(f);
    }
}

static void sweep_sources(const struct isal_raid_function *f)
{
    static const unsigned wide[] = {31, 64, 128, 253, 255};
    for (unsigned n = 1; n <= 16; n++) {
        prepare(f, n, raid_any_length(), n % CHECK_PLACEMENTS);
        attempt(f);
    }
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        prepare(f, wide[i], check_below(700), i % CHECK_PLACEMENTS);
        attempt(f);
    }
    for (unsigned round = 0; round < check_effort(8); round++) {
        prepare(f, 3, check_below(RAID_MOST_BYTES - 64), CHECK_AT_END);
        attempt(f);
    }
}

/* Changes a bit at every offset of every block, data and parity. */
static void every_difference(const struct isal_raid_function *f)
{
    prepare(f, 4, 320, CHECK_AT_END);
    for (size_t at = 0; at < raid.len; at++)
        for (int block = 0; block < buffers(f); block++) {
            check_at("at=%ld block=%ld", (long)at, block, 0, 0);
            raid.block[block][at] ^= 1;
            CHECK_INT(call(f), 1);
            raid.block[block][at] ^= 1;
        }
}

/* The parity blocks replace sources. */
static void in_place(const struct isal_raid_function *f)
{
    for (unsigned len = 0; len <= 640; len += 32) {
        prepare(f, 5, len, len % CHECK_PLACEMENTS);
        for (unsigned r = 0; r < f->parities; r++) {
            array[raid.n + r] = raid.block[2 * r + 1];
            memcpy(raid.right[2 * r + 1], raid.right[raid.n + r], len);
        }
        CHECK_INT(call(f), 0);
        raid_check();
    }
}

/* The call must return 1 and write nothing. */
static void refuse(const struct isal_raid_function *f, int vects, int len, void **blocks)
{
    check_at("vects=%ld len=%ld", vects, len, 0, 0);
    CHECK_INT(f->ours(vects, len, blocks), 1);
    raid_check();
}

static void refusals(const struct isal_raid_function *f)
{
    static const int lengths[] = {-1, -16, -32, INT_MIN};
    prepare(f, 4, 96, CHECK_AT_END);
    for (unsigned r = 0; r < f->parities && !f->checks; r++) {
        raid_spoil(raid.n + r); /* a wrong parity, which must stay as it is */
        memcpy(raid.right[raid.n + r], raid.block[raid.n + r], raid.len);
    }
    const int vects = buffers(f), len = (int)raid.len;
    for (int few = -2; few < f->least; few++)
        refuse(f, few, len, array);
    refuse(f, INT_MIN, len, array);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        refuse(f, vects, lengths[i], array);
    for (int some = 1; some < 96; some++)
        if (some % f->multiple != 0)
            refuse(f, vects, some, array);
    refuse(f, vects, len, NULL);
    for (int hole = 0; hole < vects; hole++) {
        array[hole] = NULL;
        refuse(f, vects, len, array);
        array[hole] = raid.block[hole];
    }
    CHECK_INT(f->ours(vects, 0, array), 0);
    raid_check();
}

static void test_function(const struct isal_raid_function *f)
{
    if (check_case("%s", f->name)) {
        sweep_places(f);
        sweep_sources(f);
    }
    if (f->checks && check_case("%s, every difference", f->name))
        every_difference(f);
    if (!f->checks && check_case("%s in place", f->name))
        in_place(f);
    if (check_case("%s refuses", f->name))
        refusals(f);
}

/* ---------------------------------------------------- zeros and Adler-32 -- */

static void test_zero_detect(void)
{
    const struct check_guard *const guard = &raid.guard[0];
    struct check_spot spot = {0};
    if (!check_case("isal_zero_detect"))
        return;
    while (check_next_spot(&spot)) {
        uint8_t *const bytes = check_at_spot(guard, spot.len, &spot, 0);
        memset(bytes, 0, spot.len);
        CHECK_INT(isal_zero_detect(bytes, spot.len), 0);
        for (size_t at = check_below(9); at < spot.len; at += 1 + check_below(40)) {
            bytes[at] = (uint8_t)(1u << check_below(8));
            CHECK_INT(isal_zero_detect(bytes, spot.len), 1);
            bytes[at] = 0;
        }
    }
    CHECK_INT(isal_zero_detect(NULL, 0), 0);
    CHECK_INT(isal_zero_detect(NULL, 1), 1);
    CHECK_INT(isal_zero_detect(NULL, SIZE_MAX), 1);
}

static void test_adler(void)
{
    static const uint32_t seeds[] = {1, 0, 0xfff1fff1, 0xffffffff, 0x12345678};
    const struct check_guard *const guard = &raid.guard[0];
    struct check_spot spot = {0};
    if (!check_case("isal_adler32"))
        return;
    while (check_next_spot(&spot)) {
        const uint32_t seed = seeds[check_below(sizeof seeds / sizeof *seeds)];
        uint8_t *const bytes = check_at_spot(guard, spot.len, &spot, 0);
        check_fill(bytes, spot.len);
        check_at("len=%ld offset=%ld to the end=%ld seed=%lx", (long)spot.len, spot.offset,
                 spot.to_end, (long)seed);
        CHECK_INT(isal_adler32(seed, bytes, spot.len), judge_adler32(seed, bytes, spot.len));
    }
    CHECK_INT(isal_adler32(1, (const unsigned char *)"Wikipedia", 9), 0x11e60398);
    CHECK_INT(isal_adler32(77, NULL, 0), 77);
    CHECK_INT(isal_adler32(77, NULL, 1000), 77);
}

int main(int argc, char **argv)
{
    check_start("test_isal_raid", argc, argv);
    raid_start();
    check_forced_kernels();
    for (const struct isal_raid_function *f = isal_raid_functions; f->name; f++)
        test_function(f);
    test_zero_detect();
    test_adler();
    return check_finish();
}
