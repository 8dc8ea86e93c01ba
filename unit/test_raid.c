/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * P and Q of permxor_raid.h, and changes of them, compared with judge.h.  The plan of a write
 * is compared with every set of blocks that could be read.
 */
#include "call.h"
#include "check.h"
#include "judge.h"
#include "permxor_raid.h"
#include "raid_stripe.h"

#include <string.h>

static uint8_t *const *data(void)
{
    return raid.block;
}

static uint8_t *p(void)
{
    return raid.block[raid.n];
}

static uint8_t *q(void)
{
    return raid.block[raid.n + 1];
}

/* The parities that a call is given. */
enum { P = 1, Q = 2 };

/* -------------------------------------------------------------- generate -- */

/* Generates P, then Q, then both.  A parity that the call is not given must stay as it is. */
static void generate(void)
{
    for (unsigned which = P; which <= (P | Q); which++) {
        check_at("n=%ld len=%ld parities=%ld", raid.n, (long)raid.len, which, 0);
        if (which & P)
            raid_spoil(raid.n);
        if (which & Q)
            raid_spoil(raid.n + 1);
        CHECK_INT(pxr_raid_generate(raid.n, raid.len, data(), which & P ? p() : NULL,
                                    which & Q ? q() : NULL),
                  PXR_OK);
        raid_check();
    }
}

static void test_generate(void)
{
    static const unsigned wide[] = {17, 31, 32, 33, 64, 100, 127, 128, 254, 255};
    struct check_spot spot = {0};
    if (!check_case("generate"))
        return;
    while (check_next_spot(&spot)) {
        raid_fill_at(1 + (unsigned)check_below(5), &spot);
        generate();
    }
    for (unsigned n = 1; n <= 16; n++)
        for (unsigned round = 0; round < check_effort(8); round++) {
            raid_fill(n, raid_any_length(), round % CHECK_PLACEMENTS);
            generate();
        }
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        raid_fill(wide[i], check_below(600), i % CHECK_PLACEMENTS);
        generate();
    }
}

/* Numbers that can be checked by hand: each block has a single bit that is 1. */
static void test_known(void)
{
    uint8_t one = 1, high = 0x80, *const blocks[] = {&one, &one, &one, &high};
    uint8_t sum, syndrome;
    if (!check_case("known parities"))
        return;
    CHECK_INT(pxr_raid_generate(3, 1, blocks, &sum, &syndrome), PXR_OK);
    CHECK_INT(sum, 1);
    CHECK_INT(syndrome, 1 ^ 2 ^ 4);
    CHECK_INT(pxr_raid_generate(4, 1, blocks, &sum, &syndrome), PXR_OK);
    CHECK_INT(sum, 0x81);
    /* 2^3 * 2^7 = 2^10: that is 2^8 = 0x1d, doubled twice */
    CHECK_INT(syndrome, 1 ^ 2 ^ 4 ^ 0x74);
}

static void test_generate_errors(void)
{
    uint8_t *holes[RAID_MOST_BLOCKS];
    if (!check_case("generate, errors"))
        return;
    raid_fill(RAID_MOST_DATA, 65, CHECK_AT_END);
    raid_spoil(raid.n);
    raid_spoil(raid.n + 1);
    memcpy(raid.right[raid.n], p(), raid.len);
    memcpy(raid.right[raid.n + 1], q(), raid.len);
    memcpy(holes, raid.block, sizeof holes);
    CHECK_INT(pxr_raid_generate(0, raid.len, data(), p(), q()), PXR_EINVAL);
    CHECK_INT(pxr_raid_generate(256, raid.len, data(), p(), q()), PXR_EINVAL);
    CHECK_INT(pxr_raid_generate(~0u, raid.len, data(), p(), q()), PXR_EINVAL);
    CHECK_INT(pxr_raid_generate(3, raid.len, data(), NULL, NULL), PXR_EINVAL);
    CHECK_INT(pxr_raid_generate(3, raid.len, NULL, p(), q()), PXR_EINVAL);
    for (unsigned hole = 0; hole < 3; hole++) {
        holes[hole] = NULL;
        CHECK_INT(pxr_raid_generate(3, raid.len, holes, p(), q()), PXR_EINVAL);
        CHECK_INT(pxr_raid_generate(3, 0, holes, p(), q()), PXR_EINVAL);
        holes[hole] = raid.block[hole];
    }
    raid_check();
}

