/* SPDX-License-Identifier: BSD-3-Clause */
/* The writing core: trims, and members that do not know of them. */
#include "array_rig.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 8192 };

/* Everything in place, and the tail behind it. */
static void assemble_again(unsigned first, unsigned count)
{
    rig_reassemble(NULL, first, count);
}

/* Bytes that are written to the places of data, and elsewhere, since the last call. */
static uint64_t take_written(uint64_t *elsewhere)
{
    const struct disk_super super = rig_super(0);
    uint64_t placed = 0;
    *elsewhere = 0;
    for (unsigned i = 0; i < rig.width; i++) {
        placed += rig.store[i].placed;
        *elsewhere += rig.store[i].elsewhere;
        rig.store[i].placed = rig.store[i].elsewhere = 0;
        rig.store[i].data_at = super.layout.data_at;
        rig.store[i].data_end = super.layout.data_at + super.layout.stripes * super.chunk;
    }
    return placed;
}

static void settle(void)
{
    core_commit(rig.core);
    rig_drain();
}

/* ------------------------------------------------------------------- trims -- */

/* A trim writes no block of data.  What is written next is written once, when the log has
   nothing of the row any more, and before that twice. */
static void check_written_once(unsigned k, unsigned m)
{
    uint64_t elsewhere;
    rig_begin(k, m, CHUNK, false, NULL);
    const uint64_t len = 8 * rig_stripe_size(), all = len / k * (k + m);
    for (unsigned soon = 0; soon < 2; soon++) {
        rig_write(0, len);
        assemble_again(0, k + m);
        take_written(&elsewhere);
        rig_trim(0, len, true);
        settle();
        CHECK_INT(take_written(&elsewhere), 0);
        CHECK(elsewhere < all / 2);
        rig_check_all();
        if (soon == 0)
            assemble_again(0, k + m);
        take_written(&elsewhere);
        rig_write(0, len);
        settle();
        CHECK_INT(take_written(&elsewhere), all);
        CHECK(soon == 0 ? elsewhere < all / 2 : elsewhere >= all);
        rig_check_all();
    }
    assemble_again(m, k);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* Trims of any bytes, between other operations.  At last only k members are left. */
static void check_any_range(unsigned k, unsigned m)
{
    rig_begin(k, m, CHUNK, false, NULL);
    for (unsigned i = 0; i < 40; i++) {
        rig_random_ops(4);
        const uint64_t offset = rig_below(rig.capacity);
        uint64_t len = rig_below(i % 2 == 0 ? 30000 : 400000);
        if (len > rig.capacity - offset)
            len = rig.capacity - offset;
        rig_trim(offset, len, i % 3 == 0);
        if (i % 8 == 7)
            assemble_again(0, k + m);
    }
    rig_trim(0, rig.capacity, false);
    rig_check_all();
    rig_random_ops(10);
    assemble_again(m, k);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* A trim with FUA survives a crash, whatever members are lost. */
static void check_crash(unsigned k, unsigned m)
{
    for (unsigned first = 0; first <= m; first++) {
        rig_begin(k, m, CHUNK, false, NULL);
        rig_write(0, 4 * rig_stripe_size());
        rig_trim(rig_stripe_size(), 2 * rig_stripe_size(), true);
        core_free(rig.core);
        CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
        CHECK_INT(rig_assemble(first, k), PXR_OK);
        rig_check_all();
        CHECK_INT(rig_stop(), PXR_OK);
        rig_end();
    }
}

/* A member that was away is told of the trims, and then others may go. */
static void check_away(unsigned k, unsigned m)
{
    rig_begin(k, m, CHUNK, false, NULL);
    rig_write(0, 4 * rig_stripe_size());
    CHECK_INT(core_fail(rig.core, 0), PXR_OK);
    rig_trim(0, 2 * rig_stripe_size(), true);
    rig_check_all();
    rig_readd(0);
    rig_check_all();
    assemble_again(0, k);
    rig_write(CORE_BLOCK, 100);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* -------------------------------------------------------------- stale pages -- */

/*
 * From here on `stale` members have lost all writes of their pages: they say of rows that were
 * trimmed that they have contents, or the reverse.
 */
struct stale {
    uint8_t *copy[PXA_MAX_MEMBERS];
};

static struct stale remember(void)
{
    struct stale stale;
    CHECK_INT(rig_stop(), PXR_OK);
    for (unsigned role = 0; role < rig.width; role++)
        stale.copy[role] = rig_copy_sums(role);
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, rig.width), PXR_OK);
    return stale;
}

/* Stops, gives `count` members from `first` on what they had, and assembles. */
static void bring_back(const struct stale *stale, unsigned first, unsigned count)
{
    CHECK_INT(rig_stop(), PXR_OK);
    for (unsigned i = 0; i < count; i++) {
        const unsigned role = (first + i) % rig.width;
        rig_bring_back_sums(role, stale->copy[role]);
    }
    for (unsigned role = 0; role < rig.width; role++)
        free(stale->copy[role]);
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, rig.width), PXR_OK);
}

