/* SPDX-License-Identifier: BSD-3-Clause */
/* The writing core: trims, and members that do not know of them. */
#include "array_rig.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 8192 };

static uint64_t stripe_size(void)
{
    return (uint64_t)rig_super(0).data * CHUNK;
}

/* What the array holds after a trim: rows that it covers as a whole are zeros. */
static void trim_model(uint64_t offset, uint64_t len)
{
    const uint64_t size = stripe_size();
    for (uint64_t at = 0; at < rig.capacity; at += CORE_BLOCK) {
        const uint64_t first = at / size * size + at % CHUNK, last = first + size - CHUNK;
        if (first >= offset && last + CORE_BLOCK <= offset + len)
            memset(rig.model + at, 0, CORE_BLOCK);
    }
}

static void trim(uint64_t offset, uint64_t len, bool fua)
{
    trim_model(offset, len);
    CHECK_INT(rig_run(CORE_TRIM, offset, len, NULL, fua), PXR_OK);
}

static void write_range(uint64_t offset, uint64_t len)
{
    check_fill(rig.model + offset, len);
    CHECK_INT(rig_run(CORE_WRITE, offset, len, rig.model + offset, true), PXR_OK);
}

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
    const uint64_t len = 8 * stripe_size(), all = len / k * (k + m);
    for (unsigned soon = 0; soon < 2; soon++) {
        write_range(0, len);
        assemble_again(0, k + m);
        take_written(&elsewhere);
        trim(0, len, true);
        settle();
        CHECK_INT(take_written(&elsewhere), 0);
        CHECK(elsewhere < all / 2);
        rig_check_all();
        if (soon == 0)
            assemble_again(0, k + m);
        take_written(&elsewhere);
        write_range(0, len);
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
        trim(offset, len, i % 3 == 0);
        if (i % 8 == 7)
            assemble_again(0, k + m);
    }
    trim(0, rig.capacity, false);
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
        write_range(0, 4 * stripe_size());
        trim(stripe_size(), 2 * stripe_size(), true);
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
    struct outcome back = {false, 0};
    rig_begin(k, m, CHUNK, false, NULL);
    write_range(0, 4 * stripe_size());
    CHECK_INT(core_fail(rig.core, 0), PXR_OK);
    trim(0, 2 * stripe_size(), true);
    rig_check_all();
    core_readd(rig.core, 0, rig.member[0], rig_job_done, &back);
    rig_drain();
    CHECK(back.ended && back.status == PXR_OK);
    rig_check_all();
    assemble_again(0, k);
    write_range(CORE_BLOCK, 100);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* -------------------------------------------------------------- stale pages -- */

/* A copy of a member's pages of checksums. */
static uint8_t *copy_sums(unsigned role, size_t *len)
{
    const struct disk_super super = rig_super(role);
    *len = (size_t)(super.layout.data_at - super.layout.sums_at);
    uint8_t *copy = malloc(*len);
    if (CHECK(copy != NULL))
        memcpy(copy, rig.store[role].bytes + super.layout.sums_at, *len);
    return copy;
}

/*
 * From here on `stale` members have lost all writes of their pages: they say of rows that were
 * trimmed that they have contents, or the reverse.
 */
struct stale {
    uint8_t *copy[PXA_MAX_MEMBERS];
    size_t len;
};

static struct stale remember(void)
{
    struct stale stale;
    CHECK_INT(rig_stop(), PXR_OK);
    for (unsigned role = 0; role < rig.width; role++)
        stale.copy[role] = copy_sums(role, &stale.len);
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
        memcpy(rig.store[role].bytes + rig_super(role).layout.sums_at, stale->copy[role],
               stale->len);
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
    write_range(CORE_BLOCK, 3000);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
}

static void check_stale_contents(unsigned k, unsigned m, unsigned first)
{
    rig_begin(k, m, CHUNK, false, NULL);
    write_range(0, 4 * stripe_size());
    const struct stale stale = remember();
    trim(0, 2 * stripe_size(), true);
    bring_back(&stale, first, m);
    check_healed(first, m);
    rig_end();
}

