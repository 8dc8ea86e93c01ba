/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checksums in memory.  A structure has those of the same DISK_SUMS_ENTRIES blocks of all
 * members, because a row needs them together.  A sum is changed when its block has gone into
 * place, so what a checkpoint writes never is ahead of the log.
 */
#include "config.h"

#include "internal.h"

#include "bytes.h"

#include <stdlib.h>
#include <string.h>

static struct sums **bucket_of(struct core *core, uint64_t index)
{
    return &core->sums.bucket[index % (sizeof core->sums.bucket / sizeof *core->sums.bucket)];
}

static void sums_free(struct sums *sums)
{
    free(sums->sum);
    free(sums->buffer);
    free(sums->io);
    free(sums);
}

/* What the running checkpoint has written stays, so that it is not written twice.  So does what
   says which places the log still needs. */
static bool is_idle(const struct core *core, const struct sums *sums)
{
    const struct checkpoint *checkpoint = &core->checkpoint;
    return sums->loaded && sums->pins == 0 && sums->dirty == 0 &&
           sums->direct.epoch < core->tail && sums->trimmed.epoch < core->tail &&
           !(checkpoint->running && sums->checkpoint == checkpoint->number);
}

/* Drops what can be dropped of one bucket. */
static void trim_bucket(struct core *core, struct sums **at)
{
    while (*at != NULL) {
        struct sums *sums = *at;
        if (!is_idle(core, sums)) {
            at = &sums->next;
            continue;
        }
        *at = sums->next;
        core->sums.count--;
        sums_free(sums);
    }
}

static uint32_t *sums_of(const struct sums *sums, unsigned role)
{
    return sums->sum + (size_t)role * DISK_SUMS_ENTRIES;
}

static uint64_t slot_at(const struct core *core, uint64_t index, unsigned slot)
{
    return core->super.layout.sums_at + (2 * index + slot) * CORE_BLOCK;
}

/* ---------------------------------------------------------------- loading -- */

/*
 * Takes the newer of a member's two pages.  A page that cannot be read may have been the newer
 * one, so then nothing is known of the blocks; neither is it if no page is right.  A torn page
 * is the newer one of a checkpoint that did not end; the log has what the other one lacks.
 */
static void take_member(struct core *core, struct sums *sums, unsigned role,
                        const struct io io[2], const uint8_t *block)
{
    int status[2];
    struct disk_page page[2];
    for (unsigned slot = 0; slot < 2; slot++) {
        page[slot] = (struct disk_page){DISK_SUMS, role, core->super.uuid, sums->index, 0};
        status[slot] = io[slot].error != 0 ? PXA_EIO
                                           : disk_page_get(block + slot * CORE_BLOCK,
                                                           &page[slot], config_sequence(core));
    }
    const unsigned best = status[1] == PXR_OK && page[1].sequence >= page[0].sequence;
    uint32_t *sum = sums_of(sums, role);
    sums->slot[role] = (uint8_t)best;
    sums->sequence[role] = page[best].sequence;
    if (status[best] == PXR_OK)
        config_saw_page(core, page[best].sequence);
    const bool unreadable = status[0] == PXA_EIO || status[1] == PXA_EIO;
    const bool never = status[best] == PXA_ENONE && status[1 - best] != PXR_OK;
    for (unsigned i = 0; i < DISK_SUMS_ENTRIES; i++)
        if (!unreadable && status[best] == PXR_OK)
            sum[i] =
                (uint32_t)get(block + best * CORE_BLOCK + DISK_PAGE_HEADER + (size_t)i * 4, 4);
        else
            sum[i] = !unreadable && never ? DISK_ZEROS : DISK_UNKNOWN;
}

/* ------------------------------------------------------------- stale pages -- */

static uint64_t stripe_of(const struct core *core, const struct sums *sums, unsigned entry)
{
    return (sums->index * DISK_SUMS_ENTRIES + entry) / core->stripe_rows;
}

/* Of the members that say something of a row, some may have lost a write of their page.  What a
   member says that has not been given the row yet in its rebuild decides nothing, but it has to
   agree with the others: a region that it does not lack is not rebuilt.  The next checkpoint
   writes what was wrong. */
