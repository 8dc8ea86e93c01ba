/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The writing core: rounds of operations over members in memory.  What a crash leaves is the
 * simulator's part.
 */
#include "array_rig.h"
#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t some_uuid[16] = "0123456789abcde";

/* Operations, a stop, up to m members away, operations, and these members back and rebuilt. */
static void check_life(unsigned k, unsigned m, uint32_t chunk, bool later,
                       const struct core_options *options)
{
    struct core_status status;
    rig_begin(k, m, chunk, later, options);
    rig_check_all();
    rig_random_ops(60);
    rig_check_all();
    rig_reassemble(options, 0, k + m);
    rig_random_ops(20);
    rig_reassemble(options, m, k);
    rig_random_ops(40);
    for (unsigned i = 0; i < m; i++) {
        struct outcome outcome = {false, 0};
        uint8_t uuid[16];
        memset(uuid, 0x40 + (int)i, 16);
        core_replace(rig.core, i, rig.member[i], uuid, rig_job_done, &outcome);
        rig_drain();
        CHECK(outcome.ended);
        CHECK_INT(outcome.status, PXR_OK);
    }
    core_status(rig.core, &status);
    for (unsigned i = 0; i < k + m; i++)
        CHECK_INT(status.state[i], CORE_IN_SYNC);
    rig_random_ops(20);
    rig_reassemble(options, 0, k);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* A block that rots is read right, and healed by the next write to its row. */
static void check_rot(unsigned k, unsigned m)
{
    struct core_status status;
    rig_begin(k, m, 8192, false, NULL);
    rig_random_ops(30);
    rig_reassemble(NULL, 0, k + m);
    for (unsigned i = 0; i < m; i++)
        for (uint64_t at = MEMBER_SIZE / 2; at < MEMBER_SIZE - CORE_BLOCK; at += 1000)
            rig.store[i].bytes[at] ^= 1;
    rig_check_all();
    core_status(rig.core, &status);
    CHECK(status.bad_sums[0] > 0);
    rig_random_ops(30);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

static void check_refusals(void)
{
    struct outcome outcome = {false, 0};
    rig_begin(2, 2, 4096, false, NULL);
    CHECK_INT(rig_run(CORE_READ, rig.capacity, 1, rig.buffer, false), PXR_EINVAL);
    CHECK_INT(rig_run(CORE_READ, 1, UINT64_MAX, rig.buffer, false), PXR_EINVAL);
    CHECK_INT(rig_run(CORE_WRITE, 0, 1, NULL, false), PXR_EINVAL);
    CHECK_INT(rig_run(CORE_READ, rig.capacity, 0, NULL, false), PXR_OK);
    CHECK_INT(core_fail(rig.core, 4), PXR_EINVAL);
    CHECK_INT(core_fail(rig.core, 0), PXR_OK);
    CHECK_INT(core_fail(rig.core, 0), PXR_EINVAL);
    CHECK_INT(core_fail(rig.core, 3), PXR_OK);
    CHECK_INT(core_fail(rig.core, 1), PXR_ETOOFEW);
    core_replace(rig.core, 1, rig.member[1], some_uuid, rig_job_done, &outcome);
    rig_drain();
    CHECK(outcome.ended && outcome.status == PXR_EINVAL);
    rig_random_ops(10);
    CHECK_INT(rig_stop(), PXR_OK);
    const struct core_options few = {.pages = core_least_pages(2, 2) - 1};
    CHECK_INT(core_create(&rig.core, &few), PXR_OK);
    CHECK_INT(rig_assemble(1, 2), PXR_EINVAL);
    core_free(rig.core);
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(2, 1), PXR_ETOOFEW);
    memset(rig.store[2].bytes, 0, MEMBER_SIZE);
    CHECK_INT(rig_assemble(2, 1), PXA_ENONE);
    core_free(rig.core);
    rig_end();
}

/* Too many members fail: everything is answered, and what was flushed is there later. */
static void check_death(bool later)
{
    rig_begin(2, 2, 8192, later, NULL);
    rig_random_ops(20);
    CHECK_INT(rig_run(CORE_FLUSH, 0, 0, NULL, false), PXR_OK);
    rig.store[0].broken = true;
    CHECK_INT(rig_run(CORE_READ, 0, rig.capacity, rig.buffer, false), PXR_OK);
    rig_random_ops(20);
    CHECK_INT(rig_run(CORE_FLUSH, 0, 0, NULL, false), PXR_OK);
    for (unsigned i = 1; i < 4; i++)
        rig.store[i].broken = true;
    CHECK_INT(rig_run(CORE_WRITE, 0, 5000, rig.buffer, false), PXA_EIO);
    CHECK_INT(rig_run(CORE_READ, 0, rig.capacity, rig.buffer, false), PXA_EIO);
    CHECK_INT(rig_run(CORE_FLUSH, 0, 0, NULL, false), PXA_EIO);
    CHECK_INT(rig_stop(), PXA_EIO);
    for (unsigned i = 0; i < 4; i++)
        rig.store[i].broken = false;
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, 4), PXR_OK);
    CHECK_INT(rig_run(CORE_READ, 0, rig.capacity, rig.buffer, false), PXR_OK);
    CHECK(memcmp(rig.buffer + 8192, rig.model + 8192, rig.capacity - 8192) == 0);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* ------------------------------------------------------------ answers late -- */

