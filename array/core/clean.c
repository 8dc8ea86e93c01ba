/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What parts take from the cache, and leave there.  Only reads and writes of the caller do.  A
 * scrub is there to look at the members, and a rebuild would fill the cache with what nobody
 * has asked for.
 */
#include "config.h"

#include "internal.h"

static bool uses_cache(const struct core *core, const struct part *part)
{
    return cache_is_on(core) && (part->kind == PART_READ || part->kind == PART_WRITE);
}

/* ------------------------------------------------------------------ taking -- */

/* The blocks that a part needs if all of them are at hand: those that are read, or those of a
   read-modify-write. */
static pxa_mask first_of(const struct core *core, const struct part *part,
                         const struct row *row)
{
    const pxa_mask parity = mask_below(core->width) & ~mask_below(core->super.data);
    return part->kind == PART_READ ? row->whole
                                   : row->whole | row->partial | (parity & ~part->lost);
}

/* Of these blocks, those of which the cache has a page. */
static pxa_mask find_clean(const struct core *core, const struct part *part,
                           const struct row *row, pxa_mask blocks)
{
    pxa_mask found = 0;
    for (; blocks != 0; blocks &= blocks - 1)
        if (cache_has(core, part->where.member[mask_first(blocks)],
                      block_on_member(core, part->stripe, row->row)))
            found |= blocks & -blocks;
    return found;
}

/* Others than the first ones are of use if these do not suffice. */
pxa_mask row_clean(const struct core *core, const struct part *part, const struct row *row)
{
    if (!uses_cache(core, part))
        return 0;
    const pxa_mask out = part->lost | row->bad;
    const pxa_mask open = mask_below(core->width) & ~(out | row->known);
    const pxa_mask first = first_of(core, part, row);
    const pxa_mask clean = find_clean(core, part, row, open & first);
    const pxa_mask missing = first & ~(row->known | clean);
    return (part->kind == PART_READ ? missing & out : missing) == 0
               ? clean
               : clean | find_clean(core, part, row, open & ~first);
}

/* The blocks that a plan has to know. */
static pxa_mask used_of(const struct core *core, const struct part *part, const struct row *row,
                        const struct pxa_plan *plan)
{
    if (plan->method == PXA_REBUILD)
        return mask_below(core->width);
    return plan->method == PXA_RECONSTRUCT_WRITE ? mask_below(core->super.data) & ~row->whole
                                                 : first_of(core, part, row);
}

bool row_take_clean(struct core *core, const struct part *part, struct row *row, pxa_mask clean,
                    const struct pxa_plan *plan)
{
    const uint64_t at = block_on_member(core, part->stripe, row->row);
    bool all = true;
    for (pxa_mask left = clean & used_of(core, part, row, plan); left != 0; left &= left - 1) {
        const unsigned block = mask_first(left), role = part->where.member[block];
        if (cache_swap(core, role, at, sums_get(part->sums, role, at), &row->page[block]))
            row->known |= mask_of(block);
        else
            all = false;
    }
    return all;
}

void row_count_misses(struct core *core, const struct part *part, const struct row *row)
{
    if (uses_cache(core, part))
        core->cache.misses += mask_count(row->asked);
}

/* ----------------------------------------------------------------- leaving -- */

/*
 * The blocks of a row of which a page still has what is in place.  A write has changed its
 * parity, and its old data are of no use any more.
 */
static pxa_mask clean_of(const struct core *core, const struct part *part,
                         const struct row *row)
{
    const pxa_mask clean = row->known & ~(row->cached | row->rebuild | part->lost);
    if (row->blank || !uses_cache(core, part))
        return 0;
    return part->kind == PART_READ
               ? clean
               : clean & mask_below(core->super.data) & ~(row->whole | row->partial);
}

void rows_keep(struct core *core, struct part *part)
{
    for (unsigned i = 0; i < part->count; i++) {
        struct row *row = &part->row[i];
        for (pxa_mask left = clean_of(core, part, row); left != 0; left &= left - 1) {
            const unsigned block = mask_first(left);
            if (row->page[block] != NULL)
                cache_give(core, row->page[block], part->where.member[block],
                           block_on_member(core, part->stripe, row->row));
            row->page[block] = NULL;
        }
    }
}
