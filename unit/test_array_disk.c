/* SPDX-License-Identifier: BSD-3-Clause */
/* The writing core: what is on disk. */
#include "array_rig.h"
#include "check.h"

#include <string.h>

/* ----------------------------------------------------------------- on disk -- */

static struct disk_super some_super(unsigned k, unsigned m)
{
    struct disk_super super = {.uuid = "array's own uuid",
                               .name = "name",
                               .data = k,
                               .parity = m,
                               .chunk = 8192,
                               .region = 65536,
                               .matrix_hash = 0x123456789abcdef0,
                               .layout = {.log_blocks = 16,
                                          .map_at = 16384,
                                          .log_at = 32768,
                                          .sums_at = 98304,
                                          .data_at = 131072,
                                          .stripes = 7},
                               .place = 1,
                               .role = k,
                               .member_uuid = "member's uuid...",
                               .sequence = 77,
                               .events = 5,
                               .tail = UINT64_C(1) << 40};
    for (unsigned i = 0; i < k + m; i++) {
        memset(super.roles[i].uuid, (int)i + 1, 16);
        super.roles[i].state = i == 0 ? CORE_FAILED : CORE_IN_SYNC;
        super.roles[i].left = i == 0 ? 5 : 0;
        super.roles[i].log_start = i % 16;
        super.roles[i].log_chain = 0xfedcba9876543210 + i;
    }
    return super;
}

/* No single bit of a structure may change without being noticed. */
static bool accepts_flip(uint8_t *block, unsigned bit, int (*get)(const uint8_t *block))
{
    block[bit / 8] ^= (uint8_t)(1 << bit % 8);
    const bool accepted = get(block) == PXR_OK;
    block[bit / 8] ^= (uint8_t)(1 << bit % 8);
    return accepted;
}

static void check_flips(uint8_t *block, int (*get)(const uint8_t *block))
{
    unsigned accepted = 0;
    CHECK_INT(get(block), PXR_OK);
    for (unsigned bit = 0; bit < CORE_BLOCK * 8; bit++)
        accepted += accepts_flip(block, bit, get);
    CHECK_INT(accepted, 0);
}

/* A crash tears a block after some sectors: the rest is what was there before. */
static void check_torn(const uint8_t *block, const uint8_t *before,
                       int (*get)(const uint8_t *block))
{
    uint8_t torn[CORE_BLOCK];
    for (unsigned sectors = 1; sectors < CORE_BLOCK / 512; sectors++) {
        memcpy(torn, before, CORE_BLOCK);
        memcpy(torn, block, sectors * 512);
        if (memcmp(torn, block, CORE_BLOCK) != 0 && memcmp(torn, before, CORE_BLOCK) != 0)
            CHECK(get(torn) != PXR_OK);
    }
}

static int get_super(const uint8_t *block)
{
    struct disk_super super;
    return disk_super_get(block, 1, &super);
}

static void check_super(unsigned k, unsigned m)
{
    uint8_t block[CORE_BLOCK], older[CORE_BLOCK];
    struct disk_super super = some_super(k, m), got;
    disk_super_put(block, &super);
    CHECK_INT(disk_super_get(block, 1, &got), PXR_OK);
    CHECK_INT(got.data, k);
    CHECK_INT(got.role, k);
    CHECK(got.tail == super.tail);
    CHECK(memcmp(got.roles, super.roles, sizeof got.roles) == 0);
    CHECK(got.layout.stripes == 7 && got.layout.data_at == 131072);
    CHECK(disk_config_hash(&got) == disk_config_hash(&super));
    CHECK_INT(got.roles[k + m - 1].uuid[15], k + m);
    CHECK_INT(disk_super_get(block, 0, &got), PXA_EDAMAGED);
    check_flips(block, get_super);
    super.sequence = 1;
    super.roles[k + m - 1].cursor = 12;
    disk_super_put(older, &super);
    check_torn(block, older, get_super);
    memset(block, 0, sizeof block);
    CHECK_INT(disk_super_get(block, 1, &got), PXA_ENONE);
}

