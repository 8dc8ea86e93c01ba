/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading what a part needs of its rows.  A block that cannot be read, or whose checksum is
 * wrong, is one erasure more, and the rest of its row is planned again.
 */
#include "config.h"

#include "internal.h"

#include <string.h>

uint64_t block_on_member(const struct core *core, uint64_t stripe, unsigned row)
{
    return stripe * core->stripe_rows + row;
}

/* A blank member may have the role of one that has left.  So what is lost stays lost. */
static void lose_absent(const struct core *core, struct part *part)
{
    for (unsigned block = 0; block < core->width; block++)
        if (!member_has(core, part->where.member[block], part->stripe))
            part->lost |= mask_of(block);
}

void part_locate(const struct core *core, struct part *part)
{
    pxa_row(&core->geometry, part->stripe, &part->where);
    part->lost = 0;
    lose_absent(core, part);
}

/* ------------------------------------------------------------------ pages -- */

/* The blocks of a row of which there are two contents: old data and new, and parity as it is
   and as it should be. */
static pxa_mask fresh_of(const struct core *core, const struct part *part,
                         const struct row *row)
{
    if (part->kind == PART_SCRUB)
        return mask_below(core->width) & ~mask_below(core->super.data);
    return part->kind == PART_WRITE ? row->whole | row->partial : 0;
}

/* The pages that rows of this kind may need. */
static unsigned pages_of(const struct core *core, const struct part *part)
{
    unsigned pages = 0;
    for (unsigned i = 0; i < part->count; i++)
        pages += core->width + mask_count(fresh_of(core, part, &part->row[i]));
    return pages;
}

/* Asks for all pages at once; the pool calls rows_get_pages() when they are there. */
void rows_want_pages(struct core *core, struct part *part)
{
    part->pages_wanted = pages_of(core, part);
    task_queue_up(&core->pool.waiters, &part->task);
    pool_serve(core);
}

void rows_get_pages(struct core *core, struct part *part)
{
    for (unsigned i = 0; i < part->count; i++) {
        struct row *row = &part->row[i];
        const pxa_mask fresh = fresh_of(core, part, row);
        for (unsigned block = 0; block < core->width; block++) {
            row->page[block] = page_take(core);
            row->fresh[block] = mask_has(fresh, block) ? page_take(core) : NULL;
        }
    }
}

static void give(struct core *core, struct page **page)
{
    if (*page != NULL)
        page_give(core, *page);
    *page = NULL;
}

void rows_free(struct core *core, struct part *part)
{
    rows_keep(core, part);
    for (unsigned i = 0; i < part->count; i++)
        for (unsigned block = 0; block < core->width; block++) {
            give(core, &part->row[i].page[block]);
            give(core, &part->row[i].fresh[block]);
        }
    pool_serve(core);
}

void part_release(struct core *core, struct part *part)
{
    rows_free(core, part);
    if (part->sums != NULL)
        sums_unpin(part->sums);
    claim_release(core, &part->claim);
}

/* ---------------------------------------------------------------- reading -- */

/* Blocks that are newer than in place are known at once, also those of lost members. */
void rows_take_cached(struct core *core, struct part *part)
{
    for (unsigned i = 0; i < part->count; i++) {
        struct row *row = &part->row[i];
        const struct line *line = overlay_find(core, part->stripe, row->row);
        row->known = row->bad = row->asked = 0;
        row->all = row->settled = row->torn = false;
        row_look(core, part, row);
        if (row->blank)
            blank_take(core, part, row);
        for (unsigned block = 0; line != NULL && block < core->width; block++)
            if (line->newest[block] != NULL) {
                memcpy(row->page[block]->bytes, line->newest[block]->bytes, CORE_BLOCK);
                row->known |= mask_of(block);
            }
        row->cached = row->known;
    }
}

/* A row of a write in which a block is bad is computed from all of its data, and so healed. */
static int plan(const struct core *core, const struct part *part, const struct row *row,
                pxa_mask clean, struct pxa_plan *plan)
{
    const struct pxa_state state = {.data = core->super.data,
                                    .parity = core->super.parity,
                                    .lost = part->lost | row->bad,
                                    .cached = row->known | clean};
    if (part->kind != PART_WRITE)
        return pxa_plan_read(&state, row->whole, plan, sizeof *plan);
    if (row->bad != 0) {
        const int status =
            pxa_plan_read(&state, mask_below(core->super.data), plan, sizeof *plan);
        plan->method = PXA_REBUILD;
        return status;
    }
    return pxa_plan_write(&state, row->whole, row->partial, plan, sizeof *plan);
}

uint64_t block_at(const struct core *core, uint64_t block)
{
    return core->super.layout.data_at + block * CORE_BLOCK;
}

uint64_t page_block(const struct core *core, const struct page *page)
{
    return block_on_member(core, page->line->stripe, page->line->row);
}

/* Begins the reads that the rows ask for.  Returns whether there are any. */
static bool begin_reads(struct core *core, struct part *part)
{
    struct run run = {.core = core, .task = &part->task, .piece = part->piece};
    bool any = false;
    for (unsigned block = 0; block < core->width; block++)
        for (unsigned i = 0; i < part->count; i++) {
            struct row *row = &part->row[i];
            struct page *page = row->page[block];
            if (!mask_has(row->asked, block))
                continue;
            run_add(&run, &page->io, part->where.member[block],
                    block_at(core, block_on_member(core, part->stripe, row->row)), page->bytes);
            if (part->apart)
                run_end(&run);
            any = true;
        }
    run_end(&run);
    return any;
}

