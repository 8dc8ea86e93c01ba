/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The writing core: what must not happen while a member has not ended a read or a write.
 */
#include "array_rig.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

/* An operation that does not end before the member releases what it holds, if at all. */
struct pending {
    struct core_op op;
    struct outcome outcome;
};

static struct pending pending;

static void submit(enum core_kind kind, uint64_t offset)
{
    pending = (struct pending){.op = {.kind = kind,
                                      .fua = true,
                                      .offset = offset,
                                      .len = CORE_BLOCK,
                                      .buffer = rig.buffer,
                                      .done = rig_op_done,
                                      .user = &pending.outcome}};
    core_submit(rig.core, &pending.op);
    rig_drain();
    CHECK(!pending.outcome.ended);
}

/* The member holds the next write of a page that has its two slots at `at`. */
static void hold_page(unsigned role, uint64_t at)
{
    rig.store[role].watch_at = at;
    rig.store[role].hold_write = true;
}

static void release_all(void)
{
    for (unsigned role = 0; role < rig.width; role++)
        if (rig.store[role].held.done != NULL)
            rig_release(&rig.store[role], 0);
}

static uint64_t map_at(void)
{
    return rig_super(1).layout.map_at;
}

/* Where the bytes of a region begin in the array. */
static uint64_t region_at(unsigned region)
{
    const struct disk_super super = rig_super(1);
    return region * super.region * super.data;
}

static enum core_member_state state_of(unsigned role)
{
    struct core_status status;
    core_status(rig.core, &status);
    return status.state[role];
}

/* ----------------------------------------------------------- the region map -- */

/* Writes so often that a checkpoint has to come, but leaves room in the log. */
static void fill_half_of_log(uint64_t offset)
{
    for (unsigned i = 0; i < 13; i++)
        rig_write(offset, CORE_BLOCK);
}

/*
 * The first write to a region takes along what the map has to say of others: that a member
 * lacks what was written there.  While this page is on its way, only the log says so.  So a
 * checkpoint waits, and a crash loses nothing of it.
 */
static void check_map_on_its_way(bool crashes)
{
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    rig_write(region_at(0), region_at(2));
    rig_reassemble(NULL, 0, 3);
    CHECK_INT(core_fail(rig.core, 0), PXR_OK);
    rig_drain();
    const uint64_t tail = rig_super(1).tail;
    for (unsigned region = 0; region < 2; region++)
        rig_write(region_at(region), CORE_BLOCK);
    for (unsigned role = 1; role < 3; role++)
        hold_page(role, map_at());
    submit(CORE_WRITE, region_at(2));
    fill_half_of_log(region_at(1));
    CHECK_INT(rig_super(1).tail, tail);
    if (crashes) {
        rig_crash_and_assemble(1, 2);
    } else {
        release_all();
        rig_drain();
        CHECK(pending.outcome.ended && pending.outcome.status == PXR_OK);
        CHECK(rig_super(1).tail > tail);
        memcpy(rig.model + region_at(2), rig.buffer, CORE_BLOCK);
    }
    rig_readd(0);
    CHECK_INT(core_fail(rig.core, 1), PXR_OK);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* The first write to a region comes to a crash when only some members have the new page. */
static void crash_in_map(unsigned region, unsigned first, unsigned count)
{
    for (unsigned role = first; role < first + count; role++)
        hold_page(role, map_at());
    submit(CORE_WRITE, region_at(region));
    rig_crash();
}

/*
 * Only member 0 has a page of the map, and the others go on without it.  When it is back, the
 * others get a page with the same sequence, and again there is a crash.  What the others say
 * counts then: a region that member 0 takes for written is not so for them.
 */
static void check_map_of_one(bool is_first_page)
{
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    if (!is_first_page)
        rig_write(region_at(0), CORE_BLOCK);
    rig_reassemble(NULL, 0, 3); /* nothing is left in the log that would change the map */
    crash_in_map(3, 1, 2);
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(1, 2), PXR_OK);
    rig_readd(0);
    CHECK_INT(state_of(0), CORE_IN_SYNC);
    crash_in_map(2, 0, 1);
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, 3), PXR_OK);
    rig_write(region_at(3), CORE_BLOCK);
    rig_reassemble(NULL, 1, 2);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* ----------------------------------------------------------------- repairs -- */