/* While a read is under way, another member leaves and a blank one comes; then the read fails.
 */
static void check_blank_replacement(unsigned m)
{
    struct outcome read = {false, 0}, replaced = {false, 0};
    struct core_op op = {
        .kind = CORE_READ, .len = CORE_BLOCK, .done = rig_op_done, .user = &read};
    unsigned role[2] = {0, 0};
    rig_begin(2, m, CORE_BLOCK, false, NULL);
    check_fill(rig.model, 2 * CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, 0, 2 * CORE_BLOCK, rig.model, false), PXR_OK);
    rig_reassemble(NULL, 0, 2 + m);
    rig_find_readers(role);
    CHECK(role[0] != role[1]);
    op.buffer = rig.buffer;
    rig.store[role[0]].hold_read = true;
    core_submit(rig.core, &op);
    rig_drain();
    CHECK_INT(core_fail(rig.core, role[1]), PXR_OK);
    rig_drain();
    memset(rig.store[role[1]].bytes, 0, MEMBER_SIZE);
    core_replace(rig.core, role[1], rig.member[role[1]], some_uuid, rig_job_done, &replaced);
    rig_drain();
    CHECK(replaced.ended && replaced.status == PXR_OK && !read.ended);
    rig_release(&rig.store[role[0]], EIO);
    rig_drain();
    CHECK(read.ended);
    CHECK_INT(read.status, m > 1 ? PXR_OK : PXA_EIO);
    CHECK(m == 1 || memcmp(rig.buffer, rig.model, CORE_BLOCK) == 0);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* More is written while a checkpoint writes a page: its other slot has to wait for a flush. */
static void check_slots(void)
{
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    rig_random_ops(60);
    struct store *store = &rig.store[0];
    store->watch_at = rig_super(0).layout.sums_at;
    store->unflushed = 0;
    store->both_unflushed = false;
    store->hold_write = true;
    for (unsigned i = 0; store->held.done == NULL && i < 100; i++)
        CHECK_INT(rig_run(CORE_WRITE, 0, 2 * CORE_BLOCK, rig.model, true), PXR_OK);
    CHECK_INT(rig_run(CORE_WRITE, 0, 2 * CORE_BLOCK, rig.model, true), PXR_OK);
    core_commit(rig.core);
    rig_drain();
    rig_release(store, 0);
    rig_drain();
    CHECK(!store->both_unflushed);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    CHECK(!store->both_unflushed);
    rig_end();
}