/* --------------------------------------------------------------- changes -- */

/* Adds a change to raid.right, which then has what P and Q must hold. */
static void expect(unsigned which, unsigned first, unsigned count, uint8_t *const *blocks)
{
    judge_syndrome(raid.len, first, count, pxr_read_only(blocks),
                   which & P ? raid.right[raid.n] : NULL,
                   which & Q ? raid.right[raid.n + 1] : NULL);
}

/* Block 0 is the old data and block 1 the new data.  `index` is the place of this data block in
   the stripe that P and Q are assumed to belong to. */
static void update(unsigned index)
{
    for (unsigned which = P; which <= (P | Q); which++)
        for (unsigned has_old = 0; has_old < 2; has_old++) {
            check_at("index=%ld len=%ld parities=%ld old=%ld", index, (long)raid.len, which,
                     has_old);
            expect(which, index, 1, data() + 1);
            if (has_old)
                expect(which, index, 1, data());
            CHECK_INT(pxr_raid_update(index, raid.len, has_old ? raid.block[0] : NULL,
                                      raid.block[1], which & P ? p() : NULL,
                                      which & Q ? q() : NULL),
                      PXR_OK);
            raid_check();
        }
}

static void test_update(void)
{
    struct check_spot spot = {0};
    if (!check_case("update"))
        return;
    while (check_next_spot(&spot)) {
        raid_fill_at(2, &spot);
        update((unsigned)check_below(check_below(8) ? 8 : RAID_MOST_DATA));
    }
    for (unsigned index = 0; index < RAID_MOST_DATA; index++) {
        raid_fill(2, index % 13, CHECK_ANYWHERE);
        update(index);
    }
    for (unsigned round = 0; round < check_effort(8); round++) {
        raid_fill(2, raid_any_length(), CHECK_AT_END);
        update((unsigned)check_below(RAID_MOST_DATA));
    }
}

/* A block that is written through update must give the same P and Q as computing them anew. */
static void test_update_is_generate(void)
{
    uint8_t old[300];
    if (!check_case("update gives what generate gives"))
        return;
    for (unsigned index = 0; index < 16; index++) {
        raid_fill(16, sizeof old, CHECK_ANYWHERE);
        memcpy(old, raid.block[index], sizeof old);
        check_fill(raid.block[index], sizeof old);
        memcpy(raid.right[index], raid.block[index], sizeof old);
        CHECK_INT(pxr_raid_update(index, sizeof old, old, raid.block[index], p(), q()), PXR_OK);
        memset(raid.right[16], 0, sizeof old);
        memset(raid.right[17], 0, sizeof old);
        expect(P | Q, 0, 16, data());
        raid_check();
    }
}

static void test_update_errors(void)
{
    if (!check_case("update, errors"))
        return;
    raid_fill(2, 77, CHECK_AT_END);
    const uint8_t *const old = raid.block[0], *const new = raid.block[1];
    CHECK_INT(pxr_raid_update(255, raid.len, old, new, p(), q()), PXR_EINVAL);
    CHECK_INT(pxr_raid_update(~0u, raid.len, old, new, p(), q()), PXR_EINVAL);
    CHECK_INT(pxr_raid_update(1, raid.len, old, NULL, p(), q()), PXR_EINVAL);
    CHECK_INT(pxr_raid_update(1, raid.len, old, new, NULL, NULL), PXR_EINVAL);
    raid_check();
}

/* Adds the stripe's first `count` blocks to P and Q as the blocks from `first` on.  One in
   `every` of them is there, and the others are NULL.  With `every` = 1 all are there. */
