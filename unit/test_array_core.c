/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The writing core: what is on disk, and rounds of operations over members in memory.  What a
 * crash leaves is the simulator's part.
 */
#include "check.h"
#include "core/candidates.h"
#include "core/core.h"
#include "core/disk.h"
#include "permxor_array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBER_SIZE = 1 << 20 };

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
    disk_super_put(block, &super);
    check_at("fault %ld", fault, 0, 0, 0);
    CHECK_INT(disk_super_get(block, 1, &got), fault < 5 ? PXA_EDAMAGED : PXR_OK);
}

static const uint8_t some_uuid[16] = "0123456789abcde";

static int get_page(const uint8_t *block)
{
    struct disk_page page = {DISK_SUMS, 3, some_uuid, 9, 0};
    return disk_page_get(block, &page);
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
    CHECK_INT(disk_page_get(block, &page), PXR_OK);
    CHECK(page.sequence == 12345678901);
    CHECK_INT(block[100], (uint8_t)(100 * 7));
    check_flips(block, get_page);
    check_torn(block, older, get_page);
    page.index = 10;
    CHECK_INT(disk_page_get(block, &page), PXA_EDAMAGED);
    page.index = 9;
    page.role = 2;
    CHECK_INT(disk_page_get(block, &page), PXA_EDAMAGED);
    CHECK_INT(disk_page_get(older, &page), PXA_ENONE);
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

static struct core_shape some_shape(unsigned k, unsigned m, uint32_t chunk)
{
    struct core_shape shape = {
        .data = k, .parity = m, .chunk = chunk, .region = 8 * chunk, .log = 40 * CORE_BLOCK};
    memset(shape.uuid, 0xa5, 16);
    for (unsigned i = 0; i < k + m && i < PXA_MAX_MEMBERS; i++)
        memset(shape.member_uuid[i], (int)i + 1, 16);
    return shape;
}

static void check_layouts(void)
{
    struct disk_super super = {.data = 2, .parity = 1};
    unsigned made = 0;
    for (uint32_t chunk = 4096; chunk <= 262144; chunk *= 2)
        for (uint64_t size = 4096; size < UINT64_C(1) << 50; size = size * 3 + 4096) {
            struct core_shape shape = some_shape(2, 1, chunk);
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
        struct core_shape shape = some_shape(2, 1, 8192);
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

/* -------------------------------------------------------------- candidates -- */

static void make_candidates(struct candidate *candidates, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        candidates[i].status = PXR_OK;
        candidates[i].super = some_super(n - 2, 2);
        candidates[i].super.role = i;
        candidates[i].super.roles[0].state = CORE_IN_SYNC;
        memcpy(candidates[i].super.member_uuid, candidates[i].super.roles[i].uuid, 16);
    }
}

/* Member `role` leaves, and the members of `told` know of it. */
static void leave(struct candidate *candidates, unsigned n, unsigned role, unsigned told)
{
    for (unsigned i = 0; i < n; i++)
        if (told >> i & 1) {
            candidates[i].super.events++;
            candidates[i].super.roles[role].state = CORE_FAILED;
            candidates[i].super.roles[role].left = candidates[i].super.events;
        }
}

static void check_candidates(void)
{
    struct candidate c[5];
    struct chosen chosen;
    struct pxr_error why;
    make_candidates(c, 5);
    CHECK_INT(candidates_choose(c, 5, &chosen, &why), PXR_OK);
    for (int i = 0; i < 5; i++)
        CHECK_INT(chosen.device[i], i);
    leave(c, 5, 4, 0xf); /* all are told: member 4 is stale */
    CHECK_INT(candidates_choose(c, 5, &chosen, &why), PXR_OK);
    CHECK_INT(chosen.device[4], -1);
    make_candidates(c, 5);
    leave(c, 5, 4, 1); /* a crash before the others were told */
    CHECK_INT(candidates_choose(c, 5, &chosen, &why), PXR_OK);
    CHECK(chosen.device[4] == -1 && chosen.device[3] == 3);
    CHECK_INT(candidates_choose(c + 1, 4, &chosen, &why), PXR_OK);
    CHECK(chosen.device[4] == 3);
    leave(c, 5, 0, 0x1e); /* both sides went on alone */
    CHECK_INT(candidates_choose(c, 5, &chosen, &why), PXA_EREFUSED);
    leave(c, 5, 1, 0x1c);
    CHECK_INT(candidates_choose(c, 5, &chosen, &why), PXA_EREFUSED);
    CHECK(strstr(why.text, "two candidates") != NULL);
    make_candidates(c, 5);
    c[2].super.uuid[0]++;
    CHECK_INT(candidates_choose(c, 5, &chosen, &why), PXA_EREFUSED);
    make_candidates(c, 5);
    c[2].super = c[1].super;
    CHECK_INT(candidates_choose(c, 5, &chosen, &why), PXA_EREFUSED);
    make_candidates(c, 5);
    CHECK_INT(candidates_choose(c, 2, &chosen, &why), PXR_ETOOFEW);
    c[0].status = c[1].status = PXA_ENONE;
    CHECK_INT(candidates_choose(c, 2, &chosen, &why), PXA_ENONE);
}

/* ------------------------------------------------------------------ rounds -- */

/* A member in memory.  Every operation ends within its call, or when work() is called. */
struct store {
    uint8_t *bytes;
    bool later;
    bool broken; /* every operation fails */
    struct {
        core_io_done *done;
        void *token;
    } waiting[4096], held;
    unsigned waits;
    unsigned reads;
    uint64_t data_at, data_end;
    uint64_t placed, elsewhere; /* bytes that were written to the data, and not to it */
    bool hold_read;             /* the next read is held until release() */
    uint64_t watch_at;          /* a page with two slots; 0: nobody looks at them */
    bool hold_write;            /* the next write to them is held */
    unsigned unflushed;         /* bit i: slot i was written since the last flush */
    bool both_unflushed;        /* that was so of both slots */
};

static void ended(struct store *store, core_io_done *done, void *token)
{
    if (!store->later) {
        done(token, store->broken ? EIO : 0);
        return;
    }
    if (store->waits == sizeof store->waiting / sizeof *store->waiting)
        abort();
    store->waiting[store->waits].done = done;
    store->waiting[store->waits++].token = token;
}

static void hold(struct store *store, core_io_done *done, void *token)
{
    store->held.done = done;
    store->held.token = token;
    store->hold_read = store->hold_write = false;
}

static void release(struct store *store, int error)
{
    core_io_done *done = store->held.done;
    store->held.done = NULL;
    if (CHECK(done != NULL))
        done(store->held.token, error);
}

static void store_read(void *self, uint64_t offset, size_t len, void *buffer,
                       core_io_done *done, void *token)
{
    struct store *store = self;
    memcpy(buffer, store->bytes + offset, len);
    store->reads++;
    if (store->hold_read) {
        hold(store, done, token);
        return;
    }
    ended(store, done, token);
}

static void store_write(void *self, uint64_t offset, size_t len, const void *buffer,
                        bool durable, core_io_done *done, void *token)
{
    struct store *store = self;
    (void)durable;
    memcpy(store->bytes + offset, buffer, len);
    const bool is_data = offset >= store->data_at && offset < store->data_end;
    *(is_data ? &store->placed : &store->elsewhere) += len;
    const bool is_watched = store->watch_at != 0 && offset >= store->watch_at &&
                            offset - store->watch_at < 2 * (uint64_t)CORE_BLOCK;
    if (is_watched)
        store->unflushed |= 1u << (offset != store->watch_at);
    store->both_unflushed = store->both_unflushed || store->unflushed == 3;
    if (is_watched && store->hold_write)
        hold(store, done, token);
    else
        ended(self, done, token);
}

/* It covers no write that is held. */
static void store_flush(void *self, core_io_done *done, void *token)
{
    struct store *store = self;
    if (store->held.done == NULL)
        store->unflushed = 0;
    ended(self, done, token);
}

static void store_zero(void *self, uint64_t offset, uint64_t len, core_io_done *done,
                       void *token)
{
    memset(((struct store *)self)->bytes + offset, 0, len);
    ended(self, done, token);
}

static uint64_t store_size(void *self)
{
    (void)self;
    return MEMBER_SIZE;
}

static const struct core_member_calls store_calls = {store_read, store_write, store_flush,
                                                     store_zero, store_size};

static struct store stores[PXA_MAX_MEMBERS];
static struct core_member members[PXA_MAX_MEMBERS];
static struct core *core;
static uint8_t *model, *buffer;
static uint64_t capacity;
static unsigned width;

static void make_members(unsigned n, bool later)
{
    width = n;
    for (unsigned i = 0; i < n; i++) {
        stores[i].bytes = malloc(MEMBER_SIZE);
        stores[i].later = later;
        stores[i].waits = 0;
        stores[i].broken = stores[i].hold_read = stores[i].hold_write = false;
        stores[i].held.done = NULL;
        stores[i].watch_at = stores[i].data_at = 0;
        memset(stores[i].bytes, 0xee, MEMBER_SIZE); /* what was there before */
        members[i] = (struct core_member){&store_calls, &stores[i]};
    }
}

static bool work(void)
{
    bool any = false;
    for (unsigned i = 0; i < width; i++)
        while (stores[i].waits > 0) {
            const unsigned last = --stores[i].waits; /* the last one ends first */
            stores[i].waiting[last].done(stores[i].waiting[last].token,
                                         stores[i].broken ? EIO : 0);
            any = true;
        }
    return any;
}

/* Turns the core until nothing is under way any more. */
static void drain(void)
{
    while (core_turn(core))
        if (!work())
            break;
    CHECK(core_check(core) == NULL);
}

struct outcome {
    bool ended;
    int status;
};

static void job_done(void *token, int status, const char *why)
{
    (void)why;
    *(struct outcome *)token = (struct outcome){true, status};
}

static void op_done(struct core_op *op, int status)
{
    *(struct outcome *)op->user = (struct outcome){true, status};
}

static int run_op(enum core_kind kind, uint64_t offset, uint64_t len, void *bytes, bool fua)
{
    struct outcome outcome = {false, 0};
    struct core_op op = {.kind = kind,
                         .fua = fua,
                         .offset = offset,
                         .len = len,
                         .buffer = bytes,
                         .done = op_done,
                         .user = &outcome};
    core_submit(core, &op);
    drain();
    CHECK(outcome.ended);
    return outcome.status;
}

static int assemble_some(unsigned first, unsigned count)
{
    struct outcome outcome = {false, 0};
    core_assemble(core, members + first, count, job_done, &outcome);
    drain();
    CHECK(outcome.ended);
    return outcome.status;
}

static int stop(void)
{
    struct outcome outcome = {false, 0};
    core_stop(core, job_done, &outcome);
    drain();
    CHECK(outcome.ended);
    core_free(core);
    core = NULL;
    return outcome.status;
}

static void begin_array(unsigned k, unsigned m, uint32_t chunk, bool later,
                        const struct core_options *options)
{
    struct outcome outcome = {false, 0};
    struct core_status status;
    const struct core_shape shape = some_shape(k, m, chunk);
    make_members(k + m, later);
    CHECK_INT(core_create(&core, options), PXR_OK);
    core_format(core, &shape, members, k + m, job_done, &outcome);
    drain();
    CHECK(outcome.ended);
    CHECK_INT(outcome.status, PXR_OK);
    CHECK_INT(assemble_some(0, k + m), PXR_OK);
    core_status(core, &status);
    capacity = status.capacity;
    CHECK(capacity > 0);
    model = calloc(1, capacity);
    buffer = malloc(capacity);
}

static void end_array(void)
{
    for (unsigned i = 0; i < width; i++)
        free(stores[i].bytes);
    free(model);
    free(buffer);
}

/* The newest superblock of a member. */
static struct disk_super super_of(unsigned role)
{
    struct disk_super newest = {.sequence = 0}, super;
    for (unsigned place = 0; place < DISK_PLACES; place++)
        if (disk_super_get(stores[role].bytes + disk_super_at(place, MEMBER_SIZE), place,
                           &super) == PXR_OK &&
            super.sequence > newest.sequence)
            newest = super;
    CHECK(newest.sequence > 0);
    return newest;
}

static uint64_t below(uint64_t limit)
{
    return check_random() % limit;
}

static void random_ops(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const uint64_t offset = below(capacity), most = below(4) == 0 ? 200000 : 9000;
        uint64_t len = below(most);
        if (len > capacity - offset)
            len = capacity - offset;
        const unsigned what = (unsigned)below(8);
        check_at("operation %ld: offset=%ld, len=%ld", i, (long)offset, (long)len, 0);
        if (what < 4) {
            check_fill(buffer, len);
            memcpy(model + offset, buffer, len);
            CHECK_INT(run_op(CORE_WRITE, offset, len, buffer, what == 0), PXR_OK);
        } else if (what == 4) {
            memset(model + offset, 0, len);
            CHECK_INT(run_op(CORE_ZERO, offset, len, NULL, false), PXR_OK);
        } else if (what == 5) {
            CHECK_INT(run_op(CORE_FLUSH, 0, 0, NULL, false), PXR_OK);
        } else {
            CHECK_INT(run_op(CORE_READ, offset, len, buffer, false), PXR_OK);
            CHECK(memcmp(buffer, model + offset, len) == 0);
        }
        if (below(16) == 0)
            core_commit(core);
    }
}

static void check_all(void)
{
    CHECK_INT(run_op(CORE_READ, 0, capacity, buffer, false), PXR_OK);
    CHECK(memcmp(buffer, model, capacity) == 0);
}

static void reassemble(const struct core_options *options, unsigned first, unsigned count)
{
    CHECK_INT(stop(), PXR_OK);
    CHECK_INT(core_create(&core, options), PXR_OK);
    CHECK_INT(assemble_some(first, count), PXR_OK);
    check_all();
}

static struct core_status scrub(bool repair)
{
    struct outcome outcome = {false, 0};
    struct core_status status;
    core_scrub(core, repair, job_done, &outcome);
    drain();
    CHECK(outcome.ended);
    CHECK_INT(outcome.status, PXR_OK);
    core_status(core, &status);
    CHECK(!status.scrubbing);
    CHECK_INT(status.scrubbed, status.stripes);
    return status;
}

/* Operations, a stop, up to m members away, operations, and these members back and rebuilt. */
static void check_life(unsigned k, unsigned m, uint32_t chunk, bool later,
                       const struct core_options *options)
{
    struct core_status status;
    begin_array(k, m, chunk, later, options);
    check_all();
    random_ops(60);
    check_all();
    reassemble(options, 0, k + m);
    random_ops(20);
    reassemble(options, m, k);
    random_ops(40);
    for (unsigned i = 0; i < m; i++) {
        struct outcome outcome = {false, 0};
        uint8_t uuid[16];
        memset(uuid, 0x40 + (int)i, 16);
        core_replace(core, i, members[i], uuid, job_done, &outcome);
        drain();
        CHECK(outcome.ended);
        CHECK_INT(outcome.status, PXR_OK);
    }
    core_status(core, &status);
    for (unsigned i = 0; i < k + m; i++)
        CHECK_INT(status.state[i], CORE_IN_SYNC);
    random_ops(20);
    reassemble(options, 0, k);
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* A block that rots is read right, and healed by the next write to its row. */
static void check_rot(unsigned k, unsigned m)
{
    struct core_status status;
    begin_array(k, m, 8192, false, NULL);
    random_ops(30);
    reassemble(NULL, 0, k + m);
    for (unsigned i = 0; i < m; i++)
        for (uint64_t at = MEMBER_SIZE / 2; at < MEMBER_SIZE - CORE_BLOCK; at += 1000)
            stores[i].bytes[at] ^= 1;
    check_all();
    core_status(core, &status);
    CHECK(status.bad_sums[0] > 0);
    random_ops(30);
    check_all();
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* Flips a bit in each row of `count` members, in all data of a member, from `first` on. */
static void rot_members(unsigned first, unsigned count)
{
    const struct disk_super super = super_of(0);
    const uint64_t end = super.layout.data_at + super.layout.stripes * super.chunk;
    for (unsigned i = 0; i < count; i++)
        for (uint64_t at = super.layout.data_at; at < end; at += CORE_BLOCK)
            stores[first + i].bytes[at + below(CORE_BLOCK)] ^= 4;
}

/* A check counts what rot has hit, a repair heals it, and then other members may go. */
static void check_scrub(unsigned k, unsigned m, bool later, const struct core_options *options)
{
    begin_array(k, m, 8192, later, options);
    check_fill(model, capacity);
    CHECK_INT(run_op(CORE_WRITE, 0, capacity, model, false), PXR_OK);
    random_ops(20);
    core_commit(core);
    drain();
    struct core_status before = scrub(false), after;
    CHECK_INT(before.scrub_rows, capacity / k / CORE_BLOCK);
    CHECK_INT(before.scrub_bad, 0);
    const uint64_t rows = before.scrub_rows;
    rot_members(1, m);
    after = scrub(false);
    CHECK_INT(after.scrub_rows, 2 * rows);
    CHECK_INT(after.scrub_bad, m * rows);
    CHECK_INT(after.scrub_repaired, 0);
    before = scrub(true);
    CHECK_INT(before.scrub_bad, 2 * m * rows);
    CHECK_INT(before.scrub_repaired, m * rows);
    after = scrub(true);
    CHECK_INT(after.scrub_bad, before.scrub_bad);
    CHECK_INT(after.scrub_repaired, before.scrub_repaired);
    CHECK_INT(after.scrub_lost + after.scrub_parity, 0);
    check_all();
    reassemble(options, m > 1 ? 1 : 0, k); /* without members that were sound */
    rot_members(m > 1 ? 1 : 0, 1);
    CHECK_INT(scrub(true).scrub_lost, rows);
    core_free(core);
    end_array();
}

/* Parity that is another one than that of the data, although its checksum is right. */
static void check_scrub_parity(void)
{
    begin_array(2, 2, CORE_BLOCK, false, NULL);
    check_fill(model, 2 * CORE_BLOCK);
    CHECK_INT(run_op(CORE_WRITE, 0, 2 * CORE_BLOCK, model, true), PXR_OK);
    reassemble(NULL, 0, 4);
    CHECK_INT(stop(), PXR_OK);
    const struct disk_super super = super_of(0);
    struct pxa_row where;
    const struct pxa_geometry geometry = {2, 2, PXA_LEFT_SYMMETRIC, CORE_BLOCK,
                                          super.layout.stripes * CORE_BLOCK};
    pxa_row(&geometry, 0, &where);
    const unsigned role = where.member[3];
    stores[role].bytes[super.layout.data_at] ^= 1;
    const uint32_t sum =
        disk_sum(super.uuid, role, 0, stores[role].bytes + super.layout.data_at);
    for (unsigned slot = 0; slot < 2; slot++) {
        uint8_t *block = stores[role].bytes + super.layout.sums_at + slot * CORE_BLOCK;
        struct disk_page page = {DISK_SUMS, role, super.uuid, 0, 0};
        if (disk_page_get(block, &page) != PXR_OK)
            continue;
        for (unsigned i = 0; i < 4; i++)
            block[DISK_PAGE_HEADER + i] = (uint8_t)(sum >> 8 * i);
        disk_page_put(block, &page);
    }
    CHECK_INT(core_create(&core, NULL), PXR_OK);
    CHECK_INT(assemble_some(0, 4), PXR_OK);
    CHECK_INT(scrub(false).scrub_parity, 1);
    CHECK_INT(scrub(true).scrub_repaired, 1);
    CHECK_INT(scrub(true).scrub_parity, 2);
    reassemble(NULL, 2, 2);
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* What a read has found bad is right in its place soon, without another write. */
static void check_read_repair(void)
{
    struct core_status status;
    begin_array(2, 1, CORE_BLOCK, false, NULL);
    check_fill(model, 4 * CORE_BLOCK);
    CHECK_INT(run_op(CORE_WRITE, 0, 4 * CORE_BLOCK, model, false), PXR_OK);
    reassemble(NULL, 0, 3);
    uint8_t *rotten = stores[0].bytes + super_of(0).layout.data_at;
    const uint8_t was = *rotten;
    *rotten ^= 8;
    check_all();
    core_commit(core);
    drain();
    CHECK_INT(*rotten, was);
    core_status(core, &status);
    CHECK_INT(status.bad_sums[0], 2); /* the read has seen it, and then the repair */
    CHECK_INT(status.scrub_repaired, 1);
    check_all();
    core_status(core, &status);
    CHECK_INT(status.bad_sums[0], 2);
    reassemble(NULL, 0, 2);
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* Scrubs that may not begin, and one in whose midst the array is stopped. */
static void check_scrub_refusals(void)
{
    struct outcome first = {false, 0}, second = {false, 0}, stopped = {false, 0};
    CHECK_INT(core_create(&core, NULL), PXR_OK);
    core_scrub(core, true, job_done, &first);
    core_turn(core);
    CHECK(first.ended && first.status == PXR_EINVAL);
    core_free(core);
    const struct core_options narrow = {.sync_window = 1};
    begin_array(2, 1, CORE_BLOCK, true, &narrow);
    check_fill(model, capacity);
    CHECK_INT(run_op(CORE_WRITE, 0, capacity, model, false), PXR_OK);
    first.ended = false;
    core_scrub(core, false, job_done, &first);
    core_scrub(core, false, job_done, &second);
    core_turn(core);
    CHECK(second.ended != first.ended);
    core_stop(core, job_done, &stopped);
    drain();
    CHECK(first.ended && second.ended && stopped.ended);
    CHECK_INT(first.status, PXR_EINVAL);
    CHECK_INT(second.status, PXR_EINVAL);
    CHECK_INT(stopped.status, PXR_OK);
    core_free(core);
    end_array();
}

static void check_refusals(void)
{
    struct outcome outcome = {false, 0};
    begin_array(2, 2, 4096, false, NULL);
    CHECK_INT(run_op(CORE_READ, capacity, 1, buffer, false), PXR_EINVAL);
    CHECK_INT(run_op(CORE_READ, 1, UINT64_MAX, buffer, false), PXR_EINVAL);
    CHECK_INT(run_op(CORE_WRITE, 0, 1, NULL, false), PXR_EINVAL);
    CHECK_INT(run_op(CORE_READ, capacity, 0, NULL, false), PXR_OK);
    CHECK_INT(core_fail(core, 4), PXR_EINVAL);
    CHECK_INT(core_fail(core, 0), PXR_OK);
    CHECK_INT(core_fail(core, 0), PXR_EINVAL);
    CHECK_INT(core_fail(core, 3), PXR_OK);
    CHECK_INT(core_fail(core, 1), PXR_ETOOFEW);
    core_replace(core, 1, members[1], some_uuid, job_done, &outcome);
    drain();
    CHECK(outcome.ended && outcome.status == PXR_EINVAL);
    random_ops(10);
    CHECK_INT(stop(), PXR_OK);
    const struct core_options few = {.pages = core_least_pages(2, 2) - 1};
    CHECK_INT(core_create(&core, &few), PXR_OK);
    CHECK_INT(assemble_some(1, 2), PXR_EINVAL);
    core_free(core);
    CHECK_INT(core_create(&core, NULL), PXR_OK);
    CHECK_INT(assemble_some(2, 1), PXR_ETOOFEW);
    memset(stores[2].bytes, 0, MEMBER_SIZE);
    CHECK_INT(assemble_some(2, 1), PXA_ENONE);
    core_free(core);
    end_array();
}

/* Too many members fail: everything is answered, and what was flushed is there later. */
static void check_death(bool later)
{
    begin_array(2, 2, 8192, later, NULL);
    random_ops(20);
    CHECK_INT(run_op(CORE_FLUSH, 0, 0, NULL, false), PXR_OK);
    stores[0].broken = true;
    CHECK_INT(run_op(CORE_READ, 0, capacity, buffer, false), PXR_OK);
    random_ops(20);
    CHECK_INT(run_op(CORE_FLUSH, 0, 0, NULL, false), PXR_OK);
    for (unsigned i = 1; i < 4; i++)
        stores[i].broken = true;
    CHECK_INT(run_op(CORE_WRITE, 0, 5000, buffer, false), PXA_EIO);
    CHECK_INT(run_op(CORE_READ, 0, capacity, buffer, false), PXA_EIO);
    CHECK_INT(run_op(CORE_FLUSH, 0, 0, NULL, false), PXA_EIO);
    CHECK_INT(stop(), PXA_EIO);
    for (unsigned i = 0; i < 4; i++)
        stores[i].broken = false;
    CHECK_INT(core_create(&core, NULL), PXR_OK);
    CHECK_INT(assemble_some(0, 4), PXR_OK);
    CHECK_INT(run_op(CORE_READ, 0, capacity, buffer, false), PXR_OK);
    CHECK(memcmp(buffer + 8192, model + 8192, capacity - 8192) == 0);
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* ------------------------------------------------------------ answers late -- */

/* The roles of which one block is read alone for each of the first two blocks of data. */
static void find_readers(unsigned readers[2])
{
    for (unsigned block = 0; block < 2; block++) {
        unsigned before[PXA_MAX_MEMBERS];
        CHECK_INT(run_op(CORE_READ, block * CORE_BLOCK, 1, buffer, false), PXR_OK);
        for (unsigned i = 0; i < width; i++)
            before[i] = stores[i].reads;
        CHECK_INT(run_op(CORE_READ, block * CORE_BLOCK, 1, buffer, false), PXR_OK);
        for (unsigned i = 0; i < width; i++)
            if (stores[i].reads != before[i])
                readers[block] = i;
    }
}

/* While a read is under way, another member leaves and a blank one comes; then the read fails.
 */
static void check_blank_replacement(unsigned m)
{
    struct outcome read = {false, 0}, replaced = {false, 0};
    struct core_op op = {.kind = CORE_READ, .len = CORE_BLOCK, .done = op_done, .user = &read};
    unsigned role[2] = {0, 0};
    begin_array(2, m, CORE_BLOCK, false, NULL);
    check_fill(model, 2 * CORE_BLOCK);
    CHECK_INT(run_op(CORE_WRITE, 0, 2 * CORE_BLOCK, model, false), PXR_OK);
    reassemble(NULL, 0, 2 + m);
    find_readers(role);
    CHECK(role[0] != role[1]);
    op.buffer = buffer;
    stores[role[0]].hold_read = true;
    core_submit(core, &op);
    drain();
    CHECK_INT(core_fail(core, role[1]), PXR_OK);
    drain();
    memset(stores[role[1]].bytes, 0, MEMBER_SIZE);
    core_replace(core, role[1], members[role[1]], some_uuid, job_done, &replaced);
    drain();
    CHECK(replaced.ended && replaced.status == PXR_OK && !read.ended);
    release(&stores[role[0]], EIO);
    drain();
    CHECK(read.ended);
    CHECK_INT(read.status, m > 1 ? PXR_OK : PXA_EIO);
    CHECK(m == 1 || memcmp(buffer, model, CORE_BLOCK) == 0);
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* More is written while a checkpoint writes a page: its other slot has to wait for a flush. */
static void check_slots(void)
{
    begin_array(2, 1, CORE_BLOCK, false, NULL);
    random_ops(60);
    struct store *store = &stores[0];
    store->watch_at = super_of(0).layout.sums_at;
    store->unflushed = 0;
    store->both_unflushed = false;
    store->hold_write = true;
    for (unsigned i = 0; store->held.done == NULL && i < 100; i++)
        CHECK_INT(run_op(CORE_WRITE, 0, 2 * CORE_BLOCK, model, true), PXR_OK);
    CHECK_INT(run_op(CORE_WRITE, 0, 2 * CORE_BLOCK, model, true), PXR_OK);
    core_commit(core);
    drain();
    release(store, 0);
    drain();
    CHECK(!store->both_unflushed);
    check_all();
    CHECK_INT(stop(), PXR_OK);
    CHECK(!store->both_unflushed);
    end_array();
}

/* Assembles without one member, and reads block 1. */
static void read_without(unsigned role)
{
    const struct core_member member = members[role];
    members[role] = (struct core_member){NULL, NULL};
    CHECK_INT(core_create(&core, NULL), PXR_OK);
    CHECK_INT(assemble_some(0, width), PXR_OK);
    members[role] = member;
    CHECK_INT(run_op(CORE_READ, CORE_BLOCK, CORE_BLOCK, buffer, false), PXR_OK);
}

/* Where the next segment of a member has its header, if nothing was written since assembly. */
static uint8_t *next_header(unsigned role)
{
    const struct disk_super super = super_of(role);
    const uint64_t blocks = super.layout.log_blocks, at = super.roles[role].log_start;
    return stores[role].bytes + super.layout.log_at +
           (blocks - at < blocks / 4 ? 0 : at) * CORE_BLOCK;
}

static void crash_and_assemble(void)
{
    core_free(core);
    CHECK_INT(core_create(&core, NULL), PXR_OK);
    CHECK_INT(assemble_some(0, width), PXR_OK);
}

/*
 * An epoch is torn on all members, so the next one has its number and its place.  The second
 * crash leaves the old header before the same block on one member, and nothing on another.
 */
static void check_torn_everywhere(void)
{
    uint8_t old[CORE_BLOCK];
    unsigned role[2] = {0, 0};
    begin_array(2, 1, CORE_BLOCK, false, NULL);
    check_fill(model, 2 * CORE_BLOCK);
    CHECK_INT(run_op(CORE_WRITE, 0, 2 * CORE_BLOCK, model, false), PXR_OK);
    reassemble(NULL, 0, 3);
    find_readers(role);
    uint8_t *header = next_header(role[0]), *parity = next_header(3 - role[0] - role[1]);
    check_fill(buffer, 2 * CORE_BLOCK);
    uint8_t *bytes = malloc(2 * CORE_BLOCK);
    memcpy(bytes, buffer, 2 * CORE_BLOCK);
    CHECK_INT(run_op(CORE_WRITE, 0, CORE_BLOCK, bytes, false), PXR_OK);
    memcpy(old, header, CORE_BLOCK);
    CHECK(memcmp(header, "PXRALOG1", 8) == 0 && memcmp(parity, "PXRALOG1", 8) == 0);
    memset(header + CORE_BLOCK, 0, CORE_BLOCK);
    memset(parity + CORE_BLOCK, 0, CORE_BLOCK);
    crash_and_assemble();
    CHECK(next_header(role[0]) == header);
    CHECK_INT(run_op(CORE_WRITE, 0, 2 * CORE_BLOCK, bytes, false), PXR_OK);
    CHECK(memcmp(header, "PXRALOG1", 8) == 0);
    memcpy(header, old, CORE_BLOCK);
    memset(next_header(role[1]), 0, CORE_BLOCK);
    crash_and_assemble();
    CHECK_INT(run_op(CORE_READ, CORE_BLOCK, CORE_BLOCK, buffer, false), PXR_OK);
    CHECK(memcmp(buffer, model + CORE_BLOCK, CORE_BLOCK) == 0);
    core_free(core);
    read_without(role[1]);
    CHECK(memcmp(buffer, model + CORE_BLOCK, CORE_BLOCK) == 0);
    CHECK_INT(stop(), PXR_OK);
    free(bytes);
    end_array();
}

/* -------------------------------------------------------------- coming back -- */

static int readd(unsigned role)
{
    struct outcome outcome = {false, 0};
    core_readd(core, role, members[role], job_done, &outcome);
    drain();
    CHECK(outcome.ended);
    return outcome.status;
}

/* Only the regions that were written while a member was away are rebuilt. */
static void check_back(unsigned k, unsigned m, bool later)
{
    struct core_status before, after;
    begin_array(k, m, CORE_BLOCK, later, NULL);
    const uint64_t region = super_of(0).region * k;
    check_fill(model, capacity);
    CHECK_INT(run_op(CORE_WRITE, 0, capacity, model, false), PXR_OK);
    reassemble(NULL, 1, k + m - 1); /* member 0 is away */
    check_fill(model + 2 * region, CORE_BLOCK);
    CHECK_INT(run_op(CORE_WRITE, 2 * region, CORE_BLOCK, model + 2 * region, true), PXR_OK);
    check_fill(model + 5 * region, CORE_BLOCK);
    CHECK_INT(run_op(CORE_WRITE, 5 * region, CORE_BLOCK, model + 5 * region, true), PXR_OK);
    reassemble(NULL, 1, k + m - 1);
    core_status(core, &before);
    CHECK_INT(readd(0), PXR_OK);
    core_status(core, &after);
    CHECK_INT(after.state[0], CORE_IN_SYNC);
    CHECK_INT(after.claims - before.claims, 2 * region / k / CORE_BLOCK);
    CHECK_INT(scrub(false).scrub_bad, 0);
    CHECK_INT(scrub(false).scrub_parity, 0);
    for (unsigned i = 1; i <= m; i++)
        CHECK_INT(core_fail(core, i), PXR_OK);
    check_all();
    reassemble(NULL, 0, k + m);
    core_status(core, &after);
    CHECK_INT(after.bad_sums[0], 0);
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* A write that does without the member is under way to a region while the rebuild comes by. */
static void check_back_while_writing(void)
{
    struct outcome write = {false, 0}, back = {false, 0};
    struct core_op op = {
        .kind = CORE_WRITE, .len = CORE_BLOCK, .done = op_done, .user = &write};
    unsigned role[2] = {0, 0};
    begin_array(2, 1, CORE_BLOCK, false, NULL);
    check_fill(model, capacity);
    CHECK_INT(run_op(CORE_WRITE, 0, capacity, model, false), PXR_OK);
    reassemble(NULL, 0, 3);
    find_readers(role);
    CHECK_INT(core_fail(core, role[0]), PXR_OK);
    drain();
    check_fill(model, CORE_BLOCK);
    op.buffer = model;
    stores[role[1]].hold_read = true;
    core_submit(core, &op);
    drain();
    core_readd(core, role[0], members[role[0]], job_done, &back);
    drain();
    CHECK(!write.ended && back.ended && back.status == PXR_OK);
    release(&stores[role[1]], 0);
    drain();
    CHECK(write.ended && write.status == PXR_OK);
    core_commit(core);
    drain();
    CHECK_INT(core_fail(core, role[1]), PXR_OK);
    check_all();
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* Members that may not come back with what they have. */
static void check_back_refusals(void)
{
    begin_array(2, 2, CORE_BLOCK, false, NULL);
    CHECK_INT(readd(0), PXR_EINVAL);
    CHECK_INT(readd(4), PXR_EINVAL);
    CHECK_INT(core_fail(core, 0), PXR_OK);
    drain();
    members[0].self = &stores[1];
    CHECK_INT(readd(0), PXR_EINVAL);
    members[0].self = &stores[0];
    uint8_t *kept = malloc(MEMBER_SIZE);
    memcpy(kept, stores[0].bytes, MEMBER_SIZE);
    struct disk_super super = super_of(0);
    super.events += 10;
    for (unsigned place = 0; place < DISK_PLACES; place++) {
        super.place = place;
        super.sequence++;
        disk_super_put(stores[0].bytes + disk_super_at(place, MEMBER_SIZE), &super);
    }
    CHECK_INT(readd(0), PXA_EREFUSED);
    memset(stores[0].bytes, 0, MEMBER_SIZE);
    CHECK_INT(readd(0), PXA_ENONE);
    stores[0].broken = true;
    CHECK_INT(readd(0), PXA_ENONE);
    stores[0].broken = false;
    memcpy(stores[0].bytes, kept, MEMBER_SIZE);
    free(kept);
    CHECK_INT(readd(0), PXR_OK);
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* ------------------------------------------------------------ little is left -- */

/* Reads that fail do not end an array that cannot do without the member. */
static void check_last_reads(void)
{
    begin_array(2, 1, CORE_BLOCK, false, NULL);
    check_fill(model, 2 * CORE_BLOCK);
    CHECK_INT(run_op(CORE_WRITE, 0, 2 * CORE_BLOCK, model, false), PXR_OK);
    reassemble(NULL, 0, 3);
    CHECK_INT(core_fail(core, 2), PXR_OK);
    CHECK_INT(run_op(CORE_READ, 0, 2 * CORE_BLOCK, buffer, false), PXR_OK);
    stores[0].broken = true;
    for (unsigned i = 0; i < 20; i++)
        CHECK_INT(run_op(CORE_READ, 0, 2 * CORE_BLOCK, buffer, false), PXA_EIO);
    stores[0].broken = false;
    CHECK_INT(run_op(CORE_READ, 0, 2 * CORE_BLOCK, buffer, false), PXR_OK);
    CHECK(memcmp(buffer, model, 2 * CORE_BLOCK) == 0);
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* A page of checksums that cannot be read once: its blocks are not lost because of that. */
static void check_unreadable_sums(bool spare)
{
    struct core_status status;
    begin_array(2, 1, CORE_BLOCK, false, NULL);
    check_fill(model, 2 * CORE_BLOCK);
    CHECK_INT(run_op(CORE_WRITE, 0, 2 * CORE_BLOCK, model, false), PXR_OK);
    reassemble(NULL, 0, 3);
    CHECK_INT(stop(), PXR_OK);
    CHECK_INT(core_create(&core, NULL), PXR_OK);
    CHECK_INT(assemble_some(0, 3 - !spare), PXR_OK);
    stores[0].broken = true;
    if (spare)
        CHECK_INT(run_op(CORE_READ, 0, 2 * CORE_BLOCK, buffer, false), PXR_OK);
    else
        CHECK_INT(run_op(CORE_WRITE, 0, 1, model, false), PXA_EIO);
    stores[0].broken = false;
    core_status(core, &status);
    CHECK_INT(status.state[0], spare ? CORE_FAILED : CORE_IN_SYNC);
    CHECK_INT(status.read_errors[0], 1);
    CHECK_INT(run_op(CORE_WRITE, 0, 1, model, true), PXR_OK);
    check_all();
    CHECK_INT(stop(), PXR_OK);
    CHECK_INT(core_create(&core, NULL), PXR_OK);
    CHECK_INT(assemble_some(0, 3 - !spare), PXR_OK);
    check_all();
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* A rebuild passes regions that nobody has written without a claim for each stripe. */
static void check_unwritten(void)
{
    struct outcome replaced = {false, 0};
    struct core_status before, after;
    begin_array(2, 1, CORE_BLOCK, false, NULL);
    const uint64_t region = super_of(0).region; /* half of it at the end of the second one */
    check_fill(model + 3 * region, region);
    CHECK_INT(run_op(CORE_WRITE, 3 * region, region, model + 3 * region, false), PXR_OK);
    reassemble(NULL, 0, 3);
    CHECK_INT(core_fail(core, 1), PXR_OK);
    core_status(core, &before);
    core_replace(core, 1, members[1], some_uuid, job_done, &replaced);
    drain();
    core_status(core, &after);
    CHECK_INT(after.state[1], CORE_IN_SYNC);
    CHECK_INT(after.claims - before.claims, region / CORE_BLOCK);
    reassemble(NULL, 0, 2);
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* A rebuild says how many rows it could not restore. */
static void check_lost_rows(void)
{
    struct outcome replaced = {false, 0};
    struct core_status status;
    begin_array(2, 1, CORE_BLOCK, false, NULL);
    check_fill(model, 4 * CORE_BLOCK);
    CHECK_INT(run_op(CORE_WRITE, 0, 4 * CORE_BLOCK, model, false), PXR_OK);
    reassemble(NULL, 0, 3);
    stores[0].bytes[super_of(0).layout.data_at] ^= 1;
    CHECK_INT(core_fail(core, 1), PXR_OK);
    core_replace(core, 1, members[1], some_uuid, job_done, &replaced);
    drain();
    CHECK(replaced.ended && replaced.status == PXR_OK);
    core_status(core, &status);
    CHECK_INT(status.state[1], CORE_IN_SYNC);
    CHECK_INT(status.lost_rows, 1);
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* --------------------------------------------------------------- whole rows -- */

static void watch_data(void)
{
    const struct disk_super super = super_of(0);
    for (unsigned i = 0; i < width; i++) {
        stores[i].data_at = super.layout.data_at;
        stores[i].data_end = super.layout.data_at + super.layout.stripes * super.chunk;
    }
}

/* What is written to the members: in their data, and elsewhere. */
static void count_written(uint64_t *placed, uint64_t *elsewhere)
{
    *placed = *elsewhere = 0;
    for (unsigned i = 0; i < width; i++) {
        *placed += stores[i].placed;
        *elsewhere += stores[i].elsewhere;
        stores[i].placed = stores[i].elsewhere = 0;
    }
}

static void write_all(uint64_t *placed, uint64_t *elsewhere)
{
    check_fill(model, capacity);
    count_written(placed, elsewhere);
    CHECK_INT(run_op(CORE_WRITE, 0, capacity, model, true), PXR_OK);
    core_commit(core);
    drain();
    count_written(placed, elsewhere);
}

/* Rows are written once while nothing is there and all members are; later they are logged. */
static void check_written_once(unsigned k, unsigned m)
{
    uint64_t placed, elsewhere;
    begin_array(k, m, 16384, false, NULL);
    const uint64_t all = capacity / k * (k + m);
    watch_data();
    write_all(&placed, &elsewhere);
    CHECK_INT(placed, all);
    CHECK(elsewhere < all / 4); /* headers of a ring that is small, and checkpoints */
    check_all();
    write_all(&placed, &elsewhere);
    CHECK_INT(placed, all);
    CHECK(elsewhere > all);
    reassemble(NULL, 0, k);
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* With a member missing, rows are logged; the one that comes is given all of them. */
static void check_logged_without(unsigned k, unsigned m)
{
    struct outcome replaced = {false, 0};
    uint64_t placed, elsewhere;
    begin_array(k, m, 4096, false, NULL);
    watch_data();
    CHECK_INT(core_fail(core, 1), PXR_OK);
    write_all(&placed, &elsewhere);
    CHECK_INT(placed, capacity / k * (k + m - 1));
    CHECK(elsewhere > placed);
    core_replace(core, 1, members[1], some_uuid, job_done, &replaced);
    drain();
    CHECK(replaced.ended && replaced.status == PXR_OK);
    reassemble(NULL, 1, k);
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* Nobody has written a row, so it is zeros whatever lies there; the first write clears it. */
static void check_blank_rows(void)
{
    begin_array(2, 1, 8192, false, NULL);
    check_fill(model, CORE_BLOCK);
    CHECK_INT(run_op(CORE_WRITE, 0, CORE_BLOCK, model, true), PXR_OK);
    reassemble(NULL, 0, 3);
    for (unsigned i = 0; i < 3; i++) /* row 1 of the first stripe */
        memset(stores[i].bytes + super_of(0).layout.data_at + CORE_BLOCK, 0x77, CORE_BLOCK);
    check_all();
    check_fill(model + CORE_BLOCK, CORE_BLOCK);
    CHECK_INT(run_op(CORE_WRITE, CORE_BLOCK, CORE_BLOCK, model + CORE_BLOCK, true), PXR_OK);
    check_all();
    for (unsigned lost = 0; lost < 3; lost++) {
        const struct core_member member = members[lost];
        CHECK_INT(stop(), PXR_OK);
        members[lost] = (struct core_member){NULL, NULL};
        CHECK_INT(core_create(&core, NULL), PXR_OK);
        CHECK_INT(assemble_some(0, 3), PXR_OK);
        check_all();
        members[lost] = member;
        struct outcome replaced = {false, 0};
        core_replace(core, lost, member, super_of(lost).member_uuid, job_done, &replaced);
        drain();
        CHECK(replaced.ended && replaced.status == PXR_OK);
    }
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* ---------------------------------------------------------- two replacements -- */

/* While one holds the region map, another one fails.  No region may begin meanwhile. */
static void check_held_map(void)
{
    struct outcome first = {false, 0}, second = {false, 0}, write = {false, 0};
    static const uint8_t uuid[2][16] = {"one new member..", "another member.."};
    begin_array(2, 2, CORE_BLOCK, false, NULL);
    const uint64_t regions = super_of(0).region;
    check_fill(buffer, CORE_BLOCK);
    CHECK_INT(run_op(CORE_WRITE, 0, CORE_BLOCK, buffer, false), PXR_OK);
    struct core_op op = {.kind = CORE_WRITE,
                         .offset = 4 * regions,
                         .len = CORE_BLOCK,
                         .buffer = buffer,
                         .done = op_done,
                         .user = &write};
    CHECK_INT(core_fail(core, 0), PXR_OK);
    CHECK_INT(core_fail(core, 1), PXR_OK);
    drain();
    stores[0].watch_at = super_of(2).layout.map_at;
    core_replace(core, 0, members[0], uuid[0], job_done, &first);
    stores[0].hold_write = true;
    drain();
    stores[1].broken = true;
    core_replace(core, 1, members[1], uuid[1], job_done, &second);
    drain();
    CHECK(second.ended && second.status == PXA_EIO && !first.ended);
    core_submit(core, &op);
    drain();
    CHECK(!write.ended);
    release(&stores[0], 0);
    drain();
    CHECK(first.ended && first.status == PXR_OK && write.ended && write.status == PXR_OK);
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

/* Two members come with one uuid, while neither has it yet. */
static void check_same_uuid(bool later)
{
    struct outcome outcome[2] = {{false, 0}, {false, 0}};
    begin_array(2, 2, CORE_BLOCK, later, NULL);
    for (unsigned i = 0; i < 2; i++)
        CHECK_INT(core_fail(core, i), PXR_OK);
    for (unsigned i = 0; i < 2; i++)
        core_replace(core, i, members[i], some_uuid, job_done, &outcome[i]);
    drain();
    CHECK(outcome[0].ended && outcome[1].ended);
    CHECK_INT((outcome[0].status == PXR_OK) + (outcome[1].status == PXR_OK), 1);
    CHECK_INT((outcome[0].status == PXR_EINVAL) + (outcome[1].status == PXR_EINVAL), 1);
    CHECK_INT(stop(), PXR_OK);
    end_array();
}

int main(int argc, char **argv)
{
    check_start("test_array_core", argc, argv);
    if (check_case("superblock"))
        check_super(3, 2);
    if (check_case("superblock of 64 members"))
        check_super(60, 4);
    if (check_case("refused superblocks"))
        for (unsigned fault = 0; fault <= 5; fault++)
            check_refused_super(fault);
    if (check_case("table page"))
        check_page();
    if (check_case("segment"))
        check_segment();
    if (check_case("checksums"))
        check_sums();
    if (check_case("layouts"))
        check_layouts();
    if (check_case("refused shapes"))
        check_refused_shapes();
    if (check_case("candidates"))
        check_candidates();
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
    for (unsigned later = 0; later < 2; later++)
        if (check_case("a member comes back, %s", later ? "later" : "at once"))
            check_back(3, 2, later != 0);
    if (check_case("a member comes back while others write"))
        check_back_while_writing();
    if (check_case("members that may not come back"))
        check_back_refusals();
    if (check_case("reads fail when little is left"))
        check_last_reads();
    for (unsigned spare = 0; spare < 2; spare++)
        if (check_case("a page of checksums cannot be read, %u to spare", spare))
            check_unreadable_sums(spare != 0);
    if (check_case("a rebuild of little that was written"))
        check_unwritten();
    if (check_case("a rebuild loses rows"))
        check_lost_rows();
    if (check_case("whole rows are written once"))
        check_written_once(4, 2);
    if (check_case("whole rows without a member"))
        check_logged_without(2, 1);
    if (check_case("places of blank rows"))
        check_blank_rows();
    for (unsigned later = 0; later < 2; later++) {
        const struct core_options least = {.pages = core_least_pages(4, 2), .sync_window = 2};
        if (check_case("scrub, %s", later ? "least pool" : "default pool"))
            check_scrub(4, 2, later != 0, later ? &least : NULL);
    }
    if (check_case("scrub, one parity"))
        check_scrub(3, 1, false, NULL);
    if (check_case("scrub of parity"))
        check_scrub_parity();
    if (check_case("a read repairs"))
        check_read_repair();
    if (check_case("scrubs that may not be"))
        check_scrub_refusals();
    if (check_case("a replacement fails while another one holds the map"))
        check_held_map();
    for (unsigned later = 0; later < 2; later++)
        if (check_case("two replacements with one uuid, %s", later ? "later" : "at once"))
            check_same_uuid(later != 0);
    if (check_case("refusals"))
        check_refusals();
    return check_finish();
}
