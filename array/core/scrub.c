/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looking for what is wrong on the members, and repairing it.  A part has some rows of a
 * stripe.  It reads all of their blocks but those of the log, which are right in memory: they
 * are still to be written into place, or the log needs them there.  Blocks that are bad are
 * computed from the others.  Then the parity is computed and compared.
 *
 * A repair goes through the log, like a write.  So a crash in between is nothing new, and it
 * never writes over what the log needs in place.
 */
#include "config.h"

#include "internal.h"

#include "why.h"

#include <string.h>

static pxa_mask data_of(const struct core *core)
{
    return mask_below(core->super.data);
}

static pxa_mask there_of(const struct core *core, const struct part *part)
{
    return mask_below(core->width) & ~part->lost;
}

pxa_mask scrub_ask(const struct core *core, const struct part *part, struct row *row)
{
    const pxa_mask ask = there_of(core, part) & ~(row->known | row->bad);
    if (ask == 0 && mask_count(row->known) >= core->super.data)
        row->rebuild = data_of(core) & ~row->known;
    return ask;
}

/* ------------------------------------------------------------------- rows -- */

/* Computes the parity of the data, and returns which parity that was read is another. */
static pxa_mask wrong_parity(const struct core *core, const struct row *row, int *status)
{
    const unsigned k = core->super.data;
    uint8_t *data[PXA_MAX_MEMBERS], *parity[PXA_MAX_MEMBERS];
    pxa_mask wrong = 0;
    for (unsigned block = 0; block < k; block++)
        data[block] = row->page[block]->bytes;
    for (unsigned r = 0; r < core->super.parity; r++)
        parity[r] = row->fresh[k + r]->bytes;
    *status = pxr_encode(core->code, CORE_BLOCK, (pxr_inputs)data, parity);
    for (unsigned block = k; *status == PXR_OK && block < core->width; block++)
        if (mask_has(row->known, block) &&
            memcmp(row->page[block]->bytes, row->fresh[block]->bytes, CORE_BLOCK) != 0)
            wrong |= mask_of(block);
    return wrong;
}

/* Blocks that cannot be read, and that nobody repairs, count. */
static void note_defects(struct core *core, const struct part *part, const struct row *row)
{
    for (pxa_mask left = row->bad; left != 0; left &= left - 1) {
        const struct io *io = &row->page[mask_first(left)]->io;
        if (io->error != 0)
            defect_note(core, io, block_on_member(core, part->stripe, row->row));
    }
}

/* Counts what is wrong.  Afterwards row->bad is what is to be written. */
static void judge_row(struct core *core, struct part *part, struct row *row)
{
    struct scrub *scrub = &core->scrub;
    row->bad &= there_of(core, part);
    scrub->rows++;
    scrub->bad += mask_count(row->bad);
    if ((data_of(core) & ~row->known) != 0) {
        note_defects(core, part, row);
        scrub->lost++;
        row->bad = 0;
        return;
    }
    int status;
    const pxa_mask wrong = wrong_parity(core, row, &status);
    scrub->parity += mask_count(wrong);
    row->bad |= wrong;
    if (status != PXR_OK)
        part->status = status;
}

/* The row is blank for sure, so checksums of it that were lost can only have said so, too.  If
   a member says that it was trimmed, it was. */
static void settle_blank(struct core *core, const struct part *part, const struct row *row)
{
    const uint64_t at = block_on_member(core, part->stripe, row->row);
    for (pxa_mask left = there_of(core, part); left != 0; left &= left - 1) {
        const unsigned role = part->where.member[mask_first(left)];
        if (sums_get(part->sums, role, at) != blank_sum(row))
            sums_set(core, part->sums, role, at, blank_sum(row));
    }
}

static bool judge_rows(struct core *core, struct part *part)
{
    bool any = false;
    for (unsigned i = 0; i < part->count; i++) {
        struct row *row = &part->row[i];
        if (row->blank && part->repair)
            settle_blank(core, part, row);
        if (row->blank)
            continue;
        judge_row(core, part, row);
        any = any || row->bad != 0;
    }
    return any;
}

