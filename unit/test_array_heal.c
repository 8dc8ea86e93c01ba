/* SPDX-License-Identifier: BSD-3-Clause */
/* The writing core: blocks that are bad, out of date, or cannot be read. */
#include "array_rig.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t some_uuid[16] = "0123456789abcde";

/*
 * A whole chunk of each member is directly in place and a crash follows; then a sector of each
 * member cannot be read.  If they are in different rows, nothing is lost; also if the log does
 * not say that the epoch was committed, as it is the last one.
 */
static void check_unreadable_places(bool last, bool one_row)
{
    struct core_status status;
    rig_begin(2, 1, 16384, false, NULL);
    check_fill(rig.model, 65536);
    CHECK_INT(rig_run(CORE_WRITE, 0, 32768, rig.model, true), PXR_OK);
    if (!last)
        CHECK_INT(rig_run(CORE_WRITE, 32768, 32768, rig.model + 32768, true), PXR_OK);
    const uint64_t first = rig_super(0).layout.data_at / CORE_BLOCK;
    for (unsigned role = 0; role < 3; role++)
        rig.store[role].unreadable[first + (one_row ? 2 : role)] = true;
    rig_crash_and_assemble(0, rig.width);
    core_status(rig.core, &status);
    for (unsigned role = 0; role < 3; role++)
        CHECK_INT(status.state[role], CORE_IN_SYNC);
    CHECK_INT(status.replayed, last && one_row ? 0 : 2 - last);
    for (uint64_t at = 0; at < 32768; at += CORE_BLOCK) {
        const bool is_lost = one_row && at % 16384 == 2 * CORE_BLOCK && !last;
        CHECK_INT(rig_run(CORE_READ, at, CORE_BLOCK, rig.buffer, false),
                  is_lost ? PXA_EIO : PXR_OK);
        if (one_row && last)
            memset(rig.model + at, 0,
                   CORE_BLOCK); /* the epoch was dropped, so rows are blank */
        CHECK(is_lost || memcmp(rig.buffer, rig.model + at, CORE_BLOCK) == 0);
    }
    if (!one_row) {
        CHECK_INT(rig_scrub(true).scrub_lost, 0);
        memset(rig.model + 32768, 0, last ? 32768 : 0);
        rig_reassemble(NULL, 0, 2);
    }
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* -------------------------------------------------------------------- runs -- */

static void count_operations(unsigned role, unsigned *reads, unsigned *writes)
{
    *reads = rig.store[role].reads;
    *writes = rig.store[role].writes;
    rig.store[role].reads = rig.store[role].writes = 0;
}

/* Neighbouring blocks of a member are read and written together, also by a scrub and a rebuild.
 */
static void check_runs(void)
{
    enum { CHUNK = 32768 };
    struct outcome replaced = {false, 0};
    unsigned reads, writes;
    rig_begin(2, 1, CHUNK, false, NULL);
    const unsigned stripes = (unsigned)(rig.capacity / 2 / CHUNK);
    check_fill(rig.model, rig.capacity);
    CHECK_INT(rig_run(CORE_WRITE, 0, rig.capacity, rig.model, false), PXR_OK);
    rig_reassemble(NULL, 0, 3);
    count_operations(1, &reads, &writes);
    CHECK_INT(rig_run(CORE_WRITE, 0, 2 * CHUNK, rig.model, true), PXR_OK);
    core_commit(rig.core);
    rig_drain();
    count_operations(1, &reads, &writes);
    CHECK_INT(writes, 2); /* to the log, and into place */
    rig_check_all();
    count_operations(1, &reads, &writes);
    CHECK(reads > 0 && reads <= stripes);
    rig_scrub(false);
    count_operations(1, &reads, &writes);
    CHECK_INT(reads, stripes);
    CHECK_INT(core_fail(rig.core, 1), PXR_OK);
    core_replace(rig.core, 1, rig.member[1], some_uuid, rig_job_done, &replaced);
    rig_drain();
    CHECK(replaced.ended && replaced.status == PXR_OK);
    count_operations(1, &reads, &writes);
    CHECK(writes < stripes + 20); /* the superblocks, checksums and the map are alone */
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* A block that cannot be read does not make its neighbours bad, even if others of the same rows
   are so elsewhere. */
static void check_run_that_fails(void)
{
    struct core_status status;
    rig_begin(2, 1, 16384, false, NULL);
    check_fill(rig.model, rig.capacity);
    CHECK_INT(rig_run(CORE_WRITE, 0, rig.capacity, rig.model, false), PXR_OK);
    rig_reassemble(NULL, 0, 3);
    const uint64_t first = rig_super(0).layout.data_at / CORE_BLOCK;
    for (unsigned role = 0; role < 3; role++)
        rig.store[role].unreadable[first + role] = true;
    rig_check_all();
    core_commit(rig.core);
    rig_drain();
    for (unsigned role = 0; role < 3; role++)
        CHECK(!rig.store[role].unreadable[first + role] || role == 2); /* parity was not read */
    CHECK_INT(rig_scrub(true).scrub_lost, 0);
    core_status(rig.core, &status);
    for (unsigned role = 0; role < 3; role++) {
        CHECK(!rig.store[role].unreadable[first + role]);
        CHECK_INT(status.bad_sums[role], 0);
    }
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

static unsigned role_of(unsigned k, unsigned m, unsigned block)
{
    struct pxa_row where;
    const struct pxa_geometry geometry = {k, m, PXA_LEFT_SYMMETRIC, CORE_BLOCK,
                                          rig_super(0).layout.stripes * CORE_BLOCK};
    pxa_row(&geometry, 0, &where);
    return where.member[block];
}

/* A block of row 0 of stripe 0. */
static uint8_t *first_block(unsigned k, unsigned m, unsigned block)
{
    return rig.store[role_of(k, m, block)].bytes + rig_super(0).layout.data_at;
}

/* Makes the checksum of such a block the one of what is in its place. */
static void forge_sum(unsigned k, unsigned m, unsigned which)
{
    const unsigned role = role_of(k, m, which);
    const struct disk_super super = rig_super(role);
    const uint32_t sum = disk_sum(super.uuid, role, 0, first_block(k, m, which));
    for (unsigned slot = 0; slot < 2; slot++) {
        uint8_t *block = rig.store[role].bytes + super.layout.sums_at + slot * CORE_BLOCK;
        struct disk_page page = {DISK_SUMS, role, super.uuid, 0, 0};
        if (disk_page_get(block, &page, super.sequence) != PXR_OK)
            continue;
        for (unsigned i = 0; i < 4; i++)
            block[DISK_PAGE_HEADER + i] = (uint8_t)(sum >> 8 * i);
        disk_page_put(block, &page);
    }
}

/* Parity that is another one than that of the data, although its checksum is right. */
static void check_scrub_parity(void)
{
    rig_begin(2, 2, CORE_BLOCK, false, NULL);
    check_fill(rig.model, 2 * CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, 0, 2 * CORE_BLOCK, rig.model, true), PXR_OK);
    CHECK_INT(rig_stop(), PXR_OK);
    *first_block(2, 2, 3) ^= 1;
    forge_sum(2, 2, 3);
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, 4), PXR_OK);
    CHECK_INT(rig_scrub(false).scrub_parity, 1);
    CHECK_INT(rig_scrub(true).scrub_repaired, 1);
    CHECK_INT(rig_scrub(true).scrub_parity, 2);
    rig_reassemble(NULL, 2, 2);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/*
 * A member has lost writes of a block and of its checksum, so they fit each other and are out
 * of date.  Another block of the row rots.  What the first one gives does not match the
 * checksum of the second.
 */
static void make_stale(unsigned stale, unsigned rotten)
{
    rig_begin(2, 2, CORE_BLOCK, false, NULL);
    check_fill(rig.model, 2 * CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, 0, 2 * CORE_BLOCK, rig.model, true), PXR_OK);
    rig_reassemble(NULL, 0, 4);
    CHECK_INT(rig_stop(), PXR_OK);
    *first_block(2, 2, stale) ^= 1;
    forge_sum(2, 2, stale);
    *first_block(2, 2, rotten) ^= 1;
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, 4), PXR_OK);
}

