/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Epochs: writes that go to the log together.  One epoch is open and takes records; one may be
 * on its way to the log; then come those that are written, and those that are committed and go
 * into place one after the other.
 *
 *     open -> writing -> written (plain writes are answered)
 *          -> committed: flushed on all its members (FUA and flush are answered) -> in place
 *
 * Nothing is answered while a member has failed and the superblocks do not say so durably yet:
 * after a crash such a member would count, and its log lacks records.  What is committed may go
 * into place meanwhile, because the log still has it.
 */
#include "config.h"

#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* When so many epochs are written, they are committed without anybody asking. */
enum { MOST_WRITTEN = EPOCHS / 2 };

static void list_push(struct epoch_list *list, struct epoch *epoch)
{
    epoch->next = NULL;
    if (list->first == NULL)
        list->first = epoch;
    else
        list->last->next = epoch;
    list->last = epoch;
    list->count++;
}

static struct epoch *list_pop(struct epoch_list *list)
{
    struct epoch *epoch = list->first;
    if (epoch != NULL) {
        list->first = epoch->next;
        list->count--;
    }
    return epoch;
}

int epochs_make(struct core *core)
{
    struct epochs *epochs = &core->epochs;
    epochs->all = calloc(EPOCHS, sizeof *epochs->all);
    if (epochs->all == NULL)
        return PXR_ENOMEM;
    for (unsigned i = 0; i < EPOCHS; i++) {
        epochs->all[i].header = aligned_alloc(CORE_BLOCK, (size_t)core->width * CORE_BLOCK);
        if (epochs->all[i].header == NULL)
            return PXR_ENOMEM;
        list_push(&epochs->free, &epochs->all[i]);
    }
    epochs->most = segment_most(core->super.layout.log_blocks);
    const size_t pieces = (size_t)core->width * (1 + epochs->most);
    epochs->log_piece = calloc(pieces, sizeof *epochs->log_piece);
    epochs->place_piece = calloc(pieces, sizeof *epochs->place_piece);
    return epochs->log_piece == NULL || epochs->place_piece == NULL ? PXR_ENOMEM : PXR_OK;
}

void epochs_destroy(struct core *core)
{
    for (unsigned i = 0; core->epochs.all != NULL && i < EPOCHS; i++)
        free(core->epochs.all[i].header);
    free(core->epochs.all);
    free(core->epochs.log_piece);
    free(core->epochs.place_piece);
    core->epochs = (struct epochs){.all = NULL};
}

/* ---------------------------------------------------------------- records -- */

static struct epoch *open_epoch(struct core *core)
{
    struct epochs *epochs = &core->epochs;
    if (epochs->open == NULL && epochs->free.first != NULL) {
        struct epoch *epoch = list_pop(&epochs->free);
        uint8_t *header = epoch->header;
        *epoch = (struct epoch){.number = epochs_last_used(core) + 1, .header = header};
        epochs->open = epoch;
    }
    return epochs->open;
}

/* The last epoch that has records. */
uint64_t epochs_last_used(const struct core *core)
{
    const struct epochs *epochs = &core->epochs;
    if (epochs->open != NULL)
        return epochs->open->number - (epochs->open->first == NULL);
    return epochs->writing != NULL ? epochs->writing->number : epochs->last_written;
}

bool epoch_has_room(struct core *core, unsigned rows)
{
    const struct epoch *open = open_epoch(core);
    if (open == NULL)
        return false;
    for (unsigned role = 0; role < core->width; role++)
        if (open->count[role] + rows > core->epochs.most)
            return false;
    return true;
}

/* A newer record of a block takes the place of an older one of the same epoch, and goes where
   that one would have gone. */
static bool replace(struct core *core, struct epoch *open, struct page *page)
{
    struct page *older = page->line->newest[page->block];
    if (older == NULL || older->epoch != open->number || older->logged != page->logged ||
        older->serial != page->serial)
        return false;
    struct page **at = &open->first;
    while (*at != older)
        at = &(*at)->next;
    page->direct = older->direct && !page->trimmed;
    page->next = older->next;
    *at = page;
    if (open->last == older)
        open->last = page;
    page_give(core, older);
    return true;
}

