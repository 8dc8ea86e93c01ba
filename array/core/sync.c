/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rebuilding a member.  Up to sync_window stripes are under way; each holds all of its rows
 * from the moment it is read until the cursor, which moves in order, has passed it.  So a write
 * sees a stripe either as not rebuilt, and does without the member, or as rebuilt, and includes
 * it.
 *
 * What is rebuilt goes into place without the log: after a crash everything behind the durable
 * cursor is rebuilt again.  It must not be ahead of the log, so a stripe waits until its rows
 * are in place.
 */
#include "config.h"

#include "internal.h"

#include <string.h>

/* A checkpoint is made after so many stripes, so that a crash costs no more. */
enum { STRIPES_BETWEEN = CORE_SIZE(4096, 2) };

bool sync_is_live(const struct core *core)
{
    return core->sync.running && core->member[core->sync.role].serial == core->sync.serial;
}

static bool is_current(const struct core *core, const struct part *part)
{
    return !core->dead && sync_is_live(core) && part->sync_serial == core->sync.serial;
}

static bool is_in_place(const struct core *core, const struct part *part)
{
    for (unsigned row = 0; row < core->stripe_rows; row++)
        if (overlay_find(core, part->stripe, row) != NULL)
            return false;
    return true;
}

/* ------------------------------------------------------------------ a part -- */

/* The next rows of the stripe; the pages stay. */
static void take_rows(struct core *core, struct part *part)
{
    uint64_t rows = mask_take(part->rows_left, core->parts.batch);
    part->rows_left &= ~rows;
    part->apart = false;
    for (part->count = 0; rows != 0; rows &= rows - 1) {
        struct row *row = &part->row[part->count++];
        row->row = mask_first(rows);
        row->whole = mask_of(part->sync_block);
    }
    rows_take_cached(core, part);
}

static void find_block(struct core *core, struct part *part)
{
    part_locate(core, part);
    for (part->sync_block = 0; part->where.member[part->sync_block] != part->sync_role;
         part->sync_block++)
        ;
    part->lost |= mask_of(part->sync_block);
}

/*
 * A member that has come back has a block of its own, which may be out of date.  Where too
 * little is left without it, it is read.
 */
static void read_own(struct core *core, struct part *part)
{
    const bool is_back = core->super.roles[part->sync_role].left != 0;
    for (unsigned i = 0; i < part->count; i++) {
        struct row *row = &part->row[i];
        const pxa_mask own = mask_of(part->sync_block);
        struct page *page = row->page[part->sync_block];
        const uint64_t at = block_on_member(core, part->stripe, row->row);
        row->asked =
            is_back && !row->blank && !row->torn && ((row->known | row->rebuild) & own) == 0
                ? own
                : 0;
        if (row->asked != 0)
            io_read(core, &part->task, &page->io, part->sync_role, block_at(core, at),
                    CORE_BLOCK, page->bytes);
    }
}

/* It is current if it matches its checksum, and gives bad blocks that match theirs. */
static void take_own(const struct core *core, struct part *part)
{
    for (unsigned i = 0; i < part->count; i++) {
        struct row *row = &part->row[i];
        const struct page *page = row->page[part->sync_block];
        const uint64_t at = block_on_member(core, part->stripe, row->row);
        if (row->asked != 0 && page->io.error == 0 &&
            disk_sum_matches(sums_get(part->sums, part->sync_role, at), core->super.uuid,
                             part->sync_role, at, page->bytes) &&
            row_fits(core, part, row, part->sync_block))
            row->known |= mask_of(part->sync_block);
        row->asked = 0;
    }
}

/* A row of which too little is left has no contents, and never will match its checksum. */
static void write_rows(struct core *core, struct part *part)
{
    struct run run = {.core = core, .task = &part->task, .writes = true, .piece = part->piece};
    for (unsigned i = 0; i < part->count; i++) {
        struct row *row = &part->row[i];
        const uint64_t at = block_on_member(core, part->stripe, row->row);
        struct page *page = row->page[part->sync_block];
        if (row->blank)
            continue;
        if (mask_has(row->known, part->sync_block))
            run_add(&run, &page->io, part->sync_role, block_at(core, at), page->bytes);
        else
            core->sync.lost_rows++;
    }
    run_end(&run);
}

static void settle_rows(struct core *core, struct part *part)
{
    for (unsigned i = 0; i < part->count; i++) {
        struct row *row = &part->row[i];
        const uint64_t at = block_on_member(core, part->stripe, row->row);
        const struct page *page = row->page[part->sync_block];
        uint32_t sum = row->blank ? blank_sum(row) : (uint32_t)DISK_UNKNOWN;
        if (!row->blank && mask_has(row->known, part->sync_block)) {
            member_failed(core, &page->io);
            sum = disk_sum(core->super.uuid, part->sync_role, at, page->bytes);
        }
        if (is_current(core, part))
            sums_set(core, part->sums, part->sync_role, at, sum);
    }
}