static void settle_trim(struct core *core, struct sums *sums, unsigned i)
{
    struct disk_trim trim = {0, 0};
    for (unsigned role = 0; role < core->width; role++)
        if (member_has(core, role, stripe_of(core, sums, i)))
            disk_trim_note(&trim, sums_of(sums, role)[i], sums->sequence[role]);
    for (unsigned role = 0; role < core->width; role++) {
        const uint32_t sum = disk_trim_settle(&trim, sums_of(sums, role)[i]);
        if (sum != sums_of(sums, role)[i])
            sums_set(core, sums, role, sums->index * DISK_SUMS_ENTRIES + i, sum);
    }
}

static void settle_trims(struct core *core, struct sums *sums)
{
    for (unsigned i = 0; i < DISK_SUMS_ENTRIES; i++)
        settle_trim(core, sums, i);
}

/* ----------------------------------------------------------------- members -- */

/*
 * A member whose page cannot be read fails, if the array can do without it.  Otherwise its sums
 * stay unknown for now: they are not written, and the next part that wants them reads again.
 */
static void check_reads(struct core *core, struct sums *sums, unsigned role)
{
    const struct io *io = &sums->io[2 * role];
    const struct member *member = &core->member[role];
    const bool failed = io[0].error != 0 || io[1].error != 0;
    if (!failed || !member->open || member->serial != io[0].serial)
        return;
    core->member[role].read_errors++;
    if (member_can_go(core, role))
        member_fail(core, role);
    else
        sums->unread |= mask_of(role);
}

static bool load(struct core *core, struct task *task)
{
    struct sums *sums = (struct sums *)((char *)task - offsetof(struct sums, loader));
    TASK_BEGIN(task);
    for (unsigned role = 0; role < core->width; role++)
        for (unsigned slot = 0; slot < 2; slot++)
            io_read(core, task, &sums->io[2 * role + slot], role,
                    slot_at(core, sums->index, slot), CORE_BLOCK,
                    sums->buffer + (2 * (size_t)role + slot) * CORE_BLOCK);
    TASK_WAIT(task);
    for (unsigned role = 0; role < core->width; role++)
        if (!mask_has(sums->fresh, role)) {
            take_member(core, sums, role, &sums->io[2 * role],
                        sums->buffer + 2 * (size_t)role * CORE_BLOCK);
            check_reads(core, sums, role);
        }
    settle_trims(core, sums);
    free(sums->buffer);
    free(sums->io);
    sums->buffer = NULL;
    sums->io = NULL;
    sums->loaded = true;
    task_wake_all(core, &sums->waiters);
    TASK_END(task);
}

static struct sums *make(struct core *core, uint64_t index)
{
    struct sums *sums = calloc(1, sizeof *sums);
    if (sums == NULL)
        return NULL;
    sums->index = index;
    sums->sum = calloc(core->width, DISK_SUMS_ENTRIES * sizeof *sums->sum);
    sums->buffer = aligned_alloc(CORE_BLOCK, (size_t)2 * core->width * CORE_BLOCK);
    sums->io = calloc((size_t)2 * core->width, sizeof *sums->io);
    if (sums->sum == NULL || sums->buffer == NULL || sums->io == NULL) {
        sums_free(sums);
        return NULL;
    }
    return sums;
}

/* Changed ones can be dropped after a checkpoint.  During assembly there is none yet. */
static void make_room(struct core *core)
{
    for (unsigned i = 0; i < 256; i++)
        trim_bucket(core, &core->sums.bucket[i]);
    if (core->assembled && core->sums.count >= core->options.sum_pages)
        core->checkpoint.sums_wanted = true;
}

static void drop(struct core *core, struct sums *sums)
{
    struct sums **at = bucket_of(core, sums->index);
    while (*at != sums)
        at = &(*at)->next;
    *at = sums->next;
    core->sums.count--;
    sums_free(sums);
}

struct sums *sums_pin(struct core *core, uint64_t stripe, struct task *task)
{
    const uint64_t index = stripe * core->stripe_rows / DISK_SUMS_ENTRIES;
    struct sums **bucket = bucket_of(core, index), *sums = *bucket;
    while (sums != NULL && sums->index != index)
        sums = sums->next;
    if (sums != NULL && sums->unread != 0 && is_idle(core, sums)) {
        drop(core, sums);
        sums = NULL;
    }
    if (sums == NULL) {
        if (core->sums.count >= core->options.sum_pages)
            make_room(core);
        sums = make(core, index);
        if (sums == NULL)
            return NULL;
        sums->next = *bucket;
        *bucket = sums;
        core->sums.count++;
        sums->put_off = core->sums.held;
        if (!sums->put_off)
            task_start(core, &sums->loader, load);
    }
    sums->pins++;
    if (!sums->loaded)
        task_queue_up(&sums->waiters, task);
    return sums;
}

