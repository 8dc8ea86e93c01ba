/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * generate, recover and check of a stripe that does not fit the caches.  Then outputs are
 * written around the caches.  The stripes of the other tests are too short for this.
 */
#include "check.h"
#include "cpu.h"
#include "call.h"
#include "judge.h"
#include "permxor_raid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATA 5u
#define P DATA
#define Q (DATA + 1)
#define BLOCKS (DATA + 2)

/* The stripe, and in `right` the bytes that its blocks must hold. */
static struct {
    size_t len;
    uint8_t *block[BLOCKS], *right[BLOCKS];
    struct check_guard guard[BLOCKS];
} stripe;

static uint8_t *const *data(void)
{
    return stripe.block;
}

/* The stripe exceeds the threshold even with P alone, and its length is odd. */
static void make_stripe(void)
{
    stripe.len = CHECK_STREAM_BEYOND + 4096 + 77;
    for (unsigned i = 0; i < BLOCKS; i++) {
        stripe.guard[i] = check_guard_new(stripe.len + 64);
        stripe.right[i] = calloc(1, stripe.len);
        if (stripe.right[i] == NULL) {
            perror("stripe");
            exit(2);
        }
        if (i < DATA)
            check_fill(stripe.right[i], stripe.len);
    }
    judge_syndrome(stripe.len, 0, DATA, pxr_read_only(stripe.right), stripe.right[P],
                   stripe.right[Q]);
}

static void free_stripe(void)
{
    for (unsigned i = 0; i < BLOCKS; i++) {
        check_guard_free(&stripe.guard[i]);
        free(stripe.right[i]);
    }
}

/* Places all blocks at this offset, because outputs are written around the caches only if they
   have the same misalignment.  The blocks in `lost`, a bit for each block, hold other bytes. */
static void place(size_t offset, unsigned lost)
{
    for (unsigned i = 0; i < BLOCKS; i++) {
        stripe.block[i] = check_from_start(&stripe.guard[i], stripe.len, offset);
        if (lost >> i & 1)
            memset(stripe.block[i], 0x5A, stripe.len);
        else
            memcpy(stripe.block[i], stripe.right[i], stripe.len);
    }
}

static void check_stripe(void)
{
    for (unsigned i = 0; i < BLOCKS; i++) {
        CHECK_BYTES(stripe.block[i], stripe.right[i], stripe.len);
        CHECK_UNTOUCHED(&stripe.guard[i], stripe.block[i], stripe.len);
    }
}

/* At a boundary of vectors, and not at one. */
static const size_t offsets[] = {0, 13};

static void test_generate(void)
{
    if (!check_case("generate"))
        return;
    CHECK(pxr_way(PXR_WORK_P, pxr_place(stripe.len, DATA + 1, PXR_UNSEEN), DATA) & PXR_STREAM);
    CHECK(pxr_way(PXR_WORK_PQ, pxr_place(stripe.len, DATA + 2, PXR_UNSEEN), DATA) & PXR_STREAM);
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++)
        for (unsigned which = 1; which <= 3; which++) {
            check_at("offset=%ld parities=%ld", (long)offsets[i], which, 0, 0);
            place(offsets[i], which << P);
            CHECK_INT(pxr_raid_generate(DATA, stripe.len, data(),
                                        which & 1 ? stripe.block[P] : NULL,
                                        which & 2 ? stripe.block[Q] : NULL),
                      PXR_OK);
            check_stripe();
        }
}

static void test_recover(void)
{
    static const unsigned losses[][2] = {{0, 3}, {2, P}, {1, Q}, {P, Q}};
    if (!check_case("recover"))
        return;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        for (unsigned count = 1; count <= 2; count++) {
            const size_t offset = offsets[(i + count) % 2];
            check_at("lost %ld and %ld of count=%ld", losses[i][0], losses[i][1], count, 0);
            place(offset, 1u << losses[i][0] | (count > 1 ? 1u << losses[i][1] : 0));
            CHECK_INT(pxr_raid_recover(DATA, stripe.len, stripe.block, stripe.block[P],
                                       stripe.block[Q], count, losses[i]),
                      PXR_OK);
            check_stripe();
        }
}

/* Checks the report on the right stripe, or with one wrong byte of one block. */
static void check_report(unsigned block, size_t at)
{
    struct pxr_raid_report got;
    check_at("block=%ld at=%ld", block, (long)at, 0, 0);
    const bool wrong = at < stripe.len;
    if (wrong)
        stripe.block[block][at] ^= 0x40;
    CHECK_INT(pxr_raid_check(DATA, stripe.len, data(), stripe.block[P], stripe.block[Q], &got,
                             sizeof got),
              wrong ? PXR_EMISMATCH : PXR_OK);
    CHECK_INT((long long)got.first_p, (long long)(block == Q ? stripe.len : at));
    CHECK_INT((long long)got.first_q, (long long)(block == P ? stripe.len : at));
    CHECK_INT(got.suspect, wrong ? block : PXR_RAID_UNKNOWN);
    if (wrong)
        stripe.block[block][at] ^= 0x40;
}

static void test_check(void)
{
    if (!check_case("check"))
        return;
    place(offsets[1], 0);
    check_report(0, stripe.len);
    for (unsigned block = 0; block < BLOCKS; block += 2)
        check_report(block, check_below(stripe.len));
    check_report(P, stripe.len - 1);
    check_report(Q, stripe.len - 1);
    check_stripe();
}

int main(int argc, char **argv)
{
    check_start("test_raid_stream", argc, argv);
    judge_start();
    check_forced_kernels();
    check_stream_outputs();
    make_stripe();
    test_generate();
    test_recover();
    test_check();
    free_stripe();
    return check_finish();
}