static bool sync_step(struct core *core, struct task *task)
{
    struct part *part = (struct part *)task;
    struct sync *sync = &core->sync;
    TASK_BEGIN(task);
    claim_take(core, &part->claim, task);
    TASK_WAIT(task);
    while (is_current(core, part) && !is_in_place(core, part)) {
        core->epochs.commit_wanted = true;
        task_queue_up(&core->epochs.placed, task);
        TASK_WAIT(task);
    }
    if (is_current(core, part) && region_is_written(core, part->stripe)) {
        part->count = core->parts.batch;
        rows_want_pages(core, part);
        TASK_WAIT(task);
        part->sums = sums_pin(core, part->stripe, task);
        TASK_WAIT(task);
        if (part->sums != NULL && !sums_are_whole(part->sums))
            part->status = PXA_EIO;
        find_block(core, part);
        while (part->rows_left != 0 && part->sums != NULL && part->status == PXR_OK &&
               is_current(core, part)) {
            take_rows(core, part);
            while (rows_ask_on(core, part)) {
                TASK_WAIT(task);
                rows_take(core, part);
            }
            part->status = rows_rebuild(core, part);
            if (part->status != PXR_OK)
                break;
            read_own(core, part);
            TASK_WAIT(task);
            take_own(core, part);
            write_rows(core, part);
            TASK_WAIT(task);
            settle_rows(core, part);
        }
        part->count = core->parts.batch;
        rows_free(core, part); /* a stripe below may need them */
        if ((part->sums == NULL || part->status != PXR_OK) && is_current(core, part))
            member_fail(core, part->sync_role);
    }
    while (is_current(core, part) && sync->cursor != part->stripe) {
        task_queue_up(&sync->order, task);
        TASK_WAIT(task);
    }
    if (is_current(core, part))
        sync->cursor++;
    task_wake_all(core, &sync->order);
    if (part->sums != NULL)
        sums_unpin(part->sums);
    claim_release(core, &part->claim);
    sync->under_way--;
    part_put(core, part);
    TASK_END(task);
}

static bool begin_stripe(struct core *core)
{
    struct sync *sync = &core->sync;
    struct part *part = part_get(core);
    if (part == NULL)
        return false;
    const uint64_t rows = mask_below(core->stripe_rows);
    part->kind = PART_SYNC;
    part->stripe = sync->next++;
    part->sync_role = sync->role;
    part->sync_serial = sync->serial;
    part->rows_left = rows;
    memset(part->row, 0, core->parts.batch * sizeof *part->row);
    part->claim = (struct claim){.stripe = part->stripe, .rows = rows, .exclusive = true};
    sync->under_way++;
    pace_take(core, core->super.chunk);
    task_start(core, &part->task, sync_step);
    return true;
}

/* ------------------------------------------------------------------- whole -- */

/* When everything of the member is durable, it is in sync. */
static bool finish(struct core *core, struct task *task)
{
    struct sync *sync = &core->sync;
    TASK_BEGIN(task);
    checkpoint_want(core, task);
    TASK_WAIT(task);
    if (!core->dead && sync_is_live(core)) {
        core->super.roles[sync->role].state = CORE_IN_SYNC;
        core->super.roles[sync->role].cursor = core->super.roles[sync->role].left = 0;
        core->super.events++;
        sync->ticket = config_request(core);
    }
    while (!core->dead && sync_is_live(core) && core->config.served < sync->ticket) {
        config_wait(core, task);
        TASK_WAIT(task);
    }
    sync->running = sync->finishing = false;
    TASK_END(task);
}

static bool begin_member(struct core *core)
{
    struct sync *sync = &core->sync;
    for (unsigned role = 0; role < core->width; role++) {
        const struct disk_role *state = &core->super.roles[role];
        if (!core->member[role].open || state->state != CORE_REBUILDING)
            continue;
        sync->running = true;
        sync->role = role;
        sync->serial = core->member[role].serial;
        sync->cursor = sync->next = sync->saved = state->cursor;
        core->config.next.cursor = state->cursor;
        return true;
    }
    return false;
}

static bool is_lacking(const struct core *core, uint64_t stripe)
{
    return region_is_newer(core, stripe, core->super.roles[core->sync.role].left);
}

/*
 * Passes regions that nobody has written: their blocks are zeros, and the first write makes
 * them so on this member, too.  No part has located a stripe of such a region yet.  Also passes
 * regions that the member has from before it left.  A write that has located a stripe without
 * the member has renewed the generation, so the region is not passed.
 */
static void skip_regions(struct core *core)
{
    struct sync *sync = &core->sync;
    const uint64_t stripes = core->super.layout.stripes;
    const uint64_t in_region = core->super.region / core->super.chunk;
    while (sync->under_way == 0 && sync->next < stripes && !is_lacking(core, sync->next)) {
        const uint64_t end = (sync->next / in_region + 1) * in_region;
        sync->next = sync->cursor = end < stripes ? end : stripes;
    }
}

/* A stripe of a region that is passed waits until those before it are done.  While others wait
   for pages, only one stripe is under way. */
static bool may_begin(const struct core *core)
{
    const struct sync *sync = &core->sync;
    return sync->next < core->super.layout.stripes && is_lacking(core, sync->next) &&
           pace_allows(core, sync->under_way);
}

bool sync_drive(struct core *core)
{
    struct sync *sync = &core->sync;
    bool any = false;
    if (!core->assembled || core->dead || core->stopping)
        return false;
    if (!sync->running)
        return begin_member(core);
    if (!sync_is_live(core)) {
        if (sync->under_way > 0 || sync->finishing)
            return false;
        sync->running = false;
        return true;
    }
    skip_regions(core);
    while (may_begin(core) && begin_stripe(core))
        any = true;
    if (sync->cursor - sync->saved >= STRIPES_BETWEEN) {
        sync->saved = sync->cursor;
        core->checkpoint.cursor_wanted = true;
    }
    if (sync->cursor == core->super.layout.stripes && !sync->finishing) {
        sync->finishing = any = true;
        task_start(core, &sync->finisher, finish);
    }
    return any;
}