/*
 * While a scrub reads a row, a member with parity comes back, and has the row, since nobody has
 * written to it.  A repair that leaves this member out is in the log of two members alone. When
 * they are lost, the log has a gap.  The first row has its data on members 1 and 2, and its
 * parity on 3 and 0.
 */
static void check_repair_of_all(void)
{
    struct outcome scrubbed = {false, 0};
    rig_begin(2, 2, CORE_BLOCK, false, NULL);
    rig_write(0, rig.capacity);
    rig_reassemble(NULL, 0, 4);
    CHECK_INT(core_fail(rig.core, 3), PXR_OK);
    rig_drain();
    rig.store[1].bytes[rig_super(1).layout.data_at] ^= 1;
    rig.store[2].hold_read = true;
    core_scrub(rig.core, true, rig_job_done, &scrubbed);
    rig_drain();
    rig_readd(3);
    CHECK_INT(state_of(3), CORE_IN_SYNC);
    CHECK(!scrubbed.ended);
    release_all();
    rig_drain();
    CHECK(scrubbed.ended && scrubbed.status == PXR_OK);
    CHECK_INT(rig_scrub(true).scrub_lost, 0);
    rig_write(region_at(1), CORE_BLOCK);
    rig_crash_and_assemble(2, 2);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/*
 * A repair waits for room in an epoch, and meanwhile a member leaves.  The others still get the
 * repair.  Member 1 holds the first of these writes, and the others fill the next epoch.
 */
static void check_repair_of_the_rest(void)
{
    enum { ROWS = 40 };
    static struct pending writes[ROWS];
    struct outcome scrubbed = {false, 0};
    struct core_status status;
    rig_begin(2, 2, CORE_BLOCK, false, NULL);
    rig_write(0, rig.capacity);
    rig_reassemble(NULL, 0, 4);
    const struct disk_super super = rig_super(1);
    const uint64_t stripe = rig_stripe_size();
    CHECK(rig.capacity > ROWS * stripe && super.layout.log_blocks / 4 < ROWS);
    rig.store[1].bytes[super.layout.data_at] ^= 1;
    hold_page(1, super.layout.log_at + super.roles[1].log_start * CORE_BLOCK);
    for (unsigned i = 0; i < ROWS; i++) {
        writes[i] = (struct pending){.op = {.kind = CORE_WRITE,
                                            .offset = (i + 1) * stripe,
                                            .len = stripe,
                                            .buffer = rig.model + (i + 1) * stripe,
                                            .done = rig_op_done,
                                            .user = &writes[i].outcome}};
        core_submit(rig.core, &writes[i].op);
        rig_drain();
        CHECK(!writes[i].outcome.ended);
    }
    core_scrub(rig.core, true, rig_job_done, &scrubbed);
    rig_drain();
    CHECK(!scrubbed.ended);
    CHECK_INT(core_fail(rig.core, 3), PXR_OK);
    release_all();
    rig_drain();
    CHECK(scrubbed.ended && scrubbed.status == PXR_OK);
    core_status(rig.core, &status);
    CHECK_INT(status.scrub_bad, 1);
    CHECK_INT(status.scrub_repaired, 1);
    for (unsigned i = 0; i < ROWS; i++)
        CHECK(writes[i].outcome.ended && writes[i].outcome.status == PXR_OK);
    CHECK_INT(core_fail(rig.core, 2), PXR_OK);
    rig_drain();
    rig_check_all();
    rig_readd(3);
    rig_readd(2);
    CHECK_INT(rig_scrub(false).scrub_bad, 1);
    rig_reassemble(NULL, 2, 2);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* ----------------------------------------------------------------- rebuilds -- */

/* Member 0 leaves and comes back.  The members hold the superblocks that say that it is in sync
   again.  Those that came before are released. */
static void hold_last_supers(void)
{
    struct outcome back = {false, 0};
    struct core_status status;
    CHECK_INT(core_fail(rig.core, 0), PXR_OK);
    rig_drain();
    core_status(rig.core, &status);
    const uint64_t last = status.events + 2; /* it comes, and it is in sync */
    core_readd(rig.core, 0, rig.member[0], rig_job_done, &back);
    for (unsigned rounds = 0; status.events < last && rounds < 10; rounds++) {
        release_all();
        for (unsigned role = 0; role < 3; role++)
            hold_page(role, disk_super_at(0, rig.size));
        rig_drain();
        core_status(rig.core, &status);
    }
    CHECK_INT(status.events, last);
    CHECK(back.ended && back.status == PXR_OK);
}

/*
 * A member has all of its blocks again, but the superblocks do not say so yet.  Another one may
 * not leave before they do: after a crash, too few would be left.
 */
static void check_leaving_early(bool crashes)
{
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    rig_write(0, rig.capacity);
    rig_reassemble(NULL, 0, 3);
    hold_last_supers();
    CHECK_INT(state_of(0), CORE_REBUILDING);
    CHECK_INT(core_fail(rig.core, 2), PXR_ETOOFEW);
    if (crashes) {
        rig_crash();
        CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
        CHECK_INT(rig_assemble(0, 2), PXR_ETOOFEW);
        CHECK_INT(rig_assemble(0, 3), PXR_OK);
    } else {
        release_all();
        rig_drain();
    }
    CHECK_INT(state_of(0), CORE_IN_SYNC);
    CHECK_INT(core_fail(rig.core, 2), PXR_OK);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* A write of a page of checksums to member 0 was lost, so that it does not know of a trim. */
static void trim_without_page(void)
{
    rig_reassemble(NULL, 0, 3);
    uint8_t *const stale = rig_copy_sums(0);
    rig_trim(0, CORE_BLOCK, true);
    rig_reassemble(NULL, 0, 3);
    CHECK_INT(core_fail(rig.core, 0), PXR_OK);
    rig_drain();
    rig_bring_back_sums(0, stale);
    free(stale);
}

/*
 * What such a page says of a trim is set right when the member comes back.  That is written to
 * the member, too, although a checkpoint comes before the member takes part: here it waits for
 * the superblocks, since another member leaves.
 */
static void check_page_of_returning(void)
{
    struct outcome back = {false, 0};
    rig_begin(1, 2, CORE_BLOCK, false, NULL);
    rig_write(0, 3 * CORE_BLOCK);
    trim_without_page();
    rig.store[2].hold_read = true; /* so memory keeps the checksums */
    submit(CORE_READ, 2 * CORE_BLOCK);
    rig.store[0].hold_read = true;
    core_readd(rig.core, 0, rig.member[0], rig_job_done, &back);
    rig_drain();
    rig.store[0].hold_read = true; /* of the page, behind the superblocks */
    rig_release(&rig.store[0], 0);
    rig_drain();
    CHECK(rig.store[0].held.done != NULL && !back.ended);
    hold_page(1, disk_super_at(0, rig.size));
    CHECK_INT(core_fail(rig.core, 2), PXR_OK);
    rig_drain();
    rig_release(&rig.store[0], 0);
    rig_drain();
    CHECK(!back.ended);
    release_all();
    rig_drain();
    CHECK(back.ended && back.status == PXR_OK);
    CHECK_INT(state_of(0), CORE_IN_SYNC);
    rig_check_all();
    rig_reassemble(NULL, 0, 1);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

int main(int argc, char **argv)
{
    check_start("test_array_held", argc, argv);
    for (unsigned crashes = 0; crashes < 2; crashes++)
        if (check_case("a checkpoint while the map is written, %s",
                       crashes ? "and a crash" : "and no crash"))
            check_map_on_its_way(crashes != 0);
    for (unsigned first = 0; first < 2; first++)
        if (check_case("a page of the map that one member has, %s",
                       first ? "the first one" : "a later one"))
            check_map_of_one(first != 0);
    if (check_case("a member comes back while a scrub repairs"))
        check_repair_of_all();
    if (check_case("a member leaves while a scrub repairs"))
        check_repair_of_the_rest();
    for (unsigned crashes = 0; crashes < 2; crashes++)
        if (check_case("a member leaves when another is rebuilt, %s",
                       crashes ? "and a crash" : "and no crash"))
            check_leaving_early(crashes != 0);
    if (check_case("a checkpoint while a member comes back"))
        check_page_of_returning();
    return check_finish();
}
