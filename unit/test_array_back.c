/* SPDX-License-Identifier: BSD-3-Clause */
/* The writing core: members that come back with what they had. */
#include "array_rig.h"
#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int readd(unsigned role)
{
    struct outcome outcome = {false, 0};
    core_readd(rig.core, role, rig.member[role], rig_job_done, &outcome);
    rig_drain();
    CHECK(outcome.ended);
    return outcome.status;
}

/* Only the regions that were written while a member was away are rebuilt. */
static void check_back(unsigned k, unsigned m, bool later)
{
    struct core_status before, after;
    rig_begin(k, m, CORE_BLOCK, later, NULL);
    const uint64_t region = rig_super(0).region * k;
    check_fill(rig.model, rig.capacity);
    CHECK_INT(rig_run(CORE_WRITE, 0, rig.capacity, rig.model, false), PXR_OK);
    rig_reassemble(NULL, 1, k + m - 1); /* member 0 is away */
    check_fill(rig.model + 2 * region, CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, 2 * region, CORE_BLOCK, rig.model + 2 * region, true),
              PXR_OK);
    check_fill(rig.model + 5 * region, CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, 5 * region, CORE_BLOCK, rig.model + 5 * region, true),
              PXR_OK);
    rig_reassemble(NULL, 1, k + m - 1);
    core_status(rig.core, &before);
    CHECK_INT(readd(0), PXR_OK);
    core_status(rig.core, &after);
    CHECK_INT(after.state[0], CORE_IN_SYNC);
    CHECK_INT(after.claims - before.claims, 2 * region / k / CORE_BLOCK);
    CHECK_INT(rig_scrub(false).scrub_bad, 0);
    CHECK_INT(rig_scrub(false).scrub_parity, 0);
    for (unsigned i = 1; i <= m; i++)
        CHECK_INT(core_fail(rig.core, i), PXR_OK);
    rig_check_all();
    rig_reassemble(NULL, 0, k + m);
    core_status(rig.core, &after);
    CHECK_INT(after.bad_sums[0], 0);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* Member role[0] comes back before a write goes on, which waits for role[1].  Then all blocks
   must be there without role[1]. */
