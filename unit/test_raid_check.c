/* SPDX-License-Identifier: BSD-3-Clause */
/* pxr_raid_check(): its reports on damaged stripes, compared with the definition. */
#include "call.h"
#include "check.h"
#include "judge.h"
#include "permxor_raid.h"
#include "raid_stripe.h"

#include <string.h>

/* pxr_raid_check() locates in pieces of this many bytes. */
#define PIECE 4096

/* ---------------------------------------------------------- what to expect -- */

static uint8_t p_off[RAID_MOST_BYTES], q_off[RAID_MOST_BYTES];

/* The right report on the stripe as it is now. */
static struct pxr_raid_report expected(bool has_q)
{
    struct pxr_raid_report want;
    memcpy(p_off, raid.block[raid.n], raid.len);
    memcpy(q_off, raid.block[raid.n + 1], raid.len);
    judge_syndrome(raid.len, 0, raid.n, pxr_read_only(raid.block), p_off, q_off);
    want.first_p = judge_first_nonzero(p_off, raid.len);
    want.first_q = has_q ? judge_first_nonzero(q_off, raid.len) : raid.len;
    want.suspect = PXR_RAID_UNKNOWN;
    if (!has_q || (want.first_p == raid.len && want.first_q == raid.len))
        return want;
    for (unsigned block = 0; block < raid.n + 2 && want.suspect == PXR_RAID_UNKNOWN; block++)
        if (judge_explains(raid.n, block, p_off, q_off, raid.len))
            want.suspect = block;
    return want;
}

/* Checks the reports on the stripe as it is now, with and without Q, and the status with and
   without a report. */
static void check_report(void)
{
    uint8_t *const *data = raid.block;
    const uint8_t *const p = raid.block[raid.n];
    for (unsigned has_q = 0; has_q < 2; has_q++) {
        const uint8_t *const q = has_q ? raid.block[raid.n + 1] : NULL;
        const struct pxr_raid_report want = expected(has_q);
        struct pxr_raid_report got = {raid.len + 1, raid.len + 1, 1234};
        const int status =
            want.first_p == raid.len && want.first_q == raid.len ? PXR_OK : PXR_EMISMATCH;
        CHECK_INT(pxr_raid_check(raid.n, raid.len, data, p, q, &got, sizeof got), status);
        CHECK_INT(pxr_raid_check(raid.n, raid.len, data, p, q, NULL, 0), status);
        CHECK_INT((long long)got.first_p, (long long)want.first_p);
        CHECK_INT((long long)got.first_q, (long long)want.first_q);
        CHECK_INT(got.suspect, want.suspect);
    }
}

/* ---------------------------------------------------------------- damage -- */

static void change(unsigned block, size_t offset, uint8_t by)
{
    raid.block[block][offset] ^= by;
    raid.right[block][offset] ^= by; /* so that raid_check() can tell whether a call wrote it */
}

static uint8_t any_change(void)
{
    return (uint8_t)(1 + check_below(255));
}

/* Changes 1 to 4 bytes, or as many as the block has, at random offsets. */
static void damage(unsigned block)
{
    size_t bytes = check_below(3) ? 1 + check_below(4) : raid.len;
    while (bytes-- > 0)
        change(block, check_below(raid.len), any_change());
}

/* Every length and misalignment: first all blocks agree, and then one or more bytes are
   wrong. */
static void test_places(void)
{
    struct check_spot spot = {0};
    if (!check_case("every length and misalignment"))
        return;
    while (check_next_spot(&spot)) {
        raid_fill_at(1 + (unsigned)check_below(5), &spot);
        check_report();
        if (spot.len > 0) {
            change((unsigned)check_below(raid.n + 2), check_below(spot.len), any_change());
            if (check_below(4) == 0)
                damage((unsigned)check_below(raid.n + 2));
            check_report();
        }
        raid_check();
    }
}

static void test_intact(void)
{
    if (!check_case("all agree"))
        return;
    for (unsigned n = 1; n <= 16; n++) {
        check_at("n=%ld", n, 0, 0, 0);
        raid_fill(n, raid_any_length(), n % CHECK_PLACEMENTS);
        check_report();
        raid_check();
    }
    raid_fill(3, 2 * PIECE + 77, CHECK_AT_END);
    check_report();
    raid_fill(255, 333, CHECK_AT_END);
    check_report();
}

/* Each block in turn is the wrong one. */
static void one_wrong(unsigned n, size_t len, enum check_placement placement)
{
    for (unsigned block = 0; block < n + 2; block++) {
        check_at("n=%ld len=%ld placement=%ld block=%ld", n, (long)len, placement, block);
        raid_fill(n, len, placement);
        if (len > 0)
            change(block, check_below(len), any_change());
        if (check_below(2) && len > 0)
            damage(block);
        check_report();
        raid_check();
    }
}

static void test_one_wrong(void)
{
    static const unsigned wide[] = {31, 64, 128, 255};
    if (!check_case("one wrong block"))
        return;
    for (unsigned n = 1; n <= 16; n++) {
        one_wrong(n, 1 + check_below(300), n % CHECK_PLACEMENTS);
        one_wrong(n, 1 + check_below(3), CHECK_AT_END);
    }
    for (unsigned n = 1; n <= 5; n += 2)
        one_wrong(n, PIECE * n / 2 + check_below(PIECE), CHECK_ANYWHERE);
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        one_wrong(wide[i], 1 + check_below(99), CHECK_ANYWHERE);
}

