/* SPDX-License-Identifier: BSD-3-Clause */
/* The writing core: rows that are written once, and scrubs. */
#include "array_rig.h"
#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t some_uuid[16] = "0123456789abcde";

/* --------------------------------------------------------------- whole rows -- */

static void watch_data(void)
{
    const struct disk_super super = rig_super(0);
    for (unsigned i = 0; i < rig.width; i++) {
        rig.store[i].data_at = super.layout.data_at;
        rig.store[i].data_end = super.layout.data_at + super.layout.stripes * super.chunk;
    }
}

/* What is written to the members: in their data, and elsewhere. */
static void count_written(uint64_t *placed, uint64_t *elsewhere)
{
    *placed = *elsewhere = 0;
    for (unsigned i = 0; i < rig.width; i++) {
        *placed += rig.store[i].placed;
        *elsewhere += rig.store[i].elsewhere;
        rig.store[i].placed = rig.store[i].elsewhere = 0;
    }
}

static void write_all(uint64_t *placed, uint64_t *elsewhere)
{
    check_fill(rig.model, rig.capacity);
    count_written(placed, elsewhere);
    CHECK_INT(rig_run(CORE_WRITE, 0, rig.capacity, rig.model, true), PXR_OK);
    core_commit(rig.core);
    rig_drain();
    count_written(placed, elsewhere);
}