/*
 * An epoch has to be on one member more than may be lost, or else nobody knows after a crash
 * that there was one.  So all parity goes along, and a block of data.
 */
static void log_repairs(struct core *core, struct part *part)
{
    const pxa_mask data = data_of(core) & ~part->lost;
    for (unsigned i = 0; i < part->count; i++) {
        struct row *row = &part->row[i];
        if (row->blank || row->bad == 0)
            continue;
        core->scrub.repaired += mask_count(row->bad);
        if ((row->bad & data_of(core)) == 0)
            row->bad |= mask_of(data != 0 ? mask_first(data) : 0);
        row_log(core, part, row);
    }
}

/* ------------------------------------------------------------------- parts -- */

static bool goes_on(const struct core *core, const struct part *part)
{
    return !core->dead && part->status == PXR_OK;
}

static void part_ended(struct core *core, struct part *part)
{
    struct scrub *scrub = &core->scrub;
    if (part->status != PXR_OK)
        scrub->lost += part->count;
    part_put(core, part);
    if (--scrub->under_way == 0 && scrub->waiter != NULL && !scrub->running) {
        task_wake(core, scrub->waiter);
        scrub->waiter = NULL;
    }
}

/*
 * Whether a block of these rows is being written into place.  It may be there already and have
 * gone bad since, although the core has not heard yet that it is there.  So the part waits, and
 * reads it then.
 */
static bool is_being_placed(const struct core *core, const struct part *part)
{
    if (core->dead || !core->epochs.placing)
        return false;
    const uint64_t epoch = core->epochs.committed.first->number;
    for (unsigned i = 0; i < part->count; i++) {
        const struct line *line = overlay_find(core, part->stripe, part->row[i].row);
        for (unsigned block = 0; line != NULL && block < core->width; block++)
            if (line->newest[block] != NULL && line->newest[block]->epoch == epoch)
                return true;
    }
    return false;
}

/* Whether a member has come that has the part's blocks.  Then these wait for another scrub,
   because the records would lack this member.  Members that have left are left out. */
static bool has_more_members(const struct core *core, struct part *part)
{
    const pxa_mask lost = part->lost;
    part_locate(core, part);
    return (lost & ~part->lost) != 0;
}

static bool scrub_step(struct core *core, struct task *task)
{
    struct part *part = (struct part *)task;
    TASK_BEGIN(task);
    claim_take(core, &part->claim, task);
    TASK_WAIT(task);
    if (!core->dead && region_is_ready(core, part->stripe)) {
        rows_want_pages(core, part);
        TASK_WAIT(task);
        part->sums = sums_pin(core, part->stripe, task);
        TASK_WAIT(task);
        part->status = sums_status(part->sums);
        while (is_being_placed(core, part)) {
            task_queue_up(&core->epochs.placed, task);
            TASK_WAIT(task);
        }
        part_locate(core, part);
        rows_take_cached(core, part);
        while (rows_read_on(core, part))
            TASK_WAIT(task);
        if (goes_on(core, part))
            part->status = rows_rebuild(core, part);
        part->repair = goes_on(core, part) && judge_rows(core, part) && part->repair;
        while (part->repair && goes_on(core, part) && !epoch_has_room(core, part->count)) {
            task_queue_up(&core->epochs.room, task);
            TASK_WAIT(task);
        }
        if (part->repair && goes_on(core, part) && !has_more_members(core, part))
            log_repairs(core, part);
    }
    part_release(core, part);
    part_ended(core, part);
    TASK_END(task);
}

static bool begin_part(struct core *core, uint64_t stripe, uint64_t rows, bool repair)
{
    struct part *part = part_get(core);
    if (part == NULL)
        return false;
    part->kind = PART_SCRUB;
    part->stripe = stripe;
    part->repair = repair;
    part->claim = (struct claim){.stripe = stripe, .rows = rows, .exclusive = true};
    for (; rows != 0; rows &= rows - 1)
        part->row[part->count++] = (struct row){.row = mask_first(rows)};
    core->scrub.under_way++;
    task_start(core, &part->task, scrub_step);
    return true;
}