static void syndrome(unsigned first, unsigned count, size_t every)
{
    for (unsigned which = P; which <= (P | Q); which++) {
        uint8_t *blocks[RAID_MOST_DATA];
        check_at("first=%ld count=%ld len=%ld parities=%ld", first, count, (long)raid.len,
                 which);
        for (unsigned i = 0; i < count; i++)
            blocks[i] = check_below(every) == 0 ? raid.block[i] : NULL;
        expect(which, first, count, blocks);
        CHECK_INT(pxr_raid_accumulate(first, count, raid.len, blocks, which & P ? p() : NULL,
                                      which & Q ? q() : NULL),
                  PXR_OK);
        raid_check();
    }
}

static void test_accumulate(void)
{
    struct check_spot spot = {0};
    if (!check_case("accumulate"))
        return;
    while (check_next_spot(&spot)) {
        const unsigned count = (unsigned)check_below(6);
        raid_fill_at(count, &spot);
        syndrome((unsigned)check_below(check_below(8) ? 8 : 240), count, 1 + check_below(3));
    }
    for (unsigned count = 0; count <= 16; count++)
        for (unsigned first = 0; first <= 8; first++) {
            raid_fill(count, raid_any_length(), first % CHECK_PLACEMENTS);
            syndrome(first, count, 1 + first % 3);
        }
    for (unsigned round = 0; round < check_effort(12); round++) {
        const unsigned count = (unsigned)check_below(256);
        raid_fill(count, check_below(300), CHECK_ANYWHERE);
        syndrome((unsigned)check_below(256 - count), count, 1 + check_below(9));
        raid_fill(count, check_below(300), CHECK_AT_END);
        syndrome(255 - count, count, 1);
    }
}