void sums_unpin(struct sums *sums)
{
    sums->pins--;
}

bool sums_are_whole(const struct sums *sums)
{
    return sums->unread == 0;
}

int sums_status(const struct sums *sums)
{
    if (sums == NULL)
        return PXR_ENOMEM;
    return sums_are_whole(sums) ? PXR_OK : PXA_EIO;
}

/* -------------------------------------------------------------------- use -- */

uint32_t sums_get(const struct sums *sums, unsigned role, uint64_t block)
{
    return sums_of(sums, role)[block % DISK_SUMS_ENTRIES];
}

void sums_put(const struct sums *sums, unsigned role, uint8_t *out)
{
    const uint32_t *const sum = sums_of(sums, role);
    for (unsigned i = 0; i < DISK_SUMS_ENTRIES; i++)
        put(out + (size_t)i * 4, sum[i], 4);
}

void sums_set(struct core *core, struct sums *sums, unsigned role, uint64_t block, uint32_t sum)
{
    cache_drop(core, role, block);
    sums_of(sums, role)[block % DISK_SUMS_ENTRIES] = sum;
    sums->dirty |= mask_of(role);
}

void sums_forget(struct core *core, unsigned role)
{
    for (unsigned i = 0; i < 256; i++)
        for (struct sums *sums = core->sums.bucket[i]; sums != NULL; sums = sums->next) {
            memset(sums_of(sums, role), 0, DISK_SUMS_ENTRIES * sizeof *sums->sum);
            if (!sums->loaded)
                sums->fresh |= mask_of(role);
            sums->sequence[role] = 0;
            sums->slot[role] = 0;
            sums->dirty &= ~mask_of(role);
            sums->unread &= ~mask_of(role);
        }
}

/* Clean ones that nobody has pinned are dropped; they are read again when they are wanted. */
void sums_hold(struct core *core, unsigned role)
{
    core->sums.held = true;
    for (unsigned i = 0; i < 256; i++) {
        trim_bucket(core, &core->sums.bucket[i]);
        for (struct sums *sums = core->sums.bucket[i]; sums != NULL; sums = sums->next)
            sums->again &= ~mask_of(role);
    }
}

void sums_let_go(struct core *core)
{
    core->sums.held = false;
    for (unsigned i = 0; i < 256; i++)
        for (struct sums *sums = core->sums.bucket[i]; sums != NULL; sums = sums->next) {
            if (sums->put_off)
                task_start(core, &sums->loader, load);
            sums->put_off = false;
        }
}

struct sums *sums_find_strange(struct core *core, unsigned role)
{
    for (unsigned i = 0; i < 256; i++)
        for (struct sums *sums = core->sums.bucket[i]; sums != NULL; sums = sums->next)
            if (!mask_has(sums->again, role) && !sums->put_off)
                return sums;
    return NULL;
}

void sums_read_again(struct core *core, struct task *task, struct sums *sums, struct io io[2],
                     uint8_t *buffer, unsigned role)
{
    for (unsigned slot = 0; slot < 2; slot++)
        io_read(core, task, &io[slot], role, slot_at(core, sums->index, slot), CORE_BLOCK,
                buffer + slot * CORE_BLOCK);
}

void sums_take_again(struct core *core, struct sums *sums, const struct io io[2],
                     const uint8_t *buffer, unsigned role)
{
    take_member(core, sums, role, io, buffer);
    sums->dirty &= ~mask_of(role);
    settle_trims(core, sums);
    sums->unread &= ~mask_of(role);
    sums->again |= mask_of(role);
}

void sums_destroy(struct core *core)
{
    for (unsigned i = 0; i < 256; i++) {
        struct sums *sums = core->sums.bucket[i];
        while (sums != NULL) {
            struct sums *next = sums->next;
            sums_free(sums);
            sums = next;
        }
    }
    core->sums = (struct sums_table){.count = 0};
}