/* Rows are written once while nothing is there and all members are; later they are logged. */
static void check_written_once(unsigned k, unsigned m)
{
    uint64_t placed, elsewhere;
    rig_begin(k, m, 16384, false, NULL);
    const uint64_t all = rig.capacity / k * (k + m);
    watch_data();
    write_all(&placed, &elsewhere);
    CHECK_INT(placed, all);
    CHECK(elsewhere < all / 4); /* headers of a ring that is small, and checkpoints */
    rig_check_all();
    write_all(&placed, &elsewhere);
    CHECK_INT(placed, all);
    CHECK(elsewhere > all);
    rig_reassemble(NULL, 0, k);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* With a member missing, rows are logged; the one that comes is given all of them. */
static void check_logged_without(unsigned k, unsigned m)
{
    struct outcome replaced = {false, 0};
    uint64_t placed, elsewhere;
    rig_begin(k, m, 4096, false, NULL);
    watch_data();
    CHECK_INT(core_fail(rig.core, 1), PXR_OK);
    write_all(&placed, &elsewhere);
    CHECK_INT(placed, rig.capacity / k * (k + m - 1));
    CHECK(elsewhere > placed);
    core_replace(rig.core, 1, rig.member[1], some_uuid, rig_job_done, &replaced);
    rig_drain();
    CHECK(replaced.ended && replaced.status == PXR_OK);
    rig_reassemble(NULL, 1, k);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* Nobody has written a row, so it is zeros whatever lies there; the first write clears it. */
static void check_blank_rows(void)
{
    rig_begin(2, 1, 8192, false, NULL);
    check_fill(rig.model, CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, 0, CORE_BLOCK, rig.model, true), PXR_OK);
    rig_reassemble(NULL, 0, 3);
    for (unsigned i = 0; i < 3; i++) /* row 1 of the first stripe */
        memset(rig.store[i].bytes + rig_super(0).layout.data_at + CORE_BLOCK, 0x77, CORE_BLOCK);
    rig_check_all();
    check_fill(rig.model + CORE_BLOCK, CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, CORE_BLOCK, CORE_BLOCK, rig.model + CORE_BLOCK, true),
              PXR_OK);
    rig_check_all();
    for (unsigned lost = 0; lost < 3; lost++) {
        const struct core_member member = rig.member[lost];
        CHECK_INT(rig_stop(), PXR_OK);
        rig.member[lost] = (struct core_member){NULL, NULL};
        CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
        CHECK_INT(rig_assemble(0, 3), PXR_OK);
        rig_check_all();
        rig.member[lost] = member;
        struct outcome replaced = {false, 0};
        core_replace(rig.core, lost, member, rig_super(lost).member_uuid, rig_job_done,
                     &replaced);
        rig_drain();
        CHECK(replaced.ended && replaced.status == PXR_OK);
    }
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* A member leaves while the places of blank rows are looked at.  What was read of it does not
   count, although it shares its failure with others and is not asked again. */
static void check_blank_leaving(void)
{
    rig_begin(2, 1, 8192, false, NULL);
    check_fill(rig.model + 4 * 8192, CORE_BLOCK); /* so that the region is written */
    CHECK_INT(rig_run(CORE_WRITE, 4 * 8192, CORE_BLOCK, rig.model + 4 * 8192, true), PXR_OK);
    rig_reassemble(NULL, 0, 3);
    struct pxa_row where;
    const struct disk_super super = rig_super(0);
    pxa_row(&(struct pxa_geometry){2, 1, PXA_LEFT_SYMMETRIC, 8192,
                                   super.layout.stripes * super.chunk},
            0, &where);
    const unsigned role = where.member[1];
    memset(rig.store[role].bytes + super.layout.data_at, 0x77, 8192);
    check_fill(rig.model, 8192);
    rig.store[role].hold_read = true;
    struct outcome outcome = {false, 0};
    struct core_op op = {.kind = CORE_WRITE,
                         .fua = true,
                         .len = 8192,
                         .buffer = rig.model,
                         .done = rig_op_done,
                         .user = &outcome};
    core_submit(rig.core, &op);
    rig_drain();
    CHECK(!outcome.ended);
    CHECK_INT(core_fail(rig.core, role), PXR_OK);
    rig_release(&rig.store[role], EIO);
    rig_drain();
    CHECK(outcome.ended && outcome.status == PXR_OK);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* ------------------------------------------------------------------- scrub -- */

/* Flips a bit in each row of `count` members, in all data of a member, from `first` on. */
static void rot_members(unsigned first, unsigned count)
{
    const struct disk_super super = rig_super(0);
    const uint64_t end = super.layout.data_at + super.layout.stripes * super.chunk;
    for (unsigned i = 0; i < count; i++)
        for (uint64_t at = super.layout.data_at; at < end; at += CORE_BLOCK)
            rig.store[first + i].bytes[at + rig_below(CORE_BLOCK)] ^= 4;
}

/* A check counts what rot has hit, a repair heals it, and then other members may go. */
static void check_scrub(unsigned k, unsigned m, bool later, const struct core_options *options)
{
    rig_begin(k, m, 8192, later, options);
    check_fill(rig.model, rig.capacity);
    CHECK_INT(rig_run(CORE_WRITE, 0, rig.capacity, rig.model, false), PXR_OK);
    rig_random_ops(20);
    core_commit(rig.core);
    rig_drain();
    struct core_status before = rig_scrub(false), after;
    CHECK_INT(before.scrub_rows, rig.capacity / k / CORE_BLOCK);
    CHECK_INT(before.scrub_bad, 0);
    const uint64_t rows = before.scrub_rows;
    rot_members(1, m);
    after = rig_scrub(false);
    CHECK_INT(after.scrub_rows, 2 * rows);
    CHECK_INT(after.scrub_bad, m * rows);
    CHECK_INT(after.scrub_repaired, 0);
    before = rig_scrub(true);
    CHECK_INT(before.scrub_bad, 2 * m * rows);
    CHECK_INT(before.scrub_repaired, m * rows);
    after = rig_scrub(true);
    CHECK_INT(after.scrub_bad, before.scrub_bad);
    CHECK_INT(after.scrub_repaired, before.scrub_repaired);
    CHECK_INT(after.scrub_lost + after.scrub_parity, 0);
    rig_check_all();
    rig_reassemble(options, m > 1 ? 1 : 0, k); /* without members that were sound */
    rot_members(m > 1 ? 1 : 0, 1);
    CHECK_INT(rig_scrub(true).scrub_lost, rows);
    core_free(rig.core);
    rig_end();
}

/* Both copies of a member's first page of checksums rot. */
static void rot_sums(unsigned role)
{
    const struct disk_super super = rig_super(role);
    uint8_t *slot = rig.store[role].bytes + super.layout.sums_at;
    struct disk_page page = {DISK_SUMS, role, super.uuid, 0, 0};
    if (disk_page_get(slot, &page, super.sequence) == PXR_OK)
        memcpy(slot + CORE_BLOCK, slot, CORE_BLOCK);
    else
        memcpy(slot, slot + CORE_BLOCK, CORE_BLOCK);
    slot[DISK_PAGE_HEADER + 5] ^= 1;
    slot[CORE_BLOCK + DISK_PAGE_HEADER + 5] ^= 1;
}

static void assemble_with_rot(unsigned role)
{
    CHECK_INT(rig_stop(), PXR_OK);
    rot_sums(role);
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, 3), PXR_OK);
    rig_check_all();
    core_commit(rig.core);
    rig_drain();
}

