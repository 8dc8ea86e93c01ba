/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows that nobody has written yet, and writing whole ones of them without the log.
 *
 * A row is blank when the checksums of all of its blocks say that they were never written.  It
 * is zeros then, whatever is in place.  So when a write covers a blank row, and all members are
 * there, its blocks go directly into place, and the log gets no more than their checksums: as
 * long as the epoch does not count, neither does what is in place.  Where a row holds
 * something, that is impossible: a crash would leave some blocks old, some new and some torn,
 * and the code restores only what k blocks of one state determine.
 *
 * Until the tail has passed such an epoch, a crash compares these places with the checksums in
 * the log.  So they must not be written again before.
 */
#include "config.h"

#include "internal.h"

#include "bytes.h"

#include <string.h>

/* Of the members that are there, so many are right that one of them knows of any write. */
bool row_is_blank(const struct core *core, const struct part *part, unsigned row)
{
    unsigned zeros = 0;
    if (part->sums == NULL || overlay_find(core, part->stripe, row) != NULL)
        return false;
    for (unsigned block = 0; block < core->width; block++) {
        if (mask_has(part->lost, block))
            continue;
        const uint32_t sum = sums_get(part->sums, part->where.member[block],
                                      block_on_member(core, part->stripe, row));
        if (sum != DISK_ZEROS && sum != DISK_UNKNOWN)
            return false;
        zeros += sum == DISK_ZEROS;
    }
    return zeros >= core->super.data;
}

void blank_take(struct core *core, const struct part *part, struct row *row)
{
    for (unsigned block = 0; block < core->width; block++)
        memset(row->page[block]->bytes, 0, CORE_BLOCK);
    if (part->kind != PART_WRITE)
        row->known = row->whole;
}

pxa_mask blank_unchecked(const struct core *core, const struct part *part,
                         const struct row *row)
{
    const pxa_mask data = mask_below(core->super.data);
    return part->kind != PART_WRITE
               ? 0
               : data & ~(row->whole | row->partial | row->known | part->lost);
}

void blank_clear(struct row *row, unsigned block)
{
    memset(row->page[block]->bytes, 0, CORE_BLOCK);
}

void blank_check(struct row *row, unsigned block, bool unsure)
{
    uint8_t *bytes = row->page[block]->bytes;
    if (unsure || !all_zero(bytes, CORE_BLOCK))
        row->bad |= mask_of(block);
    row->known |= mask_of(block);
    memset(bytes, 0, CORE_BLOCK);
}

bool row_is_direct(const struct core *core, const struct part *part, const struct row *row)
{
    return row->blank && part->lost == 0 && row->whole == mask_below(core->super.data);
}

/* ------------------------------------------------------------- the places -- */

static uint64_t entry_of(const struct core *core, const struct line *line)
{
    return block_on_member(core, line->stripe, line->row) % DISK_SUMS_ENTRIES;
}

void direct_note(const struct core *core, const struct page *page)
{
    struct sums *sums = page->line->sums;
    const uint64_t entry = entry_of(core, page->line);
    if (sums->direct_epoch < core->tail)
        memset(sums->direct, 0, sizeof sums->direct);
    sums->direct_epoch = page->epoch;
    sums->direct[entry / 64] |= UINT64_C(1) << entry % 64;
}

bool direct_blocks(const struct core *core, const struct epoch *epoch)
{
    for (const struct page *page = epoch->first; page != NULL; page = page->next) {
        const struct sums *sums = page->line->sums;
        const uint64_t entry = entry_of(core, page->line);
        if (!page->direct && sums->direct_epoch >= core->tail &&
            sums->direct[entry / 64] >> entry % 64 & 1)
            return true;
    }
    return false;
}