void epoch_add(struct core *core, struct page *page)
{
    struct epoch *open = core->epochs.open;
    page->epoch = open->number;
    if (!replace(core, open, page)) {
        page->next = NULL;
        if (open->first == NULL)
            open->first = page;
        else
            open->last->next = page;
        open->last = page;
        page->line->records++;
        open->count[page->role] += page->logged;
    }
    page->line->newest[page->block] = page;
    region_note(core, page->line->stripe, open->number);
}

/* --------------------------------------------------------------- finishing -- */

/* Flushes that wait for committed epochs.  In `next` is the epoch. */
static void answer_flushes(struct core *core)
{
    struct core_op **at = &core->epochs.flushes;
    while (*at != NULL) {
        struct core_op *op = *at;
        if (op->next > core->epochs.last_committed && !core->dead) {
            at = &op->link;
            continue;
        }
        *at = op->link;
        op_finish(op, core->dead ? PXA_EIO : PXR_OK);
    }
}

void epochs_flush(struct core *core, struct core_op *op)
{
    op->next = epochs_last_used(core);
    op->link = core->epochs.flushes;
    core->epochs.flushes = op;
    answer_flushes(core);
}

static void recycle(struct core *core, struct epoch *epoch)
{
    list_push(&core->epochs.free, epoch);
    task_wake_all(core, &core->epochs.room);
}

void epochs_abort(struct core *core)
{
    for (unsigned i = 0; core->epochs.all != NULL && i < EPOCHS; i++) {
        task_wake_all(core, &core->epochs.all[i].plain);
        task_wake_all(core, &core->epochs.all[i].fua);
    }
    task_wake_all(core, &core->epochs.room);
    task_wake_all(core, &core->epochs.placed);
    answer_flushes(core);
}

/* -------------------------------------------------------------- committing -- */

static bool commit(struct core *core, struct task *task)
{
    struct epochs *epochs = &core->epochs;
    struct epoch *epoch;
    pxa_mask members = 0;
    TASK_BEGIN(task);
    for (epoch = epochs->written.first; epoch != NULL; epoch = epoch->next) {
        members |= epoch->members;
        epochs->commit_to = epoch->number;
    }
    for (unsigned role = 0; role < core->width; role++) {
        epochs->io[role].error = 0;
        if (mask_has(members, role) && member_takes_io(core, role))
            io_flush(core, task, &epochs->io[role], role);
    }
    TASK_WAIT(task);
    for (unsigned role = 0; role < core->width; role++)
        member_failed(core, &epochs->io[role]);
    while (!core->dead && !config_is_durable(core)) {
        config_wait(core, task);
        TASK_WAIT(task);
    }
    epochs->committing = false;
    while (!core->dead && epochs->written.first != NULL &&
           epochs->written.first->number <= epochs->commit_to) {
        epoch = list_pop(&epochs->written);
        epochs->last_committed = epoch->number;
        task_wake_all(core, &epoch->fua);
        list_push(&epochs->committed, epoch);
    }
    answer_flushes(core);
    TASK_END(task);
}

/* ------------------------------------------------------------------- place -- */

static bool goes_into_place(const struct core *core, const struct page *page)
{
    return page->logged && member_takes_io(core, page->role) &&
           core->member[page->role].serial == page->serial;
}

/* Member by member, so that neighbours are written together. */
static void write_places(struct core *core, struct task *task, struct epoch *epoch)
{
    struct run run = {
        .core = core, .task = task, .writes = true, .piece = core->epochs.place_piece};
    for (struct page *page = epoch->first; page != NULL; page = page->next)
        page->logged = goes_into_place(core, page);
    for (unsigned role = 0; role < core->width; role++)
        for (struct page *page = epoch->first; page != NULL; page = page->next)
            if (page->role == role && page->logged && !page->direct && !page->trimmed)
                run_add(&run, &page->io, role, block_at(core, page_block(core, page)),
                        page->bytes);
    run_end(&run);
}