static void check_stale_trim(unsigned k, unsigned m, unsigned first)
{
    rig_begin(k, m, CHUNK, false, NULL);
    write_range(0, 4 * stripe_size());
    trim(0, 2 * stripe_size(), true);
    const struct stale stale = remember();
    write_range(0, 100);
    write_range(stripe_size(), stripe_size());
    bring_back(&stale, first, m);
    check_healed(first, m);
    rig_end();
}

/* The same of a member that was away while another region was written.  Its page is not read
   together with the others'. */
static void check_stale_back(void)
{
    struct outcome back = {false, 0};
    rig_begin(2, 1, CHUNK, false, NULL);
    const uint64_t region = rig_super(0).region * 2;
    write_range(0, 4 * stripe_size());
    write_range(region, 4 * stripe_size());
    struct stale stale = remember();
    trim(0, 2 * stripe_size(), true);
    assemble_again(0, 3);
    rig_check_all();
    CHECK_INT(core_fail(rig.core, 1), PXR_OK);
    write_range(region, 100);
    settle();
    memcpy(rig.store[1].bytes + rig_super(1).layout.sums_at, stale.copy[1], stale.len);
    for (unsigned role = 0; role < rig.width; role++)
        free(stale.copy[role]);
    core_readd(rig.core, 1, rig.member[1], rig_job_done, &back);
    rig_drain();
    CHECK(back.ended && back.status == PXR_OK);
    rig_check_all();
    CHECK_INT(rig_scrub(true).scrub_lost, 0);
    assemble_again(1, 2);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/*
 * A crash may leave a page whose sequence is two above that of the superblocks, if these were
 * under way when the page was written.  Gives the first member such a page.
 */
static void make_page_newer(void)
{
    const struct disk_super super = rig_super(0);
    uint8_t *slots = rig.store[0].bytes + super.layout.sums_at, *newest = NULL;
    struct disk_page page = {DISK_SUMS, 0, super.uuid, 0, 0};
    uint64_t sequence = 0;
    for (unsigned slot = 0; slot < 2; slot++)
        if (disk_page_get(slots + slot * CORE_BLOCK, &page) == PXR_OK &&
            page.sequence > sequence) {
            sequence = page.sequence;
            newest = slots + slot * CORE_BLOCK;
        }
    page.sequence = super.sequence + 2;
    if (CHECK(newest != NULL && sequence < page.sequence))
        disk_page_put(newest, &page);
}

/* The checkpoint after a crash tells of a trim, and the member with such a page loses that. */
static void check_stale_after_crash(unsigned k, unsigned m)
{
    size_t len;
    rig_begin(k, m, CHUNK, false, NULL);
    write_range(0, 4 * stripe_size());
    assemble_again(0, k + m);
    trim(0, 2 * stripe_size(), true);
    core_free(rig.core);
    make_page_newer();
    uint8_t *stale = copy_sums(0, &len);
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, k + m), PXR_OK);
    CHECK_INT(rig_stop(), PXR_OK);
    memcpy(rig.store[0].bytes + rig_super(0).layout.sums_at, stale, len);
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
    struct outcome back = {false, 0};
    const unsigned last = k + m - 1;
    rig_begin(k, m, CHUNK, false, NULL);
    const uint64_t region = rig_super(0).region * k;
    write_range(0, stripe_size());
    write_range(region, stripe_size());
    if (knows_trim)
        trim(region, stripe_size(), true);
    const struct stale stale = remember();
    if (knows_trim)
        write_range(region, stripe_size());
    else
        trim(region, stripe_size(), true);
    bring_back(&stale, last, 1);
    CHECK_INT(core_fail(rig.core, last), PXR_OK);
    write_range(0, 100);
    CHECK_INT(rig_stop(), PXR_OK);
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, last), PXR_OK);
    core_readd(rig.core, last, rig.member[last], rig_job_done, &back);
    rig_drain();
    CHECK(back.ended && back.status == PXR_OK);
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
