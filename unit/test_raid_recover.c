/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pxr_raid_recover: every single loss and every pair of losses among up to 16 data blocks, P
 * and Q.
 */
#include "check.h"
#include "permxor_raid.h"
#include "raid_stripe.h"

#include <string.h>

/* The blocks that a call is given.  P or Q is NULL if the call does not get it. */
static uint8_t *blocks[RAID_MOST_BLOCKS];

static void give(bool has_p, bool has_q)
{
    memcpy(blocks, raid.block, sizeof blocks);
    if (!has_p)
        blocks[raid.n] = NULL;
    if (!has_q)
        blocks[raid.n + 1] = NULL;
}

/* Recovers the lost blocks, whose buffers hold other bytes before.  All blocks must be right
   afterwards, and nothing else may be written. */
static void recover(unsigned count, const unsigned *lost)
{
    for (unsigned i = 0; i < count; i++)
        raid_spoil(lost[i]);
    CHECK_INT(pxr_raid_recover(raid.n, raid.len, blocks, blocks[raid.n], blocks[raid.n + 1],
                               count, lost),
              PXR_OK);
    raid_check();
}

/* The call must return this status and write nothing. */
static void refuse(int status, unsigned n, unsigned count, const unsigned *lost)
{
    CHECK_INT(
        pxr_raid_recover(n, raid.len, blocks, blocks[raid.n], blocks[raid.n + 1], count, lost),
        status);
    raid_check();
}

/* ------------------------------------------------------------------ losses -- */

/* Tries these losses.  Parities that are not lost are given or left out, in each
   combination. */
static void with_and_without(unsigned count, const unsigned *lost)
{
    const unsigned n = raid.n;
    unsigned data = 0, parities = 0;
    for (unsigned i = 0; i < count; i++) {
        data += lost[i] < n;
        parities |= lost[i] >= n ? 1u << (lost[i] - n) : 0;
    }
    for (unsigned given = 0; given < 4; given++) {
        const unsigned left = given & ~parities;
        if ((given & parities) != parities)
            continue; /* a lost block needs a buffer */
        check_at("n=%ld lost %ld and %ld (-1: none), parities given %ld", n,
                 count > 0 ? (long)lost[0] : -1L, count > 1 ? (long)lost[1] : -1L, given);
        give(given & 1, given & 2);
        if (data > (unsigned)__builtin_popcount(left))
            refuse(PXR_ETOOFEW, n, count, lost);
        else
            recover(count, lost);
    }
}

/* Most lengths are random, so that they end at any byte of a vector.  With some lengths the
   call prefetches. */
static size_t length(unsigned number)
{
    static const size_t some[] = {0, 1, 31, 64, 300, 1023, 1024, 4095, 4097, 8192 + 77};
    if (number % 8 == 0)
        return some[check_below(sizeof some / sizeof *some)];
    return check_below(301);
}

/* Every single loss and every pair of losses, in both orders. */
static void test_pairs(unsigned n)
{
    unsigned number = (unsigned)check_below(8);
    if (!check_case("n=%u, every single loss and every pair", n))
        return;
    for (unsigned a = 0; a < n + 2; a++)
        for (unsigned b = 0; b < n + 2; b++) {
            const unsigned lost[] = {a, b};
            raid_fill(n, length(number++), (a + b) % CHECK_PLACEMENTS);
            with_and_without(a == b ? 1 : 2, lost);
        }
}

/* Each kind of loss.  P and Q are always given: as the buffer of a lost block, or to recover
   from. */
static void test_places(void)
{
    static const char *const kinds[] = {"one data block", "two data blocks", "data and P",
                                        "data and Q", "P and Q"};
    for (unsigned kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        struct check_spot spot = {0};
        if (!check_case("every length and misalignment, %s", kinds[kind]))
            continue;
        while (check_next_spot(&spot)) {
            const unsigned n = 2 + (unsigned)check_below(4), a = (unsigned)check_below(n);
            const unsigned others[] = {a, (a + 1 + (unsigned)check_below(n - 1)) % n, n, n + 1,
                                       n + 1};
            raid_fill_at(n, &spot);
            give(true, true);
            recover(kind == 0 ? 1 : 2, (const unsigned[]){kind == 4 ? n : a, others[kind]});
        }
    }
}