/* If every byte of a block is wrong, the suspect must be this block. */
static void test_suspect(void)
{
    if (!check_case("the suspect is the wrong block"))
        return;
    for (unsigned n = 1; n <= 16; n++)
        for (unsigned block = 0; block < n + 2; block++) {
            struct pxr_raid_report got;
            raid_fill(n, 1 + check_below(200), CHECK_ANYWHERE);
            raid_spoil(block);
            check_at("n=%ld block=%ld", n, block, 0, 0);
            CHECK_INT(pxr_raid_check(n, raid.len, raid.block, raid.block[n], raid.block[n + 1],
                                     &got, sizeof got),
                      PXR_EMISMATCH);
            CHECK_INT(got.suspect, block);
            CHECK(got.first_p == (block == n + 1 ? raid.len : 0));
            CHECK(got.first_q == (block == n ? raid.len : 0));
        }
}

static void test_several_wrong(void)
{
    if (!check_case("several wrong blocks"))
        return;
    for (unsigned round = 0; round < check_effort(600); round++) {
        const bool is_long = round % 16 == 0;
        raid_fill(1 + (unsigned)check_below(12),
                  1 + check_below(is_long ? RAID_MOST_BYTES - 64 : 200), CHECK_ANYWHERE);
        check_at("round=%ld n=%ld len=%ld", round, raid.n, (long)raid.len, 0);
        for (size_t wrong = 2 + check_below(3); wrong > 0; wrong--)
            damage((unsigned)check_below(raid.n + 2));
        check_report();
        raid_check();
    }
}

/* A difference at every offset, in P, in Q and in a data block. */
static void test_offsets(void)
{
    if (!check_case("a difference at every offset"))
        return;
    raid_fill(4, 523, CHECK_AT_END);
    for (size_t offset = 0; offset < raid.len; offset++)
        for (unsigned block = 3; block < 6; block++) {
            const uint8_t by = any_change();
            if (!check_border(offset, 64) && !check_sampled())
                continue;
            check_at("offset=%ld block=%ld", (long)offset, block, 0, 0);
            change(block, offset, by);
            check_report();
            change(block, offset, by);
        }
    raid_check();
}

/*
 * The first byte that differs could be explained by one wrong block.  A later byte, which may
 * come much later, can contradict this in P and Q, in P alone or in Q alone.
 */
static void test_later_bytes(void)
{
    static const size_t distances[] = {1,         2,     63,        64,        257,
                                       PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 3 * PIECE - 2};
    if (!check_case("a later byte clears the suspect"))
        return;
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++)
        for (unsigned suspect = 0; suspect < 7; suspect++)
            for (unsigned other = 0; other < 7; other++) {
                const size_t first = check_below(600);
                if (!check_sampled())
                    continue;
                raid_fill(5, first + distances[i] + 1 + check_below(100), CHECK_ANYWHERE);
                check_at("distance=%ld block=%ld other=%ld", (long)distances[i], suspect, other,
                         0);
                change(suspect, first, any_change());
                change(other, first + distances[i], any_change());
                check_report();
            }
}

/* One of P and Q is wrong near the beginning, and the other one several pieces later. */
static void test_apart(void)
{
    if (!check_case("P and Q wrong far apart"))
        return;
    for (unsigned first = 0; first < 2; first++) {
        raid_fill(3, 3 * PIECE + 9, CHECK_AT_START);
        change(raid.n + first, 70, 0x40);
        change(raid.n + !first, raid.len - 1, 1);
        check_report();
        raid_check();
    }
}

static void test_errors(void)
{
    struct pxr_raid_report got = {7, 8, 9};
    if (!check_case("errors"))
        return;
    raid_fill(4, 70, CHECK_AT_END);
    uint8_t *holes[4], *const *data = raid.block;
    const uint8_t *const p = raid.block[4], *const q = raid.block[5];
    CHECK_INT(pxr_raid_check(0, raid.len, data, p, q, &got, sizeof got), PXR_EINVAL);
    CHECK_INT(pxr_raid_check(256, raid.len, data, p, q, &got, sizeof got), PXR_EINVAL);
    CHECK_INT(pxr_raid_check(4, raid.len, NULL, p, q, &got, sizeof got), PXR_EINVAL);
    CHECK_INT(pxr_raid_check(4, raid.len, data, NULL, q, &got, sizeof got), PXR_EINVAL);
    CHECK_INT(pxr_raid_check(4, raid.len, data, NULL, NULL, NULL, 0), PXR_EINVAL);
    for (unsigned hole = 0; hole < 4; hole++) {
        memcpy(holes, raid.block, sizeof holes);
        holes[hole] = NULL;
        CHECK_INT(pxr_raid_check(4, raid.len, holes, p, q, &got, sizeof got), PXR_EINVAL);
    }
    CHECK(got.first_p == 7 && got.first_q == 8 && got.suspect == 9);
    raid_check();
}

int main(int argc, char **argv)
{
    check_start("test_raid_check", argc, argv);
    raid_start();
    check_forced_kernels();
    test_places();
    test_intact();
    test_one_wrong();
    test_suspect();
    test_several_wrong();
    test_offsets();
    test_later_bytes();
    test_apart();
    test_errors();
    return check_finish();
}
