/* SPDX-License-Identifier: BSD-3-Clause */
/* What a part of a read or a write does, step by step. */
#include "config.h"

#include "internal.h"

#include <string.h>

/* ---------------------------------------------------------------- reading -- */

static void copy_out(const struct core *core, const struct part *part, bool zeros)
{
    uint8_t *buffer = part->op->buffer;
    for (unsigned i = 0; i < part->count; i++) {
        const struct row *row = &part->row[i];
        for (pxa_mask left = row->whole; left != 0; left &= left - 1) {
            const unsigned block = mask_first(left);
            const struct cut cut = cut_of(core, part, row->row, block);
            if (zeros)
                memset(buffer + cut.from, 0, cut.end - cut.begin);
            else
                memcpy(buffer + cut.from, row->page[block]->bytes + cut.begin,
                       cut.end - cut.begin);
        }
    }
}

bool read_step(struct core *core, struct task *task)
{
    struct part *part = (struct part *)task;
    TASK_BEGIN(task);
    claim_take(core, &part->claim, task);
    TASK_WAIT(task);
    if (!region_is_written(core, part->stripe)) {
        copy_out(core, part, true);
    } else {
        rows_want_pages(core, part);
        TASK_WAIT(task);
        part->sums = sums_pin(core, part->stripe, task);
        if (part->sums == NULL)
            part->status = PXR_ENOMEM;
        TASK_WAIT(task);
        part_locate(core, part);
        rows_take_cached(core, part);
        while (rows_read_on(core, part))
            TASK_WAIT(task);
        if (part->status == PXR_OK)
            part->status = rows_rebuild(core, part);
        if (part->status == PXR_OK)
            copy_out(core, part, false);
    }
    part_release(core, part);
    if (part->status == PXR_OK)
        scrub_rows(core, part);
    part_finish(core, part);
    TASK_END(task);
}

/* ---------------------------------------------------------------- writing -- */

static void encode(struct core *core, struct part *part)
{
    part->status = rows_rebuild(core, part);
    for (unsigned i = 0; part->status == PXR_OK && i < part->count; i++)
        part->status = row_encode(core, part, &part->row[i]);
}

static void log_rows(struct core *core, struct part *part)
{
    struct epoch *epoch = core->epochs.open;
    for (unsigned i = 0; i < part->count; i++)
        if (part->kind != PART_TRIM || !part->row[i].blank)
            row_log(core, part, &part->row[i]);
    task_queue_up(part->op->fua ? &epoch->fua : &epoch->plain, &part->task);
}

/* Whether a trim of any of the rows is not in place yet. */
static bool is_being_trimmed(const struct core *core, const struct part *part)
{
    for (unsigned i = 0; i < part->count; i++) {
        const struct line *line = overlay_find(core, part->stripe, part->row[i].row);
        for (unsigned block = 0; line != NULL && block < core->width; block++)
            if (line->newest[block] != NULL && line->newest[block]->trimmed)
                return true;
    }
    return false;
}

/*
 * The claim ends when the records are in the open epoch: from then on the overlay has the new
 * blocks.  The answer waits for the log.  A row that is being trimmed has to be blank first, so
 * that the write gives each of its blocks a checksum.
 */
bool write_step(struct core *core, struct task *task)
{
    struct part *part = (struct part *)task;
    TASK_BEGIN(task);
    claim_take(core, &part->claim, task);
    TASK_WAIT(task);
    while (!core->dead && is_being_trimmed(core, part)) {
        core->epochs.commit_wanted = true;
        task_queue_up(&core->epochs.placed, task);
        TASK_WAIT(task);
    }
    rows_want_pages(core, part);
    TASK_WAIT(task);
    while (!core->dead && !region_is_ready(core, part->stripe)) {
        region_want(core, part->stripe, task);
        TASK_WAIT(task);
    }
    part->sums = sums_pin(core, part->stripe, task);
    TASK_WAIT(task);
    part->status = sums_status(part->sums);
    part_locate(core, part);
    region_touch(core, part->stripe);
    rows_take_cached(core, part);
    while (rows_read_on(core, part))
        TASK_WAIT(task);
    if (part->status == PXR_OK)
        encode(core, part);
    while (part->status == PXR_OK && !core->dead && !epoch_has_room(core, part->count)) {
        task_queue_up(&core->epochs.room, task);
        TASK_WAIT(task);
    }
    if (part->status == PXR_OK && !core->dead)
        log_rows(core, part);
    part_release(core, part);
    TASK_WAIT(task);
    part_finish(core, part);
    TASK_END(task);
}

/* --------------------------------------------------------------- trimming -- */

/* Whether any row is not blank already. */
static bool look_at_rows(const struct core *core, struct part *part)
{
    bool any = false;
    for (unsigned i = 0; i < part->count; i++) {
        row_look(core, part, &part->row[i]);
        any = any || !part->row[i].blank;
    }
    return any;
}

/* Until the trim is in place, this is what reads get. */
static void clear_rows(const struct core *core, struct part *part)
{
    for (unsigned i = 0; i < part->count; i++)
        row_clear(core, &part->row[i]);
}

/*
 * A trim of whole rows makes them blank.  It is a write of which the log has nothing but the
 * value of the checksums, and that puts nothing into place.
 */
bool trim_step(struct core *core, struct task *task)
{
    struct part *part = (struct part *)task;
    bool any = false;
    TASK_BEGIN(task);
    claim_take(core, &part->claim, task);
    TASK_WAIT(task);
    if (region_is_written(core, part->stripe)) {
        rows_want_pages(core, part);
        TASK_WAIT(task);
        part->sums = sums_pin(core, part->stripe, task);
        TASK_WAIT(task);
        part->status = sums_status(part->sums);
        part_locate(core, part);
        any = look_at_rows(core, part);
        if (any && part->status == PXR_OK) {
            clear_rows(core, part);
            region_touch(core, part->stripe);
            while (!core->dead && !epoch_has_room(core, part->count)) {
                task_queue_up(&core->epochs.room, task);
                TASK_WAIT(task);
            }
            if (!core->dead)
                log_rows(core, part);
        }
    }
    part_release(core, part);
    TASK_WAIT(task);
    part_finish(core, part);
    TASK_END(task);
}
