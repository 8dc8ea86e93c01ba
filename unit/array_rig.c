/* SPDX-License-Identifier: BSD-3-Clause */
#include "array_rig.h"

#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct rig rig;

/* ---------------------------------------------------------------- members -- */

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
    store->held.piece = NULL;
    store->hold_read = store->hold_write = false;
}

static void hold_write(struct store *store, uint64_t offset, const struct iovec *piece,
                       unsigned count, core_io_done *done, void *token)
{
    hold(store, done, token);
    store->held.offset = offset;
    store->held.piece = piece;
    store->held.count = count;
}

static void put(struct store *store, uint64_t offset, const struct iovec *piece, unsigned count)
{
    for (unsigned i = 0; i < count; offset += piece[i++].iov_len) {
        memcpy(store->bytes + offset, piece[i].iov_base, piece[i].iov_len);
        memset(store->unreadable + offset / CORE_BLOCK, 0, piece[i].iov_len / CORE_BLOCK);
    }
}

void rig_release(struct store *store, int error)
{
    core_io_done *done = store->held.done;
    store->held.done = NULL;
    if (!CHECK(done != NULL))
        return;
    if (store->held.piece != NULL && error == 0)
        put(store, store->held.offset, store->held.piece, store->held.count);
    done(store->held.token, error);
}

static void store_read(void *self, uint64_t offset, const struct iovec *piece, unsigned count,
                       core_io_done *done, void *token)
{
    struct store *store = self;
    bool failed = false;
    for (unsigned i = 0; i < count; offset += piece[i++].iov_len) {
        memcpy(piece[i].iov_base, store->bytes + offset, piece[i].iov_len);
        for (size_t at = 0; at < piece[i].iov_len; at += CORE_BLOCK)
            failed = failed || store->unreadable[(offset + at) / CORE_BLOCK];
    }
    store->reads++;
    if (store->hold_read)
        hold(store, done, token);
    else if (failed)
        done(token, EIO);
    else
        ended(store, done, token);
}

static void store_write(void *self, uint64_t offset, const struct iovec *piece, unsigned count,
                        bool durable, core_io_done *done, void *token)
{
    struct store *store = self;
    const bool is_data = offset >= store->data_at && offset < store->data_end;
    size_t len = 0;
    (void)durable;
    for (unsigned i = 0; i < count; i++)
        len += piece[i].iov_len;
    *(is_data ? &store->placed : &store->elsewhere) += len;
    store->writes++;
    const bool is_watched = store->watch_at != 0 && offset >= store->watch_at &&
                            offset - store->watch_at < 2 * (uint64_t)CORE_BLOCK;
    if (is_watched)
        store->unflushed |= 1u << (offset != store->watch_at);
    store->both_unflushed = store->both_unflushed || store->unflushed == 3;
    if (is_watched && store->hold_write) {
        hold_write(store, offset, piece, count, done, token);
        return;
    }
    put(store, offset, piece, count);
    ended(self, done, token);
}

/* It covers no write that is held. */
static void store_flush(void *self, core_io_done *done, void *token)
{
    struct store *store = self;
    if (store->held.done == NULL)
        store->unflushed = 0;
    store->zeroed = 0;
    ended(self, done, token);
}

static void store_zero(void *self, uint64_t offset, uint64_t len, core_io_done *done,
                       void *token)
{
    struct store *store = self;
    if (store->cut_zero && len > 2 * (uint64_t)CORE_BLOCK) {
        store->cut_zero = false;
        memset(store->bytes + offset + len / 2, 0, len - len / 2);
        done(token, EIO);
        return;
    }
    memset(store->bytes + offset, 0, len);
    store->zeroed++;
    ended(self, done, token);
}

static uint64_t store_size(void *self)
{
    (void)self;
    return rig.size;
}

static const struct core_member_calls store_calls = {store_read, store_write, store_flush,
                                                     store_zero, store_size};

struct core_shape rig_shape(unsigned k, unsigned m, uint32_t chunk)
{
    struct core_shape shape = {
        .data = k, .parity = m, .chunk = chunk, .region = 8 * chunk, .log = 40 * CORE_BLOCK};
    memset(shape.uuid, 0xa5, 16);
    for (unsigned i = 0; i < k + m && i < PXA_MAX_MEMBERS; i++)
        memset(shape.member_uuid[i], (int)i + 1, 16);
    return shape;
}

