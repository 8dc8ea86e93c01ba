/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A checkpoint makes durable what is in place, and gives the log's room back:
 *
 *   1. The tail is to become the epoch behind the last one that is in place now.
 *   2. Checksum pages that have changed are written, each to the older of its two slots.  If
 *      they are to be far ahead of the superblocks, these are written before.
 *   3. All members are flushed, which covers the blocks in place and these pages.
 *   4. Pages of the region map are written in which generations have grown.
 *   5. The superblocks get the new tail.  Only then the ring in front of it is free.
 */
#include "config.h"

#include "internal.h"

#include <string.h>

static void remember_ends(struct core *core)
{
    struct checkpoint *checkpoint = &core->checkpoint;
    checkpoint->now = checkpoint->next;
    checkpoint->next = (struct task_queue){NULL, NULL};
    checkpoint->wanted = checkpoint->cursor_wanted = checkpoint->sums_wanted = false;
    checkpoint->number++;
    core->epochs.bare = 0;
    checkpoint->tail = core->epochs.last_placed + 1;
    checkpoint->cursor = core->sync.cursor;
    checkpoint->cursor_serial = core->sync.serial;
    for (unsigned role = 0; role < core->width; role++) {
        checkpoint->start[role] = core->member[role].placed;
        checkpoint->chain[role] = core->member[role].placed_chain;
    }
}

/*
 * Finds the next structure with changed pages, and pins it.  One whose pages this checkpoint
 * has written waits for the next one: without a flush in between, a crash could tear both
 * slots.
 */
static struct sums *next_dirty(struct core *core)
{
    struct checkpoint *checkpoint = &core->checkpoint;
    for (; checkpoint->bucket < 256; checkpoint->bucket++)
        for (struct sums *sums = core->sums.bucket[checkpoint->bucket]; sums != NULL;
             sums = sums->next)
            if (sums->dirty != 0 && sums->checkpoint != checkpoint->number) {
                sums->pins++;
                sums->checkpoint = checkpoint->number;
                return sums;
            }
    return NULL;
}

/* Above what any member has of the pages.  After a crash some may be ahead of the superblocks.
 */
static uint64_t next_sequence(const struct core *core, const struct sums *sums)
{
    uint64_t newest = core->super.sequence;
    for (unsigned role = 0; role < core->width; role++)
        if (sums->sequence[role] > newest)
            newest = sums->sequence[role];
    return newest + 1;
}

/*
 * Pages that a crash has left are hardly ahead of the superblocks.  One that is far ahead was
 * forged.  If the others' pages became newer than it is before the superblocks do, a crash
 * could leave all of them too far ahead.
 */
static bool is_far_ahead(const struct core *core)
{
    const struct checkpoint *checkpoint = &core->checkpoint;
    const struct sums *sums = checkpoint->sums[checkpoint->batch];
    return next_sequence(core, sums) > core->config.durable_sequence + 2;
}

static void write_page(struct core *core, struct task *task, unsigned role, uint64_t sequence)
{
    struct checkpoint *checkpoint = &core->checkpoint;
    struct sums *sums = checkpoint->sums[checkpoint->batch];
    uint8_t *block =
        checkpoint->buffer + ((size_t)checkpoint->batch * core->width + role) * CORE_BLOCK;
    sums->sequence[role] = sequence;
    sums->slot[role] ^= 1;
    const struct disk_page page = {DISK_SUMS, role, core->super.uuid, sums->index,
                                   sums->sequence[role]};
    memset(block, 0, CORE_BLOCK);
    sums_put(sums, role, block + DISK_PAGE_HEADER);
    disk_page_put(block, &page);
    io_write(core, task, &checkpoint->io[checkpoint->batch][role], role,
             core->super.layout.sums_at + (2 * sums->index + sums->slot[role]) * CORE_BLOCK,
             CORE_BLOCK, block, false);
}

/* Members that come back, and do not take part yet. */
static pxa_mask returning(const struct core *core)
{
    pxa_mask members = 0;
    for (unsigned role = 0; role < core->width; role++)
        if (core->member[role].adopter != NULL)
            members |= mask_of(role);
    return members;
}

/* Begins to write the structure behind the last one of the batch.  What was set right of a
   member that comes back is left for a checkpoint in which it takes part. */