/* Numbers that cannot be, in a superblock whose checksum is right. */
static void check_refused_super(unsigned fault)
{
    uint8_t block[CORE_BLOCK];
    struct disk_super super = some_super(3, 2), got;
    super.roles[1].state = CORE_REBUILDING;
    super.roles[1].cursor = super.layout.stripes + (fault == 0);
    super.sequence = fault == 1 ? UINT64_MAX : super.sequence;
    super.events = fault == 2 ? UINT64_MAX - 1 : super.events;
    super.tail = fault == 3 ? 0 : fault == 4 ? UINT64_MAX - 8 : super.tail;
    super.committed = fault == 6 ? DISK_MOST + 1 : DISK_MOST;
    super.roles[0].left = super.events + (fault == 5);
    disk_super_put(block, &super);
    check_at("fault %ld", fault, 0, 0, 0);
    CHECK_INT(disk_super_get(block, 1, &got), fault < 7 ? PXA_EDAMAGED : PXR_OK);
}

static const uint8_t some_uuid[16] = "0123456789abcde";

static int get_page(const uint8_t *block)
{
    struct disk_page page = {DISK_SUMS, 3, some_uuid, 9, 0};
    return disk_page_get(block, &page, 12345678901);
}

static void check_page(void)
{
    uint8_t block[CORE_BLOCK], older[CORE_BLOCK];
    struct disk_page page = {DISK_SUMS, 3, some_uuid, 9, 12345678901};
    for (unsigned i = 0; i < CORE_BLOCK; i++)
        block[i] = (uint8_t)(i * 7);
    memset(older, 0, sizeof older);
    disk_page_put(block, &page);
    page.sequence = 0;
    CHECK_INT(disk_page_get(block, &page, 12345678901), PXR_OK);
    CHECK(page.sequence == 12345678901);
    CHECK_INT(block[100], (uint8_t)(100 * 7));
    check_flips(block, get_page);
    check_torn(block, older, get_page);
    page.index = 10;
    CHECK_INT(disk_page_get(block, &page, 12345678901), PXA_EDAMAGED);
    page.index = 9;
    page.role = 2;
    CHECK_INT(disk_page_get(block, &page, 12345678901), PXA_EDAMAGED);
    CHECK_INT(disk_page_get(older, &page, 12345678901), PXA_ENONE);
    for (unsigned fits = 0; fits < 2; fits++) {
        const int status = fits ? PXR_OK : PXA_EDAMAGED;
        page.sequence = DISK_MOST + !fits;
        disk_page_put(block, &page);
        CHECK_INT(disk_page_get(block, &page, DISK_MOST), status);
        page.sequence = 70 + DISK_AHEAD + !fits;
        disk_page_put(block, &page);
        page.sequence = 0;
        CHECK_INT(disk_page_get(block, &page, 70), status);
        CHECK(page.sequence == (fits ? 70 + DISK_AHEAD : 0));
    }
}

/* A generation without room to grow: the page does not count, and the other slot does. */
static void check_refused_map(void)
{
    rig_begin(2, 1, 4096, false, NULL);
    check_fill(rig.model, CORE_BLOCK);
    CHECK_INT(rig_run(CORE_WRITE, 0, CORE_BLOCK, rig.model, true), PXR_OK);
    CHECK_INT(rig_stop(), PXR_OK);
    for (unsigned role = 0; role < 2; role++) {
        const struct disk_super super = rig_super(role);
        uint8_t *slot = rig.store[role].bytes + super.layout.map_at + CORE_BLOCK;
        struct disk_page page = {DISK_MAP, 0, super.uuid, 0, 0};
        CHECK_INT(disk_page_get(slot, &page, super.sequence), PXR_OK);
        slot[DISK_PAGE_HEADER + 7] = 0x80;
        disk_page_put(slot, &page);
    }
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, 3), PXR_OK);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    for (unsigned role = 0; role < 3; role++)
        CHECK_INT(rig.store[role]
                      .bytes[rig_super(role).layout.map_at + CORE_BLOCK + DISK_PAGE_HEADER + 7],
                  0);
    rig_end();
}

/* The newest page 0 of a member; false: there is none. */
static bool find_page(unsigned role, enum disk_table table, uint8_t **newest,
                      struct disk_page *page)
{
    const struct disk_super super = rig_super(role);
    const uint64_t at = table == DISK_MAP ? super.layout.map_at : super.layout.sums_at;
    *page = (struct disk_page){table, table == DISK_MAP ? 0 : role, NULL, 0, 0};
    for (unsigned slot = 0; slot < 2; slot++) {
        uint8_t *block = rig.store[role].bytes + at + slot * CORE_BLOCK;
        struct disk_page here = {table, page->role, super.uuid, 0, 0};
        if (disk_page_get(block, &here, super.sequence) == PXR_OK &&
            here.sequence > page->sequence) {
            page->sequence = here.sequence;
            *newest = block;
        }
    }
    return page->sequence > 0;
}