static void check_stale_read(unsigned stale, unsigned rotten)
{
    make_stale(stale, rotten);
    rig_check_all();
    core_commit(rig.core);
    rig_drain();
    const struct core_status before = rig_scrub(false), after = rig_scrub(false);
    CHECK_INT(after.scrub_parity - before.scrub_parity, 0);
    for (unsigned lost = 0; lost < 2; lost++)
        CHECK_INT(core_fail(rig.core, lost), PXR_OK);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

static void check_stale_scrub(unsigned stale, unsigned rotten)
{
    make_stale(stale, rotten);
    CHECK_INT(rig_scrub(true).scrub_lost, 0);
    rig_reassemble(NULL, 2, 2);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* A part of the rotten block is written, and the block that is out of date is healed, too. */
static void check_stale_write(unsigned stale, unsigned rotten)
{
    make_stale(stale, rotten);
    check_fill(rig.model + 100, 50);
    CHECK_INT(rig_run(CORE_WRITE, 100, 50, rig.model + 100, true), PXR_OK);
    rig_reassemble(NULL, 2, 2);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* Nothing says which of two blocks that are out of date is right, so the read fails. */
static void check_contradiction(void)
{
    make_stale(2, 0);
    CHECK_INT(rig_stop(), PXR_OK);
    *first_block(2, 2, 0) ^= 6;
    forge_sum(2, 2, 0);
    *first_block(2, 2, 0) ^= 8;
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, 4), PXR_OK);
    CHECK_INT(rig_run(CORE_READ, 0, CORE_BLOCK, rig.buffer, false), PXA_EIO);
    CHECK_INT(rig_run(CORE_WRITE, 100, 50, rig.model + 100, true), PXA_EIO);
    const struct core_status status = rig_scrub(true);
    CHECK_INT(status.scrub_lost, 1);
    CHECK_INT(status.scrub_repaired, 0);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* Only a checksum is out of date, and all blocks are what they should be. */
static void check_stale_sum(unsigned block)
{
    make_stale(2, 3);
    CHECK_INT(rig_scrub(true).scrub_lost, 0);
    CHECK_INT(rig_stop(), PXR_OK);
    *first_block(2, 2, block) ^= 1;
    forge_sum(2, 2, block);
    *first_block(2, 2, block) ^= 1;
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, 4), PXR_OK);
    rig_check_all();
    CHECK_INT(rig_scrub(true).scrub_lost, 0);
    rig_reassemble(NULL, 2, 2);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* What a read has found bad is right in its place soon, without another write. */
static void check_read_repair(void)
{
    struct core_status status;
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    check_fill(rig.model, 4 * CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, 0, 4 * CORE_BLOCK, rig.model, false), PXR_OK);
    rig_reassemble(NULL, 0, 3);
    uint8_t *rotten = rig.store[0].bytes + rig_super(0).layout.data_at;
    const uint8_t was = *rotten;
    *rotten ^= 8;
    rig_check_all();
    core_commit(rig.core);
    rig_drain();
    CHECK_INT(*rotten, was);
    core_status(rig.core, &status);
    CHECK_INT(status.bad_sums[0], 2); /* the read has seen it, and then the repair */
    CHECK_INT(status.scrub_repaired, 1);
    rig_check_all();
    core_status(rig.core, &status);
    CHECK_INT(status.bad_sums[0], 2);
    rig_reassemble(NULL, 0, 2);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* ---------------------------------------------------------- unreadable blocks -- */

static void begin_with_limit(unsigned limit)
{
    const struct core_options options = {.error_limit = limit};
    rig_begin(2, 1, CORE_BLOCK, false, &options);
    check_fill(rig.model, rig.capacity);
    CHECK_INT(rig_run(CORE_WRITE, 0, rig.capacity, rig.model, false), PXR_OK);
    rig_reassemble(&options, 0, 3);
}

static void make_unreadable(unsigned role, unsigned count)
{
    const uint64_t first = rig_super(role).layout.data_at / CORE_BLOCK;
    for (unsigned i = 0; i < count; i++)
        rig.store[role].unreadable[first + i] = true;
}

static enum core_member_state state_of(unsigned role)
{
    struct core_status status;
    core_status(rig.core, &status);
    return status.state[role];
}

/* A scrub repairs more than the limit, and reads repair as many, one after the other. */
static void check_healed_defects(void)
{
    begin_with_limit(2);
    make_unreadable(1, 20);
    CHECK_INT(rig_scrub(true).scrub_lost, 0);
    for (unsigned i = 0; i < 20; i++)
        CHECK(!rig.store[1].unreadable[rig_super(1).layout.data_at / CORE_BLOCK + i]);
    CHECK_INT(state_of(1), CORE_IN_SYNC);
    make_unreadable(1, 20);
    for (unsigned i = 0; i < 40; i++) {
        CHECK_INT(rig_run(CORE_READ, i * CORE_BLOCK, CORE_BLOCK, rig.buffer, false), PXR_OK);
        CHECK(memcmp(rig.buffer, rig.model + i * CORE_BLOCK, CORE_BLOCK) == 0);
        core_commit(rig.core);
        rig_drain();
    }
    CHECK_INT(state_of(1), CORE_IN_SYNC);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* Without a repair they count: a scrub that only looks, and rows that are lost. */
static void check_counted_defects(void)
{
    begin_with_limit(3);
    make_unreadable(1, 2);
    for (unsigned i = 0; i < 3; i++)
        rig_scrub(false);
    CHECK_INT(state_of(1), CORE_IN_SYNC);
    make_unreadable(1, 3);
    rig_scrub(false);
    CHECK_INT(state_of(1), CORE_FAILED);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
    begin_with_limit(3);
    make_unreadable(1, 2);
    make_unreadable(2, 3);
    rig_scrub(true); /* two rows are lost, and one is repaired */
    CHECK_INT(state_of(1), CORE_IN_SYNC);
    CHECK_INT(state_of(2), CORE_IN_SYNC);
    const uint64_t row = rig_super(1).layout.data_at / CORE_BLOCK + 5;
    rig.store[1].unreadable[row] = rig.store[2].unreadable[row] = true;
    rig_scrub(true);
    CHECK((state_of(1) == CORE_FAILED) != (state_of(2) == CORE_FAILED));
    core_free(rig.core);
    rig_end();
    struct core *core;
    const struct core_options most = {.error_limit = 4097};
    CHECK_INT(core_create(&core, &most), PXR_EINVAL);
}

int main(int argc, char **argv)
{
    check_start("test_array_heal", argc, argv);
    for (unsigned last = 0; last < 2; last++)
        for (unsigned row = 0; row < 2; row++)
            if (check_case("places that cannot be read, %s epoch, %s",
                           last ? "last" : "committed", row ? "one row" : "many rows"))
                check_unreadable_places(last != 0, row != 0);
    if (check_case("neighbours are one operation"))
        check_runs();
    if (check_case("a run of which a block cannot be read"))
        check_run_that_fails();
    if (check_case("scrub of parity"))
        check_scrub_parity();
    if (check_case("a block that is out of date")) {
        for (unsigned stale = 1; stale < 4; stale++) {
            check_stale_read(stale, 0);
            check_stale_scrub(stale, 0);
            check_stale_write(stale, 0);
        }
        check_stale_scrub(0, 2); /* only parity is bad */
        check_stale_scrub(1, 3);
    }
    if (check_case("blocks that contradict each other"))
        check_contradiction();
    if (check_case("a checksum that is out of date"))
        for (unsigned block = 0; block < 4; block++)
            check_stale_sum(block);
    if (check_case("a read repairs"))
        check_read_repair();
    if (check_case("blocks that cannot be read, and are repaired"))
        check_healed_defects();
    if (check_case("blocks that cannot be read, and are not repaired"))
        check_counted_defects();
    return check_finish();
}
