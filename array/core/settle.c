/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Comparing what is computed with the checksums.  A block that was read and is bad has to be
 * what the others give, and the checksum of its place says what that is.  If it does not match,
 * there are two reasons.  The checksum may be out of date, because the member has lost a write
 * of the page.  Or another block is out of date together with its checksum, because its member
 * has lost writes of both.
 *
 * More than k good blocks tell which it is.  If all of them agree, the checksum is wrong.  If
 * they do not, the k blocks are taken that give what the checksums of the bad ones say.
 */
#include "config.h"

#include "internal.h"

#include <string.h>

/* So many sets of k blocks are tried at most. */
enum { MOST_TRIES = 1024 };

static uint32_t sum_of(const struct core *core, const struct part *part, const struct row *row,
                       unsigned block)
{
    return sums_get(part->sums, part->where.member[block],
                    block_on_member(core, part->stripe, row->row));
}

/* Bad blocks whose checksums say what they were. */
static pxa_mask witnesses_of(const struct core *core, const struct part *part,
                             const struct row *row)
{
    pxa_mask witnesses = row->bad & ~part->lost;
    for (pxa_mask left = witnesses; left != 0; left &= left - 1)
        if (sum_of(core, part, row, mask_first(left)) == DISK_UNKNOWN)
            witnesses &= ~mask_of(mask_first(left));
    return witnesses;
}

/* Computes blocks from k others.  Returns whether that went well. */
static bool compute(const struct core *core, const struct row *row, pxa_mask from,
                    uint8_t *const want[])
{
    uint8_t *have[PXA_MAX_MEMBERS] = {NULL};
    for (; from != 0; from &= from - 1)
        have[mask_first(from)] = row->page[mask_first(from)]->bytes;
    return pxr_reconstruct(core->code, CORE_BLOCK, (pxr_inputs)have, want) == PXR_OK;
}

/* How many of the bad blocks are what their checksums say, if these k blocks are right. */
static unsigned count_right(const struct core *core, const struct part *part,
                            const struct row *row, pxa_mask witnesses, pxa_mask from)
{
    uint8_t *want[PXA_MAX_MEMBERS] = {NULL};
    const uint64_t at = block_on_member(core, part->stripe, row->row);
    unsigned right = 0;
    for (pxa_mask left = witnesses; left != 0; left &= left - 1)
        want[mask_first(left)] = row->page[mask_first(left)]->bytes;
    if (!compute(core, row, from, want))
        return 0;
    for (pxa_mask left = witnesses; left != 0; left &= left - 1) {
        const unsigned block = mask_first(left);
        right += disk_sum_matches(sum_of(core, part, row, block), core->super.uuid,
                                  part->where.member[block], at, want[block]);
    }
    return right;
}

/* The known blocks that are others than these k give. */
static pxa_mask differing(const struct core *core, const struct row *row, pxa_mask from)
{
    pxa_mask differ = 0;
    for (pxa_mask left = row->known & ~from; left != 0; left &= left - 1) {
        const unsigned block = mask_first(left);
        uint8_t *want[PXA_MAX_MEMBERS] = {NULL};
        want[block] = core->scratch;
        if (!compute(core, row, from, want) ||
            memcmp(core->scratch, row->page[block]->bytes, CORE_BLOCK) != 0)
            differ |= mask_of(block);
    }
    return differ;
}

/* -------------------------------------------------------------------- sets -- */

/* The next greater number with as many bits. */
static uint64_t next_choice(uint64_t choice)
{
    const uint64_t low = choice & -choice, up = choice + low;
    return up == 0 ? 0 : up | ((choice ^ up) >> 2) / low;
}

/* Of the elements of a set, those whose numbers are in `choice`. */
static pxa_mask chosen_of(pxa_mask set, uint64_t choice)
{
    pxa_mask chosen = 0;
    for (unsigned i = 0; set != 0; set &= set - 1, i++)
        if (choice >> i & 1)
            chosen |= set & -set;
    return chosen;
}

/* The k blocks that make the most of the bad ones right.  Blocks from memory are not left out.
 */
static pxa_mask find_set(const struct core *core, const struct part *part,
                         const struct row *row, pxa_mask witnesses, pxa_mask first,
                         unsigned *most)
{
    const pxa_mask read = row->known & ~row->cached;
    const unsigned spare = mask_count(row->known) - core->super.data;
    uint64_t choice = mask_below(spare);
    pxa_mask best = first;
    for (unsigned tries = 0; spare > 0 && tries < MOST_TRIES && choice != 0 &&
                             (choice & ~mask_below(mask_count(read))) == 0;
         tries++, choice = next_choice(choice)) {
        const pxa_mask from = row->known & ~chosen_of(read, choice);
        const unsigned right = count_right(core, part, row, witnesses, from);
        if (right > *most) {
            *most = right;
            best = from;
        }
    }
    return best;
}

/* Leaves out the blocks that are out of date. */
static void leave_out(struct core *core, const struct part *part, struct row *row,
                      pxa_mask stale)
{
    row->known &= ~stale;
    row->bad |= stale;
    for (; stale != 0; stale &= stale - 1)
        core->member[part->where.member[mask_first(stale)]].bad_sums++;
}

static bool settle(struct core *core, struct part *part, struct row *row, pxa_mask witnesses,
                   pxa_mask first)
{
    unsigned right = count_right(core, part, row, witnesses, first);
    const pxa_mask from = find_set(core, part, row, witnesses, first, &right);
    const pxa_mask stale = differing(core, row, from);
    row->settled = true;
    if (stale == 0)
        return false;
    if (right > 0) {
        leave_out(core, part, row, stale);
        return true;
    }
    row->known = 0;
    row->torn = true;
    if (part->kind == PART_READ || part->kind == PART_WRITE)
        part->status = PXA_EIO;
    return true;
}

bool row_fits(const struct core *core, const struct part *part, const struct row *row,
              unsigned block)
{
    const pxa_mask witnesses = witnesses_of(core, part, row);
    const unsigned count = mask_count(witnesses);
    if (count == 0 || mask_count(row->known) + 1 < core->super.data)
        return false;
    const pxa_mask from = mask_take(row->known, core->super.data - 1) | mask_of(block);
    return count_right(core, part, row, witnesses, from) == count;
}

/* -------------------------------------------------------------------- rows -- */

static bool row_settle(struct core *core, struct part *part, struct row *row)
{
    const pxa_mask witnesses = row->blank || row->settled ? 0 : witnesses_of(core, part, row);
    if (witnesses == 0 || mask_count(row->known) < core->super.data)
        return false;
    const pxa_mask cached = mask_take(row->cached, core->super.data);
    const pxa_mask first =
        cached | mask_take(row->known & ~cached, core->super.data - mask_count(cached));
    if (row->all)
        return settle(core, part, row, witnesses, first);
    if (count_right(core, part, row, witnesses, first) == mask_count(witnesses)) {
        row->settled = true;
        return false;
    }
    row->all = true;
    return true;
}

bool rows_settle(struct core *core, struct part *part)
{
    bool any = false;
    for (unsigned i = 0; part->status == PXR_OK && i < part->count; i++)
        any = row_settle(core, part, &part->row[i]) || any;
    return any && part->status == PXR_OK;
}