void scrub_rows(struct core *core, const struct part *read)
{
    uint64_t rows = 0;
    for (unsigned i = 0; i < read->count; i++)
        if ((read->row[i].bad & ~read->lost) != 0)
            rows |= mask_of(read->row[i].row);
    if (rows != 0 && !core->dead && !core->stopping &&
        core->scrub.under_way < core->options.sync_window)
        (void)begin_part(core, read->stripe, rows, true);
}

/* ------------------------------------------------------------------- whole -- */

/* Regions that nobody has written have nothing to look at. */
static void skip_regions(struct core *core)
{
    struct scrub *scrub = &core->scrub;
    const uint64_t stripes = core->super.layout.stripes;
    const uint64_t in_region = core->super.region / core->super.chunk;
    while (scrub->stripe < stripes && !region_is_written(core, scrub->stripe)) {
        const uint64_t end = (scrub->stripe / in_region + 1) * in_region;
        scrub->stripe = end < stripes ? end : stripes;
        scrub->rows_left = mask_below(core->stripe_rows);
    }
}

bool scrub_drive(struct core *core)
{
    struct scrub *scrub = &core->scrub;
    bool any = false;
    if (scrub->running)
        skip_regions(core);
    while (scrub->running && !core->dead && !core->stopping &&
           scrub->stripe < core->super.layout.stripes && pace_allows(core, scrub->under_way)) {
        const uint64_t rows = mask_take(scrub->rows_left, core->parts.batch);
        if (!begin_part(core, scrub->stripe, rows, scrub->repair))
            return any;
        any = true;
        pace_take(core, (uint64_t)mask_count(rows) * CORE_BLOCK);
        scrub->rows_left &= ~rows;
        if (scrub->rows_left == 0) {
            scrub->stripe++;
            scrub->rows_left = mask_below(core->stripe_rows);
            skip_regions(core);
        }
    }
    if (!scrub->running ||
        (scrub->stripe < core->super.layout.stripes && !core->dead && !core->stopping))
        return any;
    scrub->running = false;
    scrub->whole = scrub->stripe == core->super.layout.stripes;
    if (scrub->under_way > 0)
        return any;
    task_wake(core, scrub->waiter);
    scrub->waiter = NULL;
    return true;
}

struct scrubbing {
    struct job job;
    bool repair, whole;
    uint64_t last;
};

static bool scrub_all(struct core *core, struct task *task)
{
    struct scrubbing *all = (struct scrubbing *)task;
    struct scrub *scrub = &core->scrub;
    TASK_BEGIN(task);
    if (!core->assembled || core->stopping || scrub->waiter != NULL)
        return job_end(core, &all->job, PXR_EINVAL);
    scrub->running = true;
    scrub->repair = all->repair;
    scrub->stripe = 0;
    scrub->rows_left = mask_below(core->stripe_rows);
    scrub->waiter = task;
    task->pending++;
    TASK_WAIT(task);
    all->whole = scrub->whole; /* another one may have begun: its stripe says nothing */
    all->last = epochs_last_used(core);
    while (!core->dead && core->epochs.last_placed < all->last) {
        core->epochs.commit_wanted = true;
        task_queue_up(&core->epochs.placed, task);
        TASK_WAIT(task);
    }
    if (core->dead)
        return job_end(core, &all->job, PXA_EIO);
    if (!all->whole)
        return job_end(core, &all->job,
                       pxa_because(&all->job.why, PXR_EINVAL, "the array was stopped"));
    return job_end(core, &all->job, PXR_OK);
    TASK_END(task);
}

void core_scrub(struct core *core, bool repair, core_job_done *done, void *token)
{
    struct scrubbing *all = job_make(core, sizeof *all, done, token);
    if (all == NULL)
        return;
    all->repair = repair;
    job_start(core, &all->job, scrub_all);
}