/* Gives member 0 a page that is so far ahead of the superblocks. */
static void forge_page(enum disk_table table, uint64_t ahead)
{
    const struct disk_super super = rig_super(0);
    struct disk_page page;
    uint8_t *block;
    if (!CHECK(find_page(0, table, &block, &page)))
        return;
    page.uuid = super.uuid;
    page.sequence = super.sequence + ahead;
    disk_page_put(block, &page);
}

/* Stops, but the process is killed when all members but the first have their pages of
   checksums. */
static void crash_in_checkpoint(void)
{
    struct outcome outcome = {false, 0};
    rig.store[0].watch_at = rig_super(0).layout.sums_at;
    rig.store[0].hold_write = true;
    core_stop(rig.core, rig_job_done, &outcome);
    rig_drain();
    CHECK(!outcome.ended && rig.store[0].held.done != NULL);
    rig_crash();
}

/*
 * One member has a page with a sequence that is near the greatest that counts.  The pages of
 * the others become newer than that, and still count, also after a crash, when that member is
 * lost.
 */
static void check_forged_page(enum disk_table table, uint64_t ahead)
{
    struct disk_page page;
    uint8_t *block;
    rig_begin(2, 1, 4096, false, NULL);
    rig_write(0, 4 * CORE_BLOCK);
    CHECK_INT(rig_stop(), PXR_OK);
    forge_page(table, ahead);
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(0, 3), PXR_OK);
    rig_write(0, 4 * CORE_BLOCK);
    rig_write(rig_super(0).region * 2, CORE_BLOCK);
    crash_in_checkpoint();
    CHECK(find_page(1, DISK_SUMS, &block, &page));
    CHECK(page.sequence <= rig_super(1).sequence + 2);
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(1, 2), PXR_OK);
    rig_check_all();
    rig_write(0, 4 * CORE_BLOCK);
    rig_reassemble(NULL, 1, 2);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

static int get_segment(const uint8_t *block)
{
    struct disk_segment segment = {
        .role = 2, .uuid = some_uuid, .position = 40, .previous = 0x1122334455667788};
    uint64_t chain;
    return disk_segment_get(block, &segment, &chain);
}

static void check_segment(void)
{
    uint8_t block[CORE_BLOCK], older[CORE_BLOCK];
    static struct disk_segment segment, got;
    segment = (struct disk_segment){.role = 2,
                                    .count = DISK_SEGMENT_ENTRIES,
                                    .uuid = some_uuid,
                                    .epoch = 99,
                                    .position = 40,
                                    .previous = 0x1122334455667788,
                                    .committed = 98,
                                    .members = UINT64_C(0x8000000000000005)};
    for (unsigned i = 0; i < DISK_SEGMENT_ENTRIES; i++)
        segment.entry[i] =
            (struct disk_entry){UINT64_C(0x100000000) * i, 3 * i + 2, i % 3 == 0};
    uint64_t chain = disk_segment_put(block, &segment), got_chain = 0;
    got = (struct disk_segment){
        .role = 2, .uuid = some_uuid, .position = 40, .previous = 0x1122334455667788};
    CHECK_INT(disk_segment_get(block, &got, &got_chain), PXR_OK);
    CHECK(got_chain == chain && got.epoch == 99 && got.members == segment.members);
    CHECK(memcmp(got.entry, segment.entry, sizeof got.entry) == 0);
    check_flips(block, get_segment);
    segment.epoch = 3;
    segment.entry[200].sum = 1;
    disk_segment_put(older, &segment);
    check_torn(block, older, get_segment);
    got.previous++;
    CHECK_INT(disk_segment_get(block, &got, &chain), PXA_EDAMAGED);
    got.previous--;
    got.position++;
    CHECK_INT(disk_segment_get(block, &got, &chain), PXA_EDAMAGED);
    for (unsigned fault = 0; fault < 3; fault++) {
        segment.epoch = fault == 0 ? DISK_MOST + 1 : 99;
        segment.committed = fault == 1 ? DISK_MOST + 1 : 98;
        disk_segment_put(block, &segment);
        CHECK_INT(get_segment(block), fault < 2 ? PXA_EDAMAGED : PXR_OK);
    }
}