static void come_back_before(const struct outcome *write, const unsigned role[2])
{
    struct outcome back = {false, 0};
    core_readd(rig.core, role[0], rig.member[role[0]], rig_job_done, &back);
    rig_drain();
    CHECK(!write->ended && back.ended && back.status == PXR_OK);
    rig_release(&rig.store[role[1]], 0);
    rig_drain();
    CHECK(write->ended && write->status == PXR_OK);
    core_commit(rig.core);
    rig_drain();
    CHECK_INT(core_fail(rig.core, role[1]), PXR_OK);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* A write that does without the member is under way to a region while the rebuild comes by. */
static void check_back_while_writing(void)
{
    struct outcome write = {false, 0};
    struct core_op op = {
        .kind = CORE_WRITE, .len = CORE_BLOCK, .done = rig_op_done, .user = &write};
    unsigned role[2] = {0, 0};
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    check_fill(rig.model, rig.capacity);
    CHECK_INT(rig_run(CORE_WRITE, 0, rig.capacity, rig.model, false), PXR_OK);
    rig_reassemble(NULL, 0, 3);
    rig_find_readers(role);
    CHECK_INT(core_fail(rig.core, role[0]), PXR_OK);
    rig_drain();
    check_fill(rig.model, CORE_BLOCK);
    op.buffer = rig.model;
    rig.store[role[1]].hold_read = true;
    core_submit(rig.core, &op);
    rig_drain();
    come_back_before(&write, role);
}

/* A member leaves in the midst of a write, and comes back before that has its other blocks. */
static void check_back_midway(void)
{
    struct outcome write = {false, 0};
    struct core_op op = {
        .kind = CORE_WRITE, .len = CORE_BLOCK, .done = rig_op_done, .user = &write};
    unsigned role[2] = {0, 0};
    rig_begin(4, 1, CORE_BLOCK, false, NULL);
    check_fill(rig.model, rig.capacity);
    CHECK_INT(rig_run(CORE_WRITE, 0, rig.capacity, rig.model, false), PXR_OK);
    rig_reassemble(NULL, 0, 5);
    rig_find_readers(role);
    check_fill(rig.model, CORE_BLOCK);
    op.buffer = rig.model;
    rig.store[role[0]].hold_read = true;
    core_submit(rig.core, &op);
    rig_drain();
    CHECK_INT(core_fail(rig.core, role[0]), PXR_OK);
    rig_drain();
    rig.store[role[1]].hold_read = true;
    rig_release(&rig.store[role[0]], EIO);
    rig_drain();
    come_back_before(&write, role);
}

/* Answers one request of a member that answers later. */
static void answer_one(struct store *store)
{
    if (store->waits == 0)
        return;
    const unsigned last = --store->waits;
    store->waiting[last].done(store->waiting[last].token, 0);
}

/*
 * Users read here and there while a member comes back, so memory drops pages of checksums and
 * loads others between any two of its answers.  It is back after so many answers nevertheless.
 */
static void check_back_under_load(void)
{
    enum { READS = 200, PAGES = 4 };
    const struct core_options options = {.sum_pages = 1};
    struct outcome back = {false, 0}, read[READS];
    struct core_op op[READS];
    const uint64_t page = (uint64_t)DISK_SUMS_ENTRIES * 2 * CORE_BLOCK;
    rig.size = LARGE_MEMBER;
    rig_begin(2, 1, CORE_BLOCK, false, &options);
    CHECK(rig.capacity > 3 * page);
    for (unsigned i = 0; i < PAGES; i++) {
        check_fill(rig.model + i * page, CORE_BLOCK);
        CHECK_INT(rig_run(CORE_WRITE, i * page, CORE_BLOCK, rig.model + i * page, true),
                  PXR_OK);
    }
    rig_reassemble(&options, 1, 2);
    rig.store[0].later = true;
    core_readd(rig.core, 0, rig.member[0], rig_job_done, &back);
    unsigned reads = 0;
    for (; reads < READS && !back.ended; reads++) {
        read[reads] = (struct outcome){false, 0};
        op[reads] = (struct core_op){.kind = CORE_READ,
                                     .offset = reads % PAGES * page,
                                     .len = CORE_BLOCK,
                                     .buffer = rig.buffer,
                                     .done = rig_op_done,
                                     .user = &read[reads]};
        core_submit(rig.core, &op[reads]);
        core_turn(rig.core);
        answer_one(&rig.store[0]);
        core_turn(rig.core);
    }
    CHECK(back.ended && back.status == PXR_OK);
    rig_drain();
    for (unsigned i = 0; i < reads; i++)
        CHECK(read[i].ended && read[i].status == PXR_OK);
    rig.store[0].later = false;
    CHECK_INT(core_fail(rig.core, 1), PXR_OK);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/*
 * While a member is away, blocks of another one rot.  Its own blocks restore these rows if they
 * are current, and the one that was written to meanwhile stays lost.
 */
static void check_own_blocks(void)
{
    enum { STRIPES = 8, LOST = 3 };
    struct core_status status;
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    check_fill(rig.model, rig.capacity);
    CHECK_INT(rig_run(CORE_WRITE, 0, rig.capacity, rig.model, false), PXR_OK);
    rig_reassemble(NULL, 1, 2); /* member 0 is away */
    uint8_t *written = rig.model + (uint64_t)LOST * 2 * CORE_BLOCK;
    check_fill(written, 2 * CORE_BLOCK);
    CHECK_INT(
        rig_run(CORE_WRITE, (uint64_t)LOST * 2 * CORE_BLOCK, 2 * CORE_BLOCK, written, true),
        PXR_OK);
    rig_reassemble(NULL, 1, 2);
    for (unsigned stripe = 0; stripe < STRIPES; stripe++)
        rig.store[1]
            .bytes[rig_super(1).layout.data_at + (uint64_t)stripe * CORE_BLOCK + stripe] ^= 1;
    CHECK_INT(readd(0), PXR_OK);
    core_status(rig.core, &status);
    CHECK_INT(status.state[0], CORE_IN_SYNC);
    CHECK_INT(status.lost_rows, 1);
    CHECK_INT(rig_scrub(true).scrub_lost, 1);
    CHECK_INT(core_fail(rig.core, 1), PXR_OK);
    for (uint64_t at = 0; at < rig.capacity; at += 2 * CORE_BLOCK) {
        const bool is_lost = at == (uint64_t)LOST * 2 * CORE_BLOCK;
        CHECK_INT(rig_run(CORE_READ, at, 2 * CORE_BLOCK, rig.buffer, false),
                  is_lost ? PXA_EIO : PXR_OK);
        CHECK(is_lost || memcmp(rig.buffer, rig.model + at, 2 * CORE_BLOCK) == 0);
    }
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* A replacement that has emptied half of the old disk leaves nothing that may come back. */
static void check_half_emptied(void)
{
    struct outcome replaced = {false, 0};
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    check_fill(rig.model, rig.capacity);
    CHECK_INT(rig_run(CORE_WRITE, 0, rig.capacity, rig.model, false), PXR_OK);
    CHECK_INT(core_fail(rig.core, 1), PXR_OK);
    rig_drain();
    rig.store[1].cut_zero = true;
    core_replace(rig.core, 1, rig.member[1], rig_super(1).member_uuid, rig_job_done, &replaced);
    rig_drain();
    CHECK(replaced.ended && replaced.status == PXA_EIO);
    CHECK(!rig.store[1].cut_zero);
    CHECK_INT(rig.store[1].zeroed, 0);
    CHECK_INT(readd(1), PXA_ENONE);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* A copy of a member from before it left, when no state has changed in between. */
static void check_back_older(void)
{
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    check_fill(rig.model, rig.capacity);
    CHECK_INT(rig_run(CORE_WRITE, 0, rig.capacity, rig.model, false), PXR_OK);
    rig_reassemble(NULL, 0, 3);
    uint8_t *copy = malloc(MEMBER_SIZE), *kept = malloc(MEMBER_SIZE);
    memcpy(copy, rig.store[0].bytes, MEMBER_SIZE);
    const uint64_t events = rig_super(0).events;
    check_fill(rig.model, rig.capacity);
    CHECK_INT(rig_run(CORE_WRITE, 0, rig.capacity, rig.model, false), PXR_OK);
    core_commit(rig.core);
    rig_drain();
    CHECK_INT(rig_super(0).events, events);
    CHECK_INT(core_fail(rig.core, 0), PXR_OK);
    rig_drain();
    memcpy(kept, rig.store[0].bytes, MEMBER_SIZE);
    memcpy(rig.store[0].bytes, copy, MEMBER_SIZE);
    CHECK_INT(readd(0), PXA_EREFUSED);
    rig_reassemble(NULL, 1, 2);
    CHECK_INT(readd(0), PXA_EREFUSED);
    memcpy(rig.store[0].bytes, kept, MEMBER_SIZE);
    CHECK_INT(readd(0), PXR_OK);
    CHECK_INT(core_fail(rig.core, 1), PXR_OK);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    free(copy);
    free(kept);
    rig_end();
}

/* The copy of the superblock at the end cannot be read, until it is written. */
static void check_back_with_defect(void)
{
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    rig_write(0, CORE_BLOCK);
    CHECK_INT(core_fail(rig.core, 0), PXR_OK);
    rig_drain();
    const uint64_t last = disk_super_at(2, rig.size) / CORE_BLOCK;
    rig.store[0].unreadable[last] = true;
    CHECK_INT(readd(0), PXR_OK);
    CHECK(!rig.store[0].unreadable[last]);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* Members that may not come back with what they have. */
static void check_back_refusals(void)
{
    rig_begin(2, 2, CORE_BLOCK, false, NULL);
    CHECK_INT(readd(0), PXR_EINVAL);
    CHECK_INT(readd(4), PXR_EINVAL);
    CHECK_INT(core_fail(rig.core, 0), PXR_OK);
    rig_drain();
    rig.member[0].self = &rig.store[1];
    CHECK_INT(readd(0), PXR_EINVAL);
    rig.member[0].self = &rig.store[0];
    uint8_t *kept = malloc(MEMBER_SIZE);
    memcpy(kept, rig.store[0].bytes, MEMBER_SIZE);
    struct disk_super super = rig_super(0);
    super.events += 10;
    for (unsigned place = 0; place < DISK_PLACES; place++) {
        super.place = place;
        super.sequence++;
        disk_super_put(rig.store[0].bytes + disk_super_at(place, MEMBER_SIZE), &super);
    }
    CHECK_INT(readd(0), PXA_EREFUSED);
    memset(rig.store[0].bytes, 0, MEMBER_SIZE);
    CHECK_INT(readd(0), PXA_ENONE);
    rig.store[0].broken = true;
    CHECK_INT(readd(0), PXA_ENONE);
    rig.store[0].broken = false;
    memcpy(rig.store[0].bytes, kept, MEMBER_SIZE);
    free(kept);
    CHECK_INT(readd(0), PXR_OK);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

int main(int argc, char **argv)
{
    check_start("test_array_back", argc, argv);
    for (unsigned later = 0; later < 2; later++)
        if (check_case("a member comes back, %s", later ? "later" : "at once"))
            check_back(3, 2, later != 0);
    if (check_case("a member comes back while others write"))
        check_back_while_writing();
    if (check_case("a member comes back in the midst of a write"))
        check_back_midway();
    if (check_case("rows that only a member's own blocks restore"))
        check_own_blocks();
    if (check_case("a member comes back under load"))
        check_back_under_load();
    if (check_case("a replacement that was cut short"))
        check_half_emptied();
    if (check_case("an older copy of a member"))
        check_back_older();
    if (check_case("a member whose last superblock cannot be read comes back"))
        check_back_with_defect();
    if (check_case("members that may not come back"))
        check_back_refusals();
    return check_finish();
}