/* A record is in place, or nobody has to write it any more. */
static void take_placed(struct core *core, struct page *page)
{
    const uint64_t block = page_block(core, page);
    bool clean = false;
    if (page->logged) {
        member_failed(core, &page->io);
        if (page->io.error == 0) {
            sums_set(core, page->line->sums, page->role, block, page->sum);
            clean = !page->trimmed;
        }
    }
    if (clean)
        defect_heal(core, page->role, block);
    rows_note(core, page);
    overlay_drop(core, page);
    if (clean)
        cache_give(core, page, page->role, block);
    else
        page_give(core, page);
}

static bool place(struct core *core, struct task *task)
{
    struct epochs *epochs = &core->epochs;
    struct epoch *epoch = epochs->committed.first;
    TASK_BEGIN(task);
    write_places(core, task, epoch);
    TASK_WAIT(task);
    while (epoch->first != NULL) {
        struct page *page = epoch->first;
        epoch->first = page->next;
        take_placed(core, page);
    }
    for (unsigned role = 0; role < core->width; role++)
        if (mask_has(epoch->members, role)) {
            core->member[role].placed = epoch->end[role];
            core->member[role].placed_chain = epoch->chain[role];
        }
    epochs->last_placed = epoch->number;
    epochs->placing = false;
    list_pop(&epochs->committed);
    task_wake_all(core, &epochs->placed);
    recycle(core, epoch);
    TASK_END(task);
}

/* ------------------------------------------------------------------- drive -- */

static bool commit_is_wanted(const struct core *core)
{
    const struct epochs *epochs = &core->epochs;
    const struct epoch *epoch = epochs->written.first;
    if (epoch == NULL || epochs->committing)
        return false;
    bool wanted = epochs->commit_wanted || epochs->flushes != NULL ||
                  core->pool.waiters.first != NULL || epochs->written.count >= MOST_WRITTEN ||
                  core->checkpoint.wanted || core->checkpoint.next.first != NULL ||
                  (epochs->open == NULL && epochs->free.first == NULL);
    for (; epoch != NULL; epoch = epoch->next)
        wanted = wanted || epoch->fua.first != NULL;
    return wanted;
}

/* An array that has died writes nothing any more, and those who wait for pages get them. */
static void discard(struct core *core, struct epoch *epoch)
{
    while (epoch->first != NULL) {
        struct page *page = epoch->first;
        epoch->first = page->next;
        overlay_drop(core, page);
        page_give(core, page);
    }
    recycle(core, epoch);
}

static bool discard_all(struct core *core)
{
    struct epochs *epochs = &core->epochs;
    struct epoch *epoch;
    if (epochs->writing != NULL || epochs->committing || epochs->placing)
        return false;
    const unsigned before = epochs->free.count;
    if (epochs->open != NULL)
        discard(core, epochs->open);
    epochs->open = NULL;
    while ((epoch = list_pop(&epochs->written)) != NULL)
        discard(core, epoch);
    while ((epoch = list_pop(&epochs->committed)) != NULL)
        discard(core, epoch);
    pool_serve(core);
    return epochs->free.count > before;
}

/* Begins what can begin.  Called when no task is ready. */
bool epochs_drive(struct core *core)
{
    struct epochs *epochs = &core->epochs;
    if (core->dead)
        return core->assembled && discard_all(core);
    if (epochs->writing == NULL && epochs->open != NULL && epochs->open->first != NULL &&
        log_begin(core))
        return true;
    if (commit_is_wanted(core)) {
        epochs->committing = true;
        task_start(core, &epochs->committer, commit);
        return true;
    }
    if (epochs->last_committed == epochs_last_used(core))
        epochs->commit_wanted = false;
    if (!epochs->placing && epochs->committed.first != NULL) {
        if (direct_blocks(core, epochs->committed.first)) {
            core->checkpoint.wanted = true;
            return false;
        }
        epochs->placing = true;
        task_start(core, &epochs->placer, place);
        return true;
    }
    return false;
}

void log_written(struct core *core, struct epoch *epoch)
{
    list_push(&core->epochs.written, epoch);
    if (core->dead)
        return;
    core->epochs.last_written = epoch->number;
    task_wake_all(core, &epoch->plain);
}