static void test_accumulate_errors(void)
{
    if (!check_case("accumulate, errors"))
        return;
    raid_fill(4, 77, CHECK_AT_END);
    static const unsigned wrong[][2] = {{0, 256}, {1, 255}, {252, 4},   {255, 1},
                                        {~0u, 1}, {0, ~0u}, {~0u, ~0u}, {256, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        check_at("first=%ld count=%ld", (long)wrong[i][0], (long)wrong[i][1], 0, 0);
        CHECK_INT(pxr_raid_accumulate(wrong[i][0], wrong[i][1], raid.len, data(), p(), q()),
                  PXR_EINVAL);
    }
    CHECK_INT(pxr_raid_accumulate(0, 4, raid.len, NULL, p(), q()), PXR_EINVAL);
    CHECK_INT(pxr_raid_accumulate(0, 4, raid.len, data(), NULL, NULL), PXR_EINVAL);
    raid_check();
}

/* ------------------------------------------------------------------ plan -- */

/*
 * The least number of blocks to read so that all blocks in `needed` (a bit for each block) are
 * in memory.  It is found by trying every set of blocks that can be read.
 */
static unsigned fewest_reads(unsigned blocks, const uint8_t *state, unsigned needed)
{
    unsigned cached = 0, readable = 0, least = PXR_RAID_IMPOSSIBLE;
    for (unsigned i = 0; i < blocks; i++) {
        cached |= state[i] & PXR_RAID_CACHED ? 1u << i : 0;
        readable |= state[i] & PXR_RAID_FAILED ? 0 : 1u << i;
    }
    for (unsigned reads = 0; reads < 1u << blocks; reads++) {
        const unsigned count = (unsigned)__builtin_popcount(reads);
        if ((reads & ~readable) == 0 && (needed & ~(cached | reads)) == 0 && count < least)
            least = count;
    }
    return least;
}

/* Compares a plan with the blocks that each method needs.  A method needs none if nothing has
   to be written, because no block changes or no parity is left. */
static void plan(unsigned n, const uint8_t *state)
{
    unsigned modify = 0, reconstruct = 0;
    bool any_changed = false, any_parity = false;
    for (unsigned i = 0; i < n + 2; i++) {
        const bool is_parity = i >= n, failed = (state[i] & PXR_RAID_FAILED) != 0;
        const bool changed = (state[i] & PXR_RAID_CHANGED) != 0;
        any_changed |= !is_parity && changed;
        any_parity |= is_parity && !failed;
        if (is_parity ? !failed : changed)
            modify |= 1u << i;
        if (!is_parity && !changed)
            reconstruct |= 1u << i;
    }
    if (!any_changed || !any_parity)
        modify = reconstruct = 0;
    const unsigned by_modify = fewest_reads(n + 2, state, modify);
    const unsigned by_reconstruct = fewest_reads(n + 2, state, reconstruct);
    struct pxr_raid_plan got = {PXR_RAID_READ_MODIFY_WRITE, 77, 78};
    const int status = pxr_raid_write_plan(n, state, state[n], state[n + 1], &got, sizeof got);
    if (by_modify == PXR_RAID_IMPOSSIBLE && by_reconstruct == PXR_RAID_IMPOSSIBLE) {
        CHECK_INT(status, PXR_ETOOFEW);
        return;
    }
    CHECK_INT(status, PXR_OK);
    CHECK_INT(got.read_modify_write, by_modify);
    CHECK_INT(got.reconstruct_write, by_reconstruct);
    CHECK_INT(got.method, by_modify < by_reconstruct ? PXR_RAID_READ_MODIFY_WRITE
                                                     : PXR_RAID_RECONSTRUCT_WRITE);
}

/* All states of up to three data blocks, P and Q, and random states of four to eight data
   blocks. */
static void test_plan(void)
{
    uint8_t state[12];
    if (!check_case("write_plan"))
        return;
    for (unsigned n = 1; n <= 3; n++)
        for (unsigned code = 0; code < 1u << 3 * (n + 2); code++) {
            if (n == 3 && !check_sampled())
                continue;
            for (unsigned i = 0; i < n + 2; i++)
                state[i] = code >> 3 * i & 7;
            check_at("n=%ld states %lo", n, code, 0, 0);
            plan(n, state);
        }
    for (unsigned round = 0; round < check_effort(500); round++) {
        const unsigned n = 4 + (unsigned)check_below(5);
        for (unsigned i = 0; i < n + 2; i++) /* few failures, because with many no write is
                                                possible */
            state[i] = (uint8_t)check_below(check_below(4) ? 4 : 8);
        check_at("n=%ld round=%ld", n, round, 0, 0);
        plan(n, state);
    }
}

static void test_plan_borders(void)
{
    uint8_t state[RAID_MOST_BLOCKS] = {0};
    struct pxr_raid_plan got = {PXR_RAID_READ_MODIFY_WRITE, 77, 78};
    if (!check_case("write_plan, most blocks and errors"))
        return;
    CHECK_INT(pxr_raid_write_plan(0, state, 0, 0, &got, sizeof got), PXR_EINVAL);
    CHECK_INT(pxr_raid_write_plan(256, state, 0, 0, &got, sizeof got), PXR_EINVAL);
    CHECK_INT(pxr_raid_write_plan(255, NULL, 0, 0, &got, sizeof got), PXR_EINVAL);
    CHECK_INT(pxr_raid_write_plan(255, state, 0, 0, NULL, sizeof got), PXR_EINVAL);
    CHECK(got.read_modify_write == 77 && got.reconstruct_write == 78);
    for (unsigned changed = 0; changed <= 255; changed++) {
        check_at("changed=%ld", changed, 0, 0, 0);
        CHECK_INT(pxr_raid_write_plan(255, state, 0, 0, &got, sizeof got), PXR_OK);
        CHECK_INT(got.read_modify_write, changed == 0 ? 0 : changed + 2);
        CHECK_INT(got.reconstruct_write, changed == 0 ? 0 : 255 - changed);
        CHECK_INT(got.method, changed > 0 && changed + 2 < 255 - changed
                                  ? PXR_RAID_READ_MODIFY_WRITE
                                  : PXR_RAID_RECONSTRUCT_WRITE);
        state[changed] = PXR_RAID_CHANGED;
    }
}

int main(int argc, char **argv)
{
    check_start("test_raid", argc, argv);
    raid_start();
    check_forced_kernels();
    test_generate();
    test_known();
    test_generate_errors();
    test_update();
    test_update_is_generate();
    test_update_errors();
    test_accumulate();
    test_accumulate_errors();
    test_plan();
    test_plan_borders();
    return check_finish();
}