/* Assembles without one member, and reads block 1. */
static void read_without(unsigned role)
{
    const struct core_member member = rig.member[role];
    rig.member[role] = (struct core_member){NULL, NULL};
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, rig.width), PXR_OK);
    rig.member[role] = member;
    CHECK_INT(rig_run(CORE_READ, CORE_BLOCK, CORE_BLOCK, rig.buffer, false), PXR_OK);
}

/* Where the next segment of a member has its header, if nothing was written since assembly. */
static uint8_t *next_header(unsigned role)
{
    const struct disk_super super = rig_super(role);
    const uint64_t blocks = super.layout.log_blocks, at = super.roles[role].log_start;
    return rig.store[role].bytes + super.layout.log_at +
           (blocks - at < blocks / 4 ? 0 : at) * CORE_BLOCK;
}

/*
 * An epoch is torn on all members, so the next one has its number and its place.  The second
 * crash leaves the old header before the same block on one member, and nothing on another.
 */
static void check_torn_everywhere(void)
{
    uint8_t old[CORE_BLOCK];
    unsigned role[2] = {0, 0};
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    check_fill(rig.model, 2 * CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, 0, 2 * CORE_BLOCK, rig.model, false), PXR_OK);
    rig_reassemble(NULL, 0, 3);
    rig_find_readers(role);
    uint8_t *header = next_header(role[0]), *parity = next_header(3 - role[0] - role[1]);
    check_fill(rig.buffer, 2 * CORE_BLOCK);
    uint8_t *bytes = malloc(2 * CORE_BLOCK);
    memcpy(bytes, rig.buffer, 2 * CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, 0, CORE_BLOCK, bytes, false), PXR_OK);
    memcpy(old, header, CORE_BLOCK);
    CHECK(memcmp(header, "PXRALOG1", 8) == 0 && memcmp(parity, "PXRALOG1", 8) == 0);
    memset(header + CORE_BLOCK, 0, CORE_BLOCK);
    memset(parity + CORE_BLOCK, 0, CORE_BLOCK);
    rig_crash_and_assemble(0, rig.width);
    CHECK(next_header(role[0]) == header);
    CHECK_INT(rig_run(CORE_WRITE, 0, 2 * CORE_BLOCK, bytes, false), PXR_OK);
    CHECK(memcmp(header, "PXRALOG1", 8) == 0);
    memcpy(header, old, CORE_BLOCK);
    memset(next_header(role[1]), 0, CORE_BLOCK);
    rig_crash_and_assemble(0, rig.width);
    CHECK_INT(rig_run(CORE_READ, CORE_BLOCK, CORE_BLOCK, rig.buffer, false), PXR_OK);
    CHECK(memcmp(rig.buffer, rig.model + CORE_BLOCK, CORE_BLOCK) == 0);
    core_free(rig.core);
    read_without(role[1]);
    CHECK(memcmp(rig.buffer, rig.model + CORE_BLOCK, CORE_BLOCK) == 0);
    CHECK_INT(rig_stop(), PXR_OK);
    free(bytes);
    rig_end();
}

/* ------------------------------------------------------------ little is left -- */

/* Reads that fail do not end an array that cannot do without the member. */
static void check_last_reads(void)
{
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    check_fill(rig.model, 2 * CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, 0, 2 * CORE_BLOCK, rig.model, false), PXR_OK);
    rig_reassemble(NULL, 0, 3);
    CHECK_INT(core_fail(rig.core, 2), PXR_OK);
    CHECK_INT(rig_run(CORE_READ, 0, 2 * CORE_BLOCK, rig.buffer, false), PXR_OK);
    rig.store[0].broken = true;
    for (unsigned i = 0; i < 20; i++)
        CHECK_INT(rig_run(CORE_READ, 0, 2 * CORE_BLOCK, rig.buffer, false), PXA_EIO);
    rig.store[0].broken = false;
    CHECK_INT(rig_run(CORE_READ, 0, 2 * CORE_BLOCK, rig.buffer, false), PXR_OK);
    CHECK(memcmp(rig.buffer, rig.model, 2 * CORE_BLOCK) == 0);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* A page of checksums that cannot be read once: its blocks are not lost because of that. */