static void make_members(unsigned n, bool later)
{
    rig.width = n;
    rig.size = rig.size == 0 ? MEMBER_SIZE : rig.size;
    for (unsigned i = 0; i < n; i++) {
        rig.store[i].bytes = malloc(rig.size);
        rig.store[i].later = later;
        rig.store[i].waits = 0;
        rig.store[i].broken = rig.store[i].hold_read = rig.store[i].hold_write = false;
        rig.store[i].held.done = NULL;
        rig.store[i].cut_zero = false;
        memset(rig.store[i].unreadable, 0, sizeof rig.store[i].unreadable);
        rig.store[i].zeroed = 0;
        rig.store[i].watch_at = rig.store[i].data_at = 0;
        memset(rig.store[i].bytes, 0xee, rig.size); /* what was there before */
        rig.member[i] = (struct core_member){&store_calls, &rig.store[i]};
    }
}

static bool work(void)
{
    bool any = false;
    for (unsigned i = 0; i < rig.width; i++)
        while (rig.store[i].waits > 0) {
            const unsigned last = --rig.store[i].waits; /* the last one ends first */
            rig.store[i].waiting[last].done(rig.store[i].waiting[last].token,
                                            rig.store[i].broken ? EIO : 0);
            any = true;
        }
    return any;
}

/* Turns the core until nothing is under way any more. */
void rig_drain(void)
{
    while (core_turn(rig.core))
        if (!work())
            break;
    CHECK(core_check(rig.core) == NULL);
}

void rig_job_done(void *token, int status, const char *why)
{
    (void)why;
    *(struct outcome *)token = (struct outcome){true, status};
}

void rig_op_done(struct core_op *op, int status)
{
    *(struct outcome *)op->user = (struct outcome){true, status};
}

int rig_run(enum core_kind kind, uint64_t offset, uint64_t len, void *bytes, bool fua)
{
    struct outcome outcome = {false, 0};
    struct core_op op = {.kind = kind,
                         .fua = fua,
                         .offset = offset,
                         .len = len,
                         .buffer = bytes,
                         .done = rig_op_done,
                         .user = &outcome};
    core_submit(rig.core, &op);
    rig_drain();
    CHECK(outcome.ended);
    return outcome.status;
}

void rig_write(uint64_t offset, uint64_t len)
{
    check_fill(rig.model + offset, len);
    CHECK_INT(rig_run(CORE_WRITE, offset, len, rig.model + offset, true), PXR_OK);
}

/* Rows that a trim covers as a whole are zeros afterwards. */
static void trim_model(uint64_t offset, uint64_t len)
{
    const uint64_t size = rig_stripe_size(), chunk = rig_super(0).chunk;
    for (uint64_t at = 0; at < rig.capacity; at += CORE_BLOCK) {
        const uint64_t first = at / size * size + at % chunk, last = first + size - chunk;
        if (first >= offset && last + CORE_BLOCK <= offset + len)
            memset(rig.model + at, 0, CORE_BLOCK);
    }
}

void rig_trim(uint64_t offset, uint64_t len, bool fua)
{
    trim_model(offset, len);
    CHECK_INT(rig_run(CORE_TRIM, offset, len, NULL, fua), PXR_OK);
}

void rig_readd(unsigned role)
{
    struct outcome outcome = {false, 0};
    core_readd(rig.core, role, rig.member[role], rig_job_done, &outcome);
    rig_drain();
    CHECK(outcome.ended);
    CHECK_INT(outcome.status, PXR_OK);
}

int rig_assemble(unsigned first, unsigned count)
{
    struct outcome outcome = {false, 0};
    core_assemble(rig.core, rig.member + first, count, rig_job_done, &outcome);
    rig_drain();
    CHECK(outcome.ended);
    return outcome.status;
}

int rig_stop(void)
{
    struct outcome outcome = {false, 0};
    core_stop(rig.core, rig_job_done, &outcome);
    rig_drain();
    CHECK(outcome.ended);
    core_free(rig.core);
    rig.core = NULL;
    return outcome.status;
}

void rig_crash(void)
{
    core_free(rig.core);
    rig.core = NULL;
    for (unsigned i = 0; i < rig.width; i++) {
        rig.store[i].held.done = NULL;
        rig.store[i].watch_at = 0;
    }
}

void rig_crash_and_assemble(unsigned first, unsigned count)
{
    rig_crash();
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(rig_assemble(first, count), PXR_OK);
}