static void check_sums(void)
{
    uint8_t block[CORE_BLOCK] = {0}, other[16] = "another array";
    CHECK(disk_sum_matches(DISK_ZEROS, some_uuid, 0, 5, block));
    CHECK(!disk_sum_matches(DISK_UNKNOWN, some_uuid, 0, 5, block));
    const uint32_t sum = disk_sum(some_uuid, 0, 5, block);
    CHECK(sum > DISK_UNKNOWN && disk_sum_matches(sum, some_uuid, 0, 5, block));
    CHECK(!disk_sum_matches(sum, some_uuid, 0, 6, block));
    CHECK(!disk_sum_matches(sum, some_uuid, 1, 5, block));
    CHECK(!disk_sum_matches(sum, other, 0, 5, block));
    block[4095] = 1;
    CHECK(!disk_sum_matches(sum, some_uuid, 0, 5, block));
    CHECK(!disk_sum_matches(DISK_ZEROS, some_uuid, 0, 5, block));
}

static void check_layouts(void)
{
    struct disk_super super = {.data = 2, .parity = 1};
    unsigned made = 0;
    for (uint32_t chunk = 4096; chunk <= 262144; chunk *= 2)
        for (uint64_t size = 4096; size < UINT64_C(1) << 50; size = size * 3 + 4096) {
            struct core_shape shape = rig_shape(2, 1, chunk);
            shape.region = size > MEMBER_SIZE ? 0 : chunk;
            shape.log = 0;
            super.chunk = chunk;
            check_at("chunk=%ld, size=%ld", chunk, (long)size, 0, 0);
            if (disk_layout_make(&shape, size, &super.region, &super.layout, NULL) != PXR_OK)
                continue;
            const uint64_t data_end = super.layout.data_at + super.layout.stripes * super.chunk;
            CHECK(data_end <= disk_super_at(2, size));
            CHECK(super.layout.sums_pages * 960 * CORE_BLOCK >= super.layout.stripes * chunk);
            CHECK(disk_layout_fits(&super, size));
            CHECK(!disk_layout_fits(&super, data_end));
            CHECK(super.layout.stripes * chunk / super.region < UINT64_C(1) << 20);
            made++;
        }
    CHECK(made > 100);
}

static void check_refused_shapes(void)
{
    struct disk_layout layout;
    struct pxr_error why;
    uint64_t region;
    for (unsigned fault = 0; fault < 10; fault++) {
        struct core_shape shape = rig_shape(2, 1, 8192);
        shape.chunk = fault == 0 ? 2048 : fault == 1 ? 12288 : fault == 2 ? 524288 : 8192;
        shape.parity = fault == 3 ? 0 : fault == 4 ? 63 : 1;
        shape.region = fault == 5 ? 4096 : fault == 9 ? UINT64_C(1) << 57 : 65536;
        shape.log = fault == 6 ? 4096 : 16 * 4096;
        if (fault == 7)
            memset(shape.uuid, 0, 16);
        if (fault == 8)
            memcpy(shape.member_uuid[0], shape.member_uuid[2], 16);
        why.text[0] = 0;
        check_at("fault %ld", fault, 0, 0, 0);
        CHECK_INT(disk_layout_make(&shape, MEMBER_SIZE, &region, &layout, &why), PXR_EINVAL);
        CHECK(why.text[0] != 0);
    }
}

int main(int argc, char **argv)
{
    check_start("test_array_disk", argc, argv);
    if (check_case("superblock"))
        check_super(3, 2);
    if (check_case("superblock of 64 members"))
        check_super(60, 4);
    if (check_case("refused superblocks"))
        for (unsigned fault = 0; fault <= 7; fault++)
            check_refused_super(fault);
    if (check_case("refused page of the region map"))
        check_refused_map();
    if (check_case("table page"))
        check_page();
    if (check_case("forged sequences of pages"))
        for (uint64_t ahead = DISK_AHEAD - 2; ahead < DISK_AHEAD + 6; ahead++) {
            check_forged_page(DISK_SUMS, ahead);
            check_forged_page(DISK_MAP, ahead);
        }
    if (check_case("segment"))
        check_segment();
    if (check_case("checksums"))
        check_sums();
    if (check_case("layouts"))
        check_layouts();
    if (check_case("refused shapes"))
        check_refused_shapes();
    return check_finish();
}