static void write_pages(struct core *core, struct task *task)
{
    struct checkpoint *checkpoint = &core->checkpoint;
    struct sums *sums = checkpoint->sums[checkpoint->batch];
    const uint64_t sequence = next_sequence(core, sums);
    for (unsigned role = 0; role < core->width; role++) {
        checkpoint->io[checkpoint->batch][role].error = 0;
        if (mask_has(sums->dirty, role) && member_takes_io(core, role))
            write_page(core, task, role, sequence);
    }
    sums->dirty &= returning(core);
    checkpoint->batch++;
}

/* A page of the region map that is to be written.  More can be, as members leave meanwhile. */
static bool find_map_page(struct core *core)
{
    uint64_t *page = &core->checkpoint.page;
    for (*page = 0; *page < core->super.layout.map_pages; ++*page)
        if (core->map.dirty[*page])
            return true;
    return false;
}

static void check_all(struct core *core, const struct io *io)
{
    for (unsigned role = 0; role < core->width; role++)
        member_failed(core, &io[role]);
}

/* All writes of the batch have ended. */
static void end_batch(struct core *core)
{
    struct checkpoint *checkpoint = &core->checkpoint;
    for (; checkpoint->batch > 0; checkpoint->batch--) {
        check_all(core, checkpoint->io[checkpoint->batch - 1]);
        sums_unpin(checkpoint->sums[checkpoint->batch - 1]);
    }
}

/* A rebuild that has begun after this checkpoint did has a cursor of its own. */
static void ask_for_superblocks(struct core *core)
{
    struct checkpoint *checkpoint = &core->checkpoint;
    struct log_ends *next = &core->config.next;
    next->tail = checkpoint->tail;
    memcpy(next->start, checkpoint->start, sizeof next->start);
    memcpy(next->chain, checkpoint->chain, sizeof next->chain);
    if (sync_is_live(core) && checkpoint->cursor_serial == core->sync.serial)
        next->cursor = checkpoint->cursor;
    checkpoint->ticket = config_request(core);
}

static bool run(struct core *core, struct task *task)
{
    struct checkpoint *checkpoint = &core->checkpoint;
    TASK_BEGIN(task);
    remember_ends(core);
    checkpoint->bucket = 0;
    while (!core->dead && (checkpoint->sums[checkpoint->batch] = next_dirty(core)) != NULL) {
        while (!core->dead && is_far_ahead(core)) {
            core->config.wanted = true;
            config_wait(core, task);
            TASK_WAIT(task);
        }
        write_pages(core, task);
        if (checkpoint->batch == CHECKPOINT_BATCH) {
            TASK_WAIT(task);
            end_batch(core);
        }
    }
    TASK_WAIT(task);
    end_batch(core);
    for (unsigned role = 0; role < core->width; role++) {
        checkpoint->io[0][role].error = 0;
        if (member_takes_io(core, role))
            io_flush(core, task, &checkpoint->io[0][role], role);
    }
    TASK_WAIT(task);
    check_all(core, checkpoint->io[0]);
    /* The first write to a region may have taken a changed page along that is on its way. */
    while (!core->dead && (find_map_page(core) || core->map.writing)) {
        if (core->map.running) {
            task_queue_up(&core->map.waiters, task);
            TASK_WAIT(task);
            continue;
        }
        region_page_write(core, task, checkpoint->page);
        TASK_WAIT(task);
        region_page_written(core);
    }
    ask_for_superblocks(core);
    while (!core->dead && core->config.served < checkpoint->ticket) {
        config_wait(core, task);
        TASK_WAIT(task);
    }
    checkpoint->running = false;
    task_wake_all(core, &checkpoint->now);
    TASK_END(task);
}

void checkpoint_want(struct core *core, struct task *task)
{
    task_queue_up(&core->checkpoint.next, task);
}

bool checkpoint_drive(struct core *core)
{
    struct checkpoint *checkpoint = &core->checkpoint;
    if (checkpoint->running)
        return false;
    if (core->dead) {
        task_wake_all(core, &checkpoint->next);
        return core->ready.first != NULL;
    }
    const bool wanted = checkpoint->wanted && core->epochs.last_placed + 1 > core->tail;
    if (!wanted && !checkpoint->cursor_wanted && !checkpoint->sums_wanted &&
        checkpoint->next.first == NULL)
        return false;
    checkpoint->running = true;
    task_start(core, &checkpoint->task, run);
    return true;
}
