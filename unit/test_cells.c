/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of a stripe, as the command requests it.  A header may claim cells that do not fit
 * in the address space.  Then stripe_alloc() must return no stripe.
 */
#include "check.h"
#include "../tools/stripe.h"

static void refused(unsigned shards, size_t cell)
{
    struct stripe stripe;
    check_at("shards=%ld cell=%ld", (long)shards, (long)cell, 0, 0);
    CHECK(!stripe_alloc(&stripe, shards, cell));
    stripe_free(&stripe);
}

static void test_too_large(void)
{
    const size_t all = SIZE_MAX;
    if (!check_case("sizes beyond the address space are refused"))
        return;
    /* Without checks for overflow, these stripes would get at most 16 KiB of memory.  The
       exception is a cell of all - 127 bytes, which exceeds only the limit of a ptrdiff_t. */
    refused(64, (all >> 6) + 1 - 64);
    refused(64, (all >> 6) + 1);
    refused(128, (all >> 7) + 1 - 64);
    refused(1, all);
    refused(1, all - 63);
    refused(1, all - 127);
    refused(2, all / 2);
    refused(PXR_MAX_SHARDS, all / PXR_MAX_SHARDS);
}

static void test_room(void)
{
    struct stripe stripe;
    if (!check_case("cells lie apart, aligned, with room for a checksum"))
        return;
    CHECK(stripe_alloc(&stripe, 3, 100));
    for (unsigned i = 0; i < 3; i++) {
        check_at("cell %ld", i, 0, 0, 0);
        CHECK((uintptr_t)stripe.cell[i] % 64 == 0);
        CHECK(stripe.cell[i] >= stripe.memory + SHARD_CHECK_SIZE);
        CHECK(stripe.cell[i] + 100 <= stripe.memory + 3 * stripe.pitch);
        CHECK(i == 0 || stripe.cell[i] - stripe.cell[i - 1] >= 100 + SHARD_CHECK_SIZE);
    }
    stripe_free(&stripe);
}

int main(int argc, char **argv)
{
    check_start("test_cells", argc, argv);
    test_too_large();
    test_room();
    return check_finish();
}
