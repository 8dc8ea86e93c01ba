/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows that nobody has written, at least since they were trimmed, and writing whole ones of
 * them without the log.
 *
 * A row is blank when the checksums of all of its blocks say so.  It is zeros then, whatever is
 * in place.  So when a write covers a blank row, and all members are there, its blocks go
 * directly into place, and the log gets no more than their checksums: as long as the epoch does
 * not count, neither does what is in place.  Where a row holds something, that is impossible: a
 * crash would leave some blocks old, some new and some torn, and the code restores only what k
 * blocks of one state determine.
 *
 * Until the tail has passed such an epoch, a crash compares these places with the checksums in
 * the log.  So they must not be written again before.
 */
#include "config.h"

#include "internal.h"

#include "bytes.h"

#include <string.h>

/* Of the members that are there, so many are right that one of them knows of any write, and of
   any trim.  A sum that is lost says nothing; a row that is on its way is not blank yet. */
void row_look(const struct core *core, const struct part *part, struct row *row)
{
    unsigned count[DISK_TRIMMED + 1] = {0};
    row->blank = row->trimmed = false;
    if (part->sums == NULL || overlay_find(core, part->stripe, row->row) != NULL)
        return;
    for (unsigned block = 0; block < core->width; block++) {
        if (mask_has(part->lost, block))
            continue;
        const uint32_t sum = sums_get(part->sums, part->where.member[block],
                                      block_on_member(core, part->stripe, row->row));
        if (sum > DISK_TRIMMED)
            return;
        count[sum]++;
    }
    row->blank = count[DISK_ZEROS] + count[DISK_TRIMMED] >= core->super.data;
    row->trimmed = row->blank && count[DISK_TRIMMED] > 0;
}

uint32_t blank_sum(const struct row *row)
{
    return row->trimmed ? DISK_TRIMMED : DISK_ZEROS;
}

void blank_clear(struct row *row, unsigned block)
{
    memset(row->page[block]->bytes, 0, CORE_BLOCK);
}

void row_clear(const struct core *core, struct row *row)
{
    for (unsigned block = 0; block < core->width; block++)
        blank_clear(row, block);
}

/* A write to a trimmed row writes all of its data.  So each block gets a checksum, and none has
   to be looked at. */
void blank_take(struct core *core, const struct part *part, struct row *row)
{
    row_clear(core, row);
    if (part->kind != PART_WRITE)
        row->known = row->whole;
    else if (row->trimmed)
        row->known = row->bad =
            mask_below(core->super.data) & ~(row->whole | row->partial | part->lost);
}

pxa_mask blank_unchecked(const struct core *core, const struct part *part,
                         const struct row *row)
{
    const pxa_mask data = mask_below(core->super.data);
    return part->kind != PART_WRITE
               ? 0
               : data & ~(row->whole | row->partial | row->known | part->lost);
}

void blank_check(struct row *row, unsigned block, bool unsure)
{
    uint8_t *bytes = row->page[block]->bytes;
    if (unsure || !all_zero(bytes, CORE_BLOCK))
        row->bad |= mask_of(block);
    row->known |= mask_of(block);
    memset(bytes, 0, CORE_BLOCK);
}

/* ------------------------------------------------------------- the places -- */

static uint64_t entry_of(const struct core *core, uint64_t stripe, unsigned row)
{
    return block_on_member(core, stripe, row) % DISK_SUMS_ENTRIES;
}

static void note(const struct core *core, struct row_note *rows, const struct page *page)
{
    const uint64_t entry = entry_of(core, page->line->stripe, page->line->row);
    if (rows->epoch < core->tail)
        memset(rows->rows, 0, sizeof rows->rows);
    rows->epoch = page->epoch;
    rows->rows[entry / 64] |= UINT64_C(1) << entry % 64;
}

static bool is_noted(const struct core *core, const struct row_note *rows, uint64_t entry)
{
    return rows->epoch >= core->tail && rows->rows[entry / 64] >> entry % 64 & 1;
}

/* If the log still has a trim, it may have what the row held before.  A replay would put that
   over what went directly into place. */
bool row_is_direct(const struct core *core, const struct part *part, const struct row *row)
{
    return row->blank && part->lost == 0 && row->whole == mask_below(core->super.data) &&
           !is_noted(core, &part->sums->trimmed, entry_of(core, part->stripe, row->row));
}

void rows_note(const struct core *core, const struct page *page)
{
    if (page->direct)
        note(core, &page->line->sums->direct, page);
    if (page->trimmed)
        note(core, &page->line->sums->trimmed, page);
}

/* A trim puts nothing into place. */
bool direct_blocks(const struct core *core, const struct epoch *epoch)
{
    for (const struct page *page = epoch->first; page != NULL; page = page->next)
        if (!page->direct && !page->trimmed &&
            is_noted(core, &page->line->sums->direct,
                     entry_of(core, page->line->stripe, page->line->row)))
            return true;
    return false;
}