static void check_unreadable_sums(bool spare)
{
    struct core_status status;
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    check_fill(rig.model, 2 * CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, 0, 2 * CORE_BLOCK, rig.model, false), PXR_OK);
    rig_reassemble(NULL, 0, 3);
    CHECK_INT(rig_stop(), PXR_OK);
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, 3 - !spare), PXR_OK);
    rig.store[0].broken = true;
    if (spare)
        CHECK_INT(rig_run(CORE_READ, 0, 2 * CORE_BLOCK, rig.buffer, false), PXR_OK);
    else
        CHECK_INT(rig_run(CORE_WRITE, 0, 1, rig.model, false), PXA_EIO);
    rig.store[0].broken = false;
    core_status(rig.core, &status);
    CHECK_INT(status.state[0], spare ? CORE_FAILED : CORE_IN_SYNC);
    CHECK_INT(status.read_errors[0], 1);
    CHECK_INT(rig_run(CORE_WRITE, 0, 1, rig.model, true), PXR_OK);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, 3 - !spare), PXR_OK);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* A rebuild passes regions that nobody has written without a claim for each stripe. */
static void check_unwritten(void)
{
    struct outcome replaced = {false, 0};
    struct core_status before, after;
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    const uint64_t region = rig_super(0).region; /* half of it at the end of the second one */
    check_fill(rig.model + 3 * region, region);
    CHECK_INT(rig_run(CORE_WRITE, 3 * region, region, rig.model + 3 * region, false), PXR_OK);
    rig_reassemble(NULL, 0, 3);
    CHECK_INT(core_fail(rig.core, 1), PXR_OK);
    core_status(rig.core, &before);
    core_replace(rig.core, 1, rig.member[1], some_uuid, rig_job_done, &replaced);
    rig_drain();
    core_status(rig.core, &after);
    CHECK_INT(after.state[1], CORE_IN_SYNC);
    CHECK_INT(after.claims - before.claims, region / CORE_BLOCK);
    rig_reassemble(NULL, 0, 2);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* A rebuild says how many rows it could not restore. */
static void check_lost_rows(void)
{
    struct outcome replaced = {false, 0};
    struct core_status status;
    rig_begin(2, 1, CORE_BLOCK, false, NULL);
    check_fill(rig.model, 4 * CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, 0, 4 * CORE_BLOCK, rig.model, false), PXR_OK);
    rig_reassemble(NULL, 0, 3);
    rig.store[0].bytes[rig_super(0).layout.data_at] ^= 1;
    CHECK_INT(core_fail(rig.core, 1), PXR_OK);
    core_replace(rig.core, 1, rig.member[1], some_uuid, rig_job_done, &replaced);
    rig_drain();
    CHECK(replaced.ended && replaced.status == PXR_OK);
    core_status(rig.core, &status);
    CHECK_INT(status.state[1], CORE_IN_SYNC);
    CHECK_INT(status.lost_rows, 1);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* ---------------------------------------------------------- two replacements -- */

/* While one holds the region map, another one fails.  No region may begin meanwhile. */
static void check_held_map(void)
{
    struct outcome first = {false, 0}, second = {false, 0}, write = {false, 0};
    static const uint8_t uuid[2][16] = {"one new member..", "another member.."};
    rig_begin(2, 2, CORE_BLOCK, false, NULL);
    const uint64_t regions = rig_super(0).region;
    check_fill(rig.buffer, CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, 0, CORE_BLOCK, rig.buffer, false), PXR_OK);
    struct core_op op = {.kind = CORE_WRITE,
                         .offset = 4 * regions,
                         .len = CORE_BLOCK,
                         .buffer = rig.buffer,
                         .done = rig_op_done,
                         .user = &write};
    CHECK_INT(core_fail(rig.core, 0), PXR_OK);
    CHECK_INT(core_fail(rig.core, 1), PXR_OK);
    rig_drain();
    rig.store[0].watch_at = rig_super(2).layout.map_at;
    core_replace(rig.core, 0, rig.member[0], uuid[0], rig_job_done, &first);
    rig.store[0].hold_write = true;
    rig_drain();
    rig.store[1].broken = true;
    core_replace(rig.core, 1, rig.member[1], uuid[1], rig_job_done, &second);
    rig_drain();
    CHECK(second.ended && second.status == PXA_EIO && !first.ended);
    core_submit(rig.core, &op);
    rig_drain();
    CHECK(!write.ended);
    rig_release(&rig.store[0], 0);
    rig_drain();
    CHECK(first.ended && first.status == PXR_OK && write.ended && write.status == PXR_OK);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* Two members come with one uuid, while neither has it yet. */
static void check_same_uuid(bool later)
{
    struct outcome outcome[2] = {{false, 0}, {false, 0}};
    rig_begin(2, 2, CORE_BLOCK, later, NULL);
    for (unsigned i = 0; i < 2; i++)
        CHECK_INT(core_fail(rig.core, i), PXR_OK);
    for (unsigned i = 0; i < 2; i++)
        core_replace(rig.core, i, rig.member[i], some_uuid, rig_job_done, &outcome[i]);
    rig_drain();
    CHECK(outcome[0].ended && outcome[1].ended);
    CHECK_INT((outcome[0].status == PXR_OK) + (outcome[1].status == PXR_OK), 1);
    CHECK_INT((outcome[0].status == PXR_EINVAL) + (outcome[1].status == PXR_EINVAL), 1);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

int main(int argc, char **argv)
{
    check_start("test_array_core", argc, argv);
    static const struct {
        unsigned k, m;
        uint32_t chunk;
    } sizes[] = {{1, 1, 4096}, {2, 1, 8192}, {2, 2, 4096}, {3, 3, 16384}, {6, 2, 65536}};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned later = 0; later < 2; later++) {
            const unsigned k = sizes[i].k, m = sizes[i].m;
            struct core_options least = {.pages = core_least_pages(k, m), .sync_window = 2};
            if (check_case("%u+%u, chunk %u, %s", k, m, sizes[i].chunk,
                           later ? "least pool" : "default pool"))
                check_life(k, m, sizes[i].chunk, later != 0, later ? &least : NULL);
        }
    if (check_case("rot, 4+2"))
        check_rot(4, 2);
    for (unsigned later = 0; later < 2; later++)
        if (check_case("too many members fail, %s", later ? "later" : "at once"))
            check_death(later != 0);
    for (unsigned m = 1; m <= 2; m++)
        if (check_case("a blank member comes while a read is under way, 2+%u", m))
            check_blank_replacement(m);
    if (check_case("both slots of a page of checksums"))
        check_slots();
    if (check_case("an epoch that is torn everywhere"))
        check_torn_everywhere();
    if (check_case("reads fail when little is left"))
        check_last_reads();
    for (unsigned spare = 0; spare < 2; spare++)
        if (check_case("a page of checksums cannot be read, %u to spare", spare))
            check_unreadable_sums(spare != 0);
    if (check_case("a rebuild of little that was written"))
        check_unwritten();
    if (check_case("a rebuild loses rows"))
        check_lost_rows();
    if (check_case("a replacement fails while another one holds the map"))
        check_held_map();
    for (unsigned later = 0; later < 2; later++)
        if (check_case("two replacements with one uuid, %s", later ? "later" : "at once"))
            check_same_uuid(later != 0);
    if (check_case("refusals"))
        check_refusals();
    return check_finish();
}