/* Lost checksums of blank rows are set by a repair, and by the first write. */
static void check_blank_sums(void)
{
    struct core_status status;
    rig_begin(2, 1, 8192, false, NULL);
    const uint64_t region = rig_super(0).region * 2;
    check_fill(rig.model, CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, 0, CORE_BLOCK, rig.model, true), PXR_OK);
    assemble_with_rot(0);
    rig_scrub(true);
    assemble_with_rot(1); /* so member 0 has to know that rows are blank */
    for (uint64_t at = CORE_BLOCK; at < region; at += 16384) { /* row 1, the first block */
        check_fill(rig.model + at, CORE_BLOCK);
        CHECK_INT(rig_run(CORE_WRITE, at, CORE_BLOCK, rig.model + at, true), PXR_OK);
    }
    rig_reassemble(NULL, 0, 3);
    core_status(rig.core, &status);
    for (unsigned role = 0; role < 3; role++)
        CHECK_INT(status.bad_sums[role], 0);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* Only regions that were written are looked at, and they are found wherever they are. */
static void check_scrub_skips(void)
{
    struct core_status before, after;
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    const uint64_t region = rig_super(0).region * 2;
    core_status(rig.core, &before);
    after = rig_scrub(true);
    CHECK_INT(after.claims - before.claims, 0);
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t at = i == 0 ? 3 * region : rig.capacity - CORE_BLOCK;
        check_fill(rig.model + at, CORE_BLOCK);
        CHECK_INT(rig_run(CORE_WRITE, at, CORE_BLOCK, rig.model + at, true), PXR_OK);
    }
    core_status(rig.core, &before);
    after = rig_scrub(true);
    const uint64_t stripes = after.stripes, in_region = region / 2 / CORE_BLOCK;
    CHECK_INT(after.claims - before.claims, in_region + ((stripes - 1) % in_region + 1));
    CHECK_INT(after.scrub_rows, 2);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* Scrubs that may not begin, and one in whose midst the array is stopped. */
static void check_scrub_refusals(void)
{
    struct outcome first = {false, 0}, second = {false, 0}, stopped = {false, 0};
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    core_scrub(rig.core, true, rig_job_done, &first);
    core_turn(rig.core);
    CHECK(first.ended && first.status == PXR_EINVAL);
    core_free(rig.core);
    const struct core_options narrow = {.sync_window = 1};
    rig_begin(2, 1, CORE_BLOCK, true, &narrow);
    check_fill(rig.model, rig.capacity);
    CHECK_INT(rig_run(CORE_WRITE, 0, rig.capacity, rig.model, false), PXR_OK);
    first.ended = false;
    core_scrub(rig.core, false, rig_job_done, &first);
    core_scrub(rig.core, false, rig_job_done, &second);
    core_turn(rig.core);
    CHECK(second.ended != first.ended);
    core_stop(rig.core, rig_job_done, &stopped);
    rig_drain();
    CHECK(first.ended && second.ended && stopped.ended);
    CHECK_INT(first.status, PXR_EINVAL);
    CHECK_INT(second.status, PXR_EINVAL);
    CHECK_INT(stopped.status, PXR_OK);
    core_free(rig.core);
    rig_end();
}

