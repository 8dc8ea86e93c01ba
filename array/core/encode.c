/* SPDX-License-Identifier: BSD-3-Clause */
/* The new blocks of a row: the bytes of the caller, and the parity. */
#include "config.h"

#include "internal.h"

#include <string.h>

struct cut cut_of(const struct core *core, const struct part *part, unsigned row,
                  unsigned block)
{
    const struct core_op *op = part->op;
    const uint64_t address =
        (part->stripe * core->super.data + block) * core->super.chunk + row * CORE_BLOCK;
    const uint64_t end = op->offset + op->len;
    struct cut cut = {0, 0, 0};
    if (address >= end || address + CORE_BLOCK <= op->offset)
        return cut;
    cut.begin = op->offset > address ? (uint32_t)(op->offset - address) : 0;
    cut.end = end - address < CORE_BLOCK ? (uint32_t)(end - address) : CORE_BLOCK;
    cut.from = address + cut.begin - op->offset;
    return cut;
}

static void fill_fresh(const struct core *core, const struct part *part, struct row *row)
{
    for (pxa_mask left = row->whole | row->partial; left != 0; left &= left - 1) {
        const unsigned block = mask_first(left);
        const struct cut cut = cut_of(core, part, row->row, block);
        uint8_t *bytes = row->fresh[block]->bytes;
        if (mask_has(row->partial, block))
            memcpy(bytes, row->page[block]->bytes, CORE_BLOCK);
        if (part->op->kind == CORE_ZERO)
            memset(bytes + cut.begin, 0, cut.end - cut.begin);
        else
            memcpy(bytes + cut.begin, (const uint8_t *)part->op->buffer + cut.from,
                   cut.end - cut.begin);
    }
}

/* Read-modify-write: the parity that is there follows the change of the data. */
static int update_parity(const struct core *core, const struct part *part, struct row *row)
{
    const unsigned k = core->super.data;
    unsigned index[PXA_MAX_MEMBERS], count = 0;
    uint8_t *before[PXA_MAX_MEMBERS], *after[PXA_MAX_MEMBERS], *parity[PXA_MAX_MEMBERS];
    for (pxa_mask left = row->whole | row->partial; left != 0; left &= left - 1) {
        const unsigned block = mask_first(left);
        index[count] = block;
        before[count] = row->page[block]->bytes;
        after[count++] = row->fresh[block]->bytes;
    }
    for (unsigned r = 0; r < core->super.parity; r++)
        parity[r] = mask_has(part->lost, k + r) ? NULL : row->page[k + r]->bytes;
    return pxr_update_many(core->code, CORE_BLOCK, count, index, (pxr_inputs)before,
                           (pxr_inputs)after, parity);
}

static int encode_all(const struct core *core, struct row *row)
{
    const unsigned k = core->super.data;
    uint8_t *data[PXA_MAX_MEMBERS], *parity[PXA_MAX_MEMBERS];
    for (unsigned block = 0; block < k; block++)
        data[block] =
            row->fresh[block] != NULL ? row->fresh[block]->bytes : row->page[block]->bytes;
    for (unsigned r = 0; r < core->super.parity; r++)
        parity[r] = row->page[k + r]->bytes;
    return pxr_encode(core->code, CORE_BLOCK, (pxr_inputs)data, parity);
}

int row_encode(struct core *core, struct part *part, struct row *row)
{
    fill_fresh(core, part, row);
    switch (row->method) {
    case PXA_READ_MODIFY_WRITE:
        return update_parity(core, part, row);
    case PXA_DIRECT:
        return PXR_OK; /* no parity is left */
    default:
        return encode_all(core, row);
    }
}

/* Gives a page to the open epoch. */
static void log_page(struct core *core, const struct part *part, const struct row *row,
                     unsigned block, struct page **page)
{
    const bool direct = row_is_direct(core, part, row);
    struct page *record = *page;
    *page = NULL;
    record->line = overlay_get(core, part->stripe, row->row, part->sums);
    record->block = block;
    record->role = part->where.member[block];
    record->serial = core->member[record->role].serial;
    record->logged = !mask_has(part->lost, block);
    record->direct = direct;
    record->trimmed = part->kind == PART_TRIM;
    record->io = (struct io){.error = 0};
    record->sum = record->trimmed
                      ? (uint32_t)DISK_TRIMMED
                      : disk_sum(core->super.uuid, record->role,
                                 block_on_member(core, part->stripe, row->row), record->bytes);
    epoch_add(core, record);
}

/*
 * The records of a row: the changed data, all parity whose member is there, and blocks that
 * were bad.  New data of a lost member is kept in memory like the rest, but not written. Parity
 * of a lost member is not computed, so what memory has of it is out of date.  A trim makes
 * zeros of all blocks.
 */
void row_log(struct core *core, struct part *part, struct row *row)
{
    const unsigned k = core->super.data;
    struct line *line = overlay_find(core, part->stripe, row->row);
    for (unsigned block = 0; block < core->width; block++) {
        if (row->fresh[block] != NULL)
            log_page(core, part, row, block, &row->fresh[block]);
        else if (part->kind == PART_TRIM ||
                 (block >= k ? !mask_has(part->lost, block) : mask_has(row->bad, block)))
            log_page(core, part, row, block, &row->page[block]);
        else if (block >= k && line != NULL)
            line->newest[block] = NULL;
    }
}