/* A scrub heals what they say, so that then others may go. */
static void check_healed(unsigned first, unsigned m)
{
    rig_check_all();
    CHECK_INT(rig_scrub(true).scrub_lost, 0);
    rig_check_all();
    assemble_again(0, rig.width);
    const unsigned k = rig.width - m;
    if (first + k <= rig.width)
        assemble_again(first, k);
    rig_write(CORE_BLOCK, 3000);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
}

static void check_stale_contents(unsigned k, unsigned m, unsigned first)
{
    rig_begin(k, m, CHUNK, false, NULL);
    rig_write(0, 4 * rig_stripe_size());
    const struct stale stale = remember();
    rig_trim(0, 2 * rig_stripe_size(), true);
    bring_back(&stale, first, m);
    check_healed(first, m);
    rig_end();
}

static void check_stale_trim(unsigned k, unsigned m, unsigned first)
{
    rig_begin(k, m, CHUNK, false, NULL);
    rig_write(0, 4 * rig_stripe_size());
    rig_trim(0, 2 * rig_stripe_size(), true);
    const struct stale stale = remember();
    rig_write(0, 100);
    rig_write(rig_stripe_size(), rig_stripe_size());
    bring_back(&stale, first, m);
    check_healed(first, m);
    rig_end();
}

/* The same of a member that was away while another region was written.  Its page is not read
   together with the others'. */
static void check_stale_back(void)
{
    rig_begin(2, 1, CHUNK, false, NULL);
    const uint64_t region = rig_super(0).region * 2;
    rig_write(0, 4 * rig_stripe_size());
    rig_write(region, 4 * rig_stripe_size());
    struct stale stale = remember();
    rig_trim(0, 2 * rig_stripe_size(), true);
    assemble_again(0, 3);
    rig_check_all();
    CHECK_INT(core_fail(rig.core, 1), PXR_OK);
    rig_write(region, 100);
    settle();
    rig_bring_back_sums(1, stale.copy[1]);
    for (unsigned role = 0; role < rig.width; role++)
        free(stale.copy[role]);
    rig_readd(1);
    rig_check_all();
    CHECK_INT(rig_scrub(true).scrub_lost, 0);
    assemble_again(1, 2);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* The checkpoint after a crash tells of a trim, and the member with such a page loses that. */
static void check_stale_after_crash(unsigned k, unsigned m)
{
    rig_begin(k, m, CHUNK, false, NULL);
    rig_write(0, 4 * rig_stripe_size());
    assemble_again(0, k + m);
    rig_trim(0, 2 * rig_stripe_size(), true);
    core_free(rig.core);
    CHECK(rig_make_page_newer(0));
    uint8_t *stale = rig_copy_sums(0);
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, k + m), PXR_OK);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_bring_back_sums(0, stale);
    free(stale);
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, k + m), PXR_OK);
    check_healed(1, m);
    rig_end();
}

/*
 * The pages of the last member are first read when its rebuild has begun.  The rebuild passes
 * the region of the stale row, since nothing was written to it, and makes the page newer.
 */
static void check_stale_in_rebuild(unsigned k, unsigned m, bool knows_trim)
{
    const unsigned last = k + m - 1;
    rig_begin(k, m, CHUNK, false, NULL);
    const uint64_t region = rig_super(0).region * k;
    rig_write(0, rig_stripe_size());
    rig_write(region, rig_stripe_size());
    if (knows_trim)
        rig_trim(region, rig_stripe_size(), true);
    const struct stale stale = remember();
    if (knows_trim)
        rig_write(region, rig_stripe_size());
    else
        rig_trim(region, rig_stripe_size(), true);
    bring_back(&stale, last, 1);
    CHECK_INT(core_fail(rig.core, last), PXR_OK);
    rig_write(0, 100);
    CHECK_INT(rig_stop(), PXR_OK);
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, last), PXR_OK);
    rig_readd(last);
    assemble_again(0, k + m);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

int main(int argc, char **argv)
{
    static const unsigned codes[][2] = {{2, 1}, {4, 2}, {1, 2}, {2, 3}};
    check_start("test_array_trim", argc, argv);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        const unsigned k = codes[i][0], m = codes[i][1];
        if (check_case("rows are written once after a trim, %u+%u", k, m))
            check_written_once(k, m);
        if (check_case("trims of any bytes, %u+%u", k, m))
            check_any_range(k, m);
        if (check_case("a crash after a trim, %u+%u", k, m))
            check_crash(k, m);
        if (check_case("a member that is away during a trim, %u+%u", k, m))
            check_away(k, m);
        if (check_case("a page is newer than its superblocks, %u+%u", k, m))
            check_stale_after_crash(k, m);
        if (check_case("a page is read in a rebuild, and does not know of a trim, %u+%u", k, m))
            check_stale_in_rebuild(k, m, false);
        if (check_case("a page is read in a rebuild, and knows of a trim only, %u+%u", k, m))
            check_stale_in_rebuild(k, m, true);
        for (unsigned first = 0; first < k + m; first++) {
            if (check_case("members from %u on do not know of a trim, %u+%u", first, k, m))
                check_stale_contents(k, m, first);
            if (check_case("members from %u on know of a trim only, %u+%u", first, k, m))
                check_stale_trim(k, m, first);
        }
    }
    if (check_case("a member that comes back does not know of a trim"))
        check_stale_back();
    return check_finish();
}