/* Makes the plan of a row, and takes from the cache what it needs.  If a page there is wrong,
   it is gone, and the next plan does without it. */
static int plan_with_cache(struct core *core, const struct part *part, struct row *row,
                           struct pxa_plan *found)
{
    for (;;) {
        const pxa_mask clean = row_clean(core, part, row);
        const int status = plan(core, part, row, clean, found);
        if (status != PXR_OK || row_take_clean(core, part, row, clean, found))
            return status;
    }
}

/* Plans what is read of a row. */
static int ask(struct core *core, const struct part *part, struct row *row)
{
    struct pxa_plan found;
    row->rebuild = row->asked = 0;
    if (row->torn)
        return PXR_OK;
    if (row->blank) {
        row->method = PXA_RECONSTRUCT_WRITE;
        row->asked = blank_unchecked(core, part, row);
        return PXR_OK;
    }
    if (part->kind == PART_SCRUB) {
        row->asked = scrub_ask(core, part, row);
        return PXR_OK;
    }
    row->asked = mask_below(core->width) & ~(part->lost | row->known | row->bad);
    if (row->all && !row->settled && row->asked != 0)
        return PXR_OK;
    const int status = plan_with_cache(core, part, row, &found);
    row->method = status == PXR_OK ? found.method : PXA_DIRECT;
    row->asked = status == PXR_OK ? found.read : 0;
    row->rebuild = status == PXR_OK ? found.rebuild : 0;
    row_count_misses(core, part, row);
    return status;
}

bool rows_ask(struct core *core, struct part *part)
{
    lose_absent(core, part); /* some may have left since the part was located */
    if (part->kind == PART_WRITE)
        region_touch(core, part->stripe); /* they will lack what is written here */
    for (unsigned i = 0; i < part->count; i++)
        if (ask(core, part, &part->row[i]) != PXR_OK && part->kind != PART_SYNC)
            part->status = PXA_EIO; /* a rebuild goes on with its other rows */
    return begin_reads(core, part);
}

/* What a scrub repairs is no reason to let a member fail. */
static bool has_failed(struct core *core, const struct part *part, const struct row *row,
                       unsigned block)
{
    const struct io *io = &row->page[block]->io;
    if (io->error == 0)
        return false;
    core->member[io->role].read_errors++;
    if (!part->repair)
        defect_note(core, io, block_on_member(core, part->stripe, row->row));
    return true;
}

static bool is_right(struct core *core, const struct part *part, const struct row *row,
                     unsigned block)
{
    const struct page *page = row->page[block];
    const unsigned role = part->where.member[block];
    const uint64_t at = block_on_member(core, part->stripe, row->row);
    if (has_failed(core, part, row, block))
        return false;
    if (disk_sum_matches(sums_get(part->sums, role, at), core->super.uuid, role, at,
                         page->bytes))
        return true;
    core->member[role].bad_sums++;
    return false;
}

/* A block of a blank row that cannot be read, or whose checksum is lost. */
static bool is_unsure(struct core *core, const struct part *part, const struct row *row,
                      unsigned block)
{
    const unsigned role = part->where.member[block];
    return has_failed(core, part, row, block) ||
           sums_get(part->sums, role, block_on_member(core, part->stripe, row->row)) ==
               DISK_UNKNOWN;
}

/* Of a run that has failed, most blocks may be good.  So they are asked for again, each alone.
 */
void rows_take(struct core *core, struct part *part)
{
    for (unsigned i = 0; i < part->count; i++) {
        struct row *row = &part->row[i];
        for (pxa_mask left = row->asked; left != 0; left &= left - 1) {
            const unsigned block = mask_first(left);
            const struct io *io = &row->page[block]->io;
            if (io->error != 0 && io->shared) {
                part->apart = true;
                if (row->blank)
                    blank_clear(row, block);
            } else if (row->blank)
                blank_check(row, block, is_unsure(core, part, row, block));
            else if (is_right(core, part, row, block))
                row->known |= mask_of(block);
            else
                row->bad |= mask_of(block);
        }
    }
}

bool rows_ask_on(struct core *core, struct part *part)
{
    return rows_ask(core, part) || (rows_settle(core, part) && rows_ask_on(core, part));
}

bool rows_read_on(struct core *core, struct part *part)
{
    rows_take(core, part);
    return part->status == PXR_OK && rows_ask_on(core, part);
}

/* Computes the lost blocks that the plans name. */
int rows_rebuild(struct core *core, struct part *part)
{
    for (unsigned i = 0; i < part->count; i++) {
        struct row *row = &part->row[i];
        uint8_t *have[PXA_MAX_MEMBERS] = {NULL}, *want[PXA_MAX_MEMBERS] = {NULL};
        if (row->rebuild == 0)
            continue;
        for (unsigned block = 0; block < core->width; block++) {
            if (mask_has(row->rebuild, block))
                want[block] = row->page[block]->bytes;
            else if (mask_has(row->known, block))
                have[block] = row->page[block]->bytes;
        }
        const int status = pxr_reconstruct(core->code, CORE_BLOCK, (pxr_inputs)have, want);
        if (status != PXR_OK)
            return status;
        row->known |= row->rebuild;
    }
    return PXR_OK;
}