/* A scrub that begins when the one before has ended, and has not said so yet. */
static void check_scrub_after_scrub(void)
{
    struct outcome first = {false, 0}, second = {false, 0};
    unsigned role[2] = {0, 0};
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    check_fill(rig.model, 2 * CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, 0, 2 * CORE_BLOCK, rig.model, true), PXR_OK);
    rig_reassemble(NULL, 0, 3);
    rig_find_readers(role);
    rig.store[role[0]].hold_read = true;
    core_scrub(rig.core, false, rig_job_done, &first);
    rig_drain();
    CHECK(!first.ended);
    rig_release(&rig.store[role[0]], 0);
    core_scrub(rig.core, false, rig_job_done, &second);
    rig_drain();
    CHECK(first.ended && second.ended);
    CHECK_INT(first.status, PXR_OK);
    CHECK_INT(second.status, PXR_OK);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* A block goes bad when it is in place, and the core does not know yet that it is there, since
   the block of another member is not.  A scrub that begins then finds it. */
static void check_scrub_while_placing(void)
{
    struct outcome scrubbed = {false, 0};
    struct core_status status;
    struct pxa_row where;
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    rig_write(0, 2 * CORE_BLOCK);
    rig_reassemble(NULL, 0, 3);
    const struct disk_super super = rig_super(0);
    pxa_row(&(struct pxa_geometry){2, 1, PXA_LEFT_SYMMETRIC, CORE_BLOCK,
                                   super.layout.stripes * super.chunk},
            0, &where);
    struct store *const parity = &rig.store[where.member[2]];
    parity->watch_at = super.layout.data_at;
    parity->hold_write = true;
    rig_write(0, CORE_BLOCK);
    CHECK(parity->held.done != NULL);
    rig.store[where.member[0]].bytes[super.layout.data_at] ^= 1;
    core_scrub(rig.core, true, rig_job_done, &scrubbed);
    rig_drain();
    CHECK(!scrubbed.ended);
    parity->watch_at = 0;
    rig_release(parity, 0);
    rig_drain();
    CHECK(scrubbed.ended && scrubbed.status == PXR_OK);
    core_status(rig.core, &status);
    CHECK_INT(status.scrub_bad, 1);
    CHECK_INT(status.scrub_repaired, 1);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

int main(int argc, char **argv)
{
    check_start("test_array_care", argc, argv);
    if (check_case("whole rows are written once"))
        check_written_once(4, 2);
    if (check_case("whole rows without a member"))
        check_logged_without(2, 1);
    if (check_case("places of blank rows"))
        check_blank_rows();
    if (check_case("a member leaves while the places of blank rows are looked at"))
        check_blank_leaving();
    for (unsigned later = 0; later < 2; later++) {
        const struct core_options least = {.pages = core_least_pages(4, 2), .sync_window = 2};
        if (check_case("scrub, %s", later ? "least pool" : "default pool"))
            check_scrub(4, 2, later != 0, later ? &least : NULL);
    }
    if (check_case("scrub, one parity"))
        check_scrub(3, 1, false, NULL);
    if (check_case("lost checksums of blank rows"))
        check_blank_sums();
    if (check_case("a scrub passes what nobody has written"))
        check_scrub_skips();
    if (check_case("scrubs that may not be"))
        check_scrub_refusals();
    if (check_case("a scrub right behind another"))
        check_scrub_after_scrub();
    if (check_case("a scrub while blocks are written into place"))
        check_scrub_while_placing();
    return check_finish();
}