static void test_long(void)
{
    if (!check_case("long blocks"))
        return;
    for (unsigned round = 0; round < check_effort(24); round++) {
        const unsigned n = 2 + round % 5, a = round % n, b = n + 1 - round % 3;
        const unsigned both[] = {a, b == a ? a + 1 : b};
        raid_fill(n, RAID_MOST_BYTES / 2 + check_below(RAID_MOST_BYTES / 2 - 64),
                  round % CHECK_PLACEMENTS);
        with_and_without(2, both);
        with_and_without(1, both);
    }
}

/* Lost blocks in any two places of a wide stripe, so that the exponents of 2 have any value. */
static void test_wide(void)
{
    if (!check_case("wide stripes"))
        return;
    for (unsigned round = 0; round < check_effort(60); round++) {
        const unsigned n = round % 3 == 0 ? 255 : 17 + (unsigned)check_below(239);
        const unsigned a = (unsigned)check_below(n), b = (unsigned)check_below(n + 2);
        const unsigned lost[] = {a, b};
        raid_fill(n, check_below(200), CHECK_ANYWHERE);
        with_and_without(a == b ? 1 : 2, lost);
    }
    raid_fill(255, 65, CHECK_AT_END);
    with_and_without(2, (const unsigned[]){0, 254});
    with_and_without(2, (const unsigned[]){254, 253});
    with_and_without(2, (const unsigned[]){255, 256});
}

/* ------------------------------------------------------------------ errors -- */

static void test_nothing_lost(void)
{
    if (!check_case("nothing lost"))
        return;
    raid_fill(5, 77, CHECK_AT_END);
    with_and_without(0, NULL);
    with_and_without(0, (const unsigned[]){0});
}

static void test_errors(void)
{
    if (!check_case("errors"))
        return;
    const unsigned ok[] = {0, 1}, twice[] = {2, 2}, twice_p[] = {5, 1, 5};
    const unsigned beyond[] = {1, 7}, far[] = {~0u};
    raid_fill(5, 77, CHECK_AT_END);
    give(true, true);
    refuse(PXR_EINVAL, 0, 1, ok);
    refuse(PXR_EINVAL, 256, 1, ok);
    refuse(PXR_EINVAL, ~0u, 1, ok);
    refuse(PXR_EINVAL, 5, 2, NULL);
    refuse(PXR_EINVAL, 5, 2, twice);
    refuse(PXR_EINVAL, 5, 3, twice_p);
    refuse(PXR_EINVAL, 5, 2, beyond);
    refuse(PXR_EINVAL, 5, 1, far);
    CHECK_INT(pxr_raid_recover(5, raid.len, NULL, blocks[5], blocks[6], 2, ok), PXR_EINVAL);
    for (unsigned hole = 0; hole < 5; hole++) { /* of a lost block, or of a needed one */
        give(true, true);
        blocks[hole] = NULL;
        refuse(PXR_EINVAL, 5, 2, ok);
    }
    for (unsigned parity = 5; parity < 7; parity++) {
        give(parity != 5, parity != 6);
        refuse(PXR_EINVAL, 5, 1, &parity);
    }
}

/* Every set of lost blocks, with P and Q lost, given or left out. */
static void test_too_few(void)
{
    if (!check_case("too few blocks left"))
        return;
    for (unsigned lost_set = 0; lost_set < 1u << 6; lost_set++)
        for (unsigned given = 0; given < 4; given++) {
            unsigned lost[6], count = 0, data = 0;
            unsigned parities = 0;
            raid_fill(4, 65, CHECK_AT_END);
            give(given & 1, given & 2);
            for (unsigned i = 0; i < 6; i++) {
                const bool is_lost = lost_set >> i & 1, is_there = blocks[i] != NULL;
                if (is_lost && is_there)
                    lost[count++] = i;
                data += i < 4 && is_lost;
                parities += i >= 4 && !is_lost && is_there;
            }
            check_at("lost %lo of 6, parities given %ld", lost_set, given, 0, 0);
            if (data > parities)
                refuse(PXR_ETOOFEW, 4, count, lost);
            else
                recover(count, lost);
        }
}

int main(int argc, char **argv)
{
    check_start("test_raid_recover", argc, argv);
    raid_start();
    check_forced_kernels();
    for (unsigned n = 1; n <= 16; n++)
        test_pairs(n);
    test_places();
    test_long();
    test_wide();
    test_nothing_lost();
    test_errors();
    test_too_few();
    return check_finish();
}