void rig_begin(unsigned k, unsigned m, uint32_t chunk, bool later,
               const struct core_options *options)
{
    struct outcome outcome = {false, 0};
    struct core_status status;
    const struct core_shape shape = rig_shape(k, m, chunk);
    make_members(k + m, later);
    CHECK_INT(core_create(&rig.core, options), PXR_OK);
    core_format(rig.core, &shape, rig.member, k + m, rig_job_done, &outcome);
    rig_drain();
    CHECK(outcome.ended);
    CHECK_INT(outcome.status, PXR_OK);
    CHECK_INT(rig_assemble(0, k + m), PXR_OK);
    core_status(rig.core, &status);
    rig.capacity = status.capacity;
    CHECK(rig.capacity > 0);
    rig.model = calloc(1, rig.capacity);
    rig.buffer = malloc(rig.capacity);
}

void rig_end(void)
{
    for (unsigned i = 0; i < rig.width; i++)
        free(rig.store[i].bytes);
    free(rig.model);
    free(rig.buffer);
    rig.size = 0;
}

/* The newest superblock of a member. */
struct disk_super rig_super(unsigned role)
{
    struct disk_super newest = {.sequence = 0}, super;
    for (unsigned place = 0; place < DISK_PLACES; place++)
        if (disk_super_get(rig.store[role].bytes + disk_super_at(place, rig.size), place,
                           &super) == PXR_OK &&
            super.sequence > newest.sequence)
            newest = super;
    CHECK(newest.sequence > 0);
    return newest;
}

uint64_t rig_stripe_size(void)
{
    const struct disk_super super = rig_super(0);
    return (uint64_t)super.data * super.chunk;
}

uint64_t rig_below(uint64_t limit)
{
    return check_random() % limit;
}

void rig_random_ops(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const uint64_t offset = rig_below(rig.capacity),
                       most = rig_below(4) == 0 ? 200000 : 9000;
        uint64_t len = rig_below(most);
        if (len > rig.capacity - offset)
            len = rig.capacity - offset;
        const unsigned what = (unsigned)rig_below(8);
        check_at("operation %ld: offset=%ld, len=%ld", i, (long)offset, (long)len, 0);
        if (what < 4) {
            check_fill(rig.buffer, len);
            memcpy(rig.model + offset, rig.buffer, len);
            CHECK_INT(rig_run(CORE_WRITE, offset, len, rig.buffer, what == 0), PXR_OK);
        } else if (what == 4) {
            memset(rig.model + offset, 0, len);
            CHECK_INT(rig_run(CORE_ZERO, offset, len, NULL, false), PXR_OK);
        } else if (what == 5) {
            CHECK_INT(rig_run(CORE_FLUSH, 0, 0, NULL, false), PXR_OK);
        } else {
            CHECK_INT(rig_run(CORE_READ, offset, len, rig.buffer, false), PXR_OK);
            CHECK(memcmp(rig.buffer, rig.model + offset, len) == 0);
        }
        if (rig_below(16) == 0)
            core_commit(rig.core);
    }
}

void rig_check_all(void)
{
    CHECK_INT(rig_run(CORE_READ, 0, rig.capacity, rig.buffer, false), PXR_OK);
    CHECK(memcmp(rig.buffer, rig.model, rig.capacity) == 0);
}

void rig_reassemble(const struct core_options *options, unsigned first, unsigned count)
{
    CHECK_INT(rig_stop(), PXR_OK);
    CHECK_INT(core_create(&rig.core, options), PXR_OK);
    CHECK_INT(rig_assemble(first, count), PXR_OK);
    rig_check_all();
}

struct core_status rig_scrub(bool repair)
{
    struct outcome outcome = {false, 0};
    struct core_status status;
    core_scrub(rig.core, repair, rig_job_done, &outcome);
    rig_drain();
    CHECK(outcome.ended);
    CHECK_INT(outcome.status, PXR_OK);
    core_status(rig.core, &status);
    CHECK(!status.scrubbing);
    CHECK_INT(status.scrubbed, status.stripes);
    return status;
}

/* The roles of which one block is read alone for each of the first two blocks of data. */
void rig_find_readers(unsigned readers[2])
{
    for (unsigned block = 0; block < 2; block++) {
        unsigned before[PXA_MAX_MEMBERS];
        CHECK_INT(rig_run(CORE_READ, block * CORE_BLOCK, 1, rig.buffer, false), PXR_OK);
        for (unsigned i = 0; i < rig.width; i++)
            before[i] = rig.store[i].reads;
        CHECK_INT(rig_run(CORE_READ, block * CORE_BLOCK, 1, rig.buffer, false), PXR_OK);
        for (unsigned i = 0; i < rig.width; i++)
            if (rig.store[i].reads != before[i])
                readers[block] = i;
    }
}
