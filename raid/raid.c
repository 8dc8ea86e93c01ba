/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * P and Q: computing them from all data blocks, updating them for some blocks, and the choice
 * between the two.
 */
#include <stdbool.h>

#include "call.h"
#include "dispatch.h"
#include "encode.h"
#include "gf256.h"
#include "groups.h"
#include "hand_over.h"
#include "permxor_raid.h"

/* ------------------------------------------------------------ some blocks -- */

/* The blocks of a stripe that a call adds up, from the first block that is not NULL to the
   last: `count` of the `span` pointers are not NULL. */
struct range {
    unsigned first, span, count;
    const uint8_t *const *block;
};

static struct range range_of(unsigned first, unsigned count, const uint8_t *const *blocks)
{
    while (count > 0 && !blocks[0]) {
        first++;
        count--;
        blocks++;
    }
    while (count > 0 && !blocks[count - 1])
        count--;
    struct range range = {first, count, 0, blocks};
    for (unsigned i = 0; i < count; i++)
        range.count += blocks[i] != NULL;
    return range;
}

/* Lists the blocks that are not NULL, and 2^i for each such block i. */
static void pick(const struct range *range, const uint8_t **block, uint8_t *coefficient)
{
    for (unsigned i = 0; i < range->span; i++) {
        if (!range->block[i])
            continue;
        *block++ = range->block[i];
        *coefficient++ = pxr_pow2(range->first + i);
    }
}

/* Computes P, or Q with every block multiplied by its table, or both. */
static void by_tables(const struct range *range, enum pxr_special special, unsigned general,
                      size_t len, uint8_t *const *dst, uint32_t flags)
{
    const struct pxr_kernels *const kernels = pxr_kernels();
    const uint8_t *block[PXR_RAID_MAX_DATA];
    uint8_t coefficient[PXR_RAID_MAX_DATA];
    uint64_t room[PXR_RAID_MAX_DATA * PXR_TABLE / sizeof(uint64_t)];
    const uint8_t *rows = NULL; /* P alone needs no tables */
    pick(range, block, coefficient);
    if (general > 0)
        rows = pxr_expand(kernels->form, range->count, coefficient, room);
    kernels->dot[special][general](len, range->count, rows, block, dst, flags);
}

/*
 * Computes P and Q by Horner's rule, with zeros for the gaps.  Q is 2^first times the syndrome
 * of the same blocks counted from 0.
 */
static void by_horner(const struct range *range, size_t len, uint8_t *const *dst,
                      uint32_t flags)
{
    const uint8_t *const shift = pxr_nibble[pxr_pow2(range->first)];
    if (range->first > 0)
        flags |= PXR_SHIFT;
    pxr_kernels()->dot[PXR_SPECIAL_PQ][0](len, range->span, shift, range->block, dst, flags);
}

/* Returns whether the gaps are at most half as many blocks as are there.  Such gaps cost less
   than tables: doc/raid.md. */
static bool is_dense(const struct range *range)
{
    return 2 * range->span <= 3 * range->count;
}

/* Computes P or Q or both, and writes them or adds them to what is there. */
static void add_up(const struct range *range, size_t len, uint8_t *p, uint8_t *q,
                   uint32_t flags)
{
    uint8_t *const both[] = {p, q, p, q}, *const only_p[] = {p, p}, *const only_q[] = {q, q};
    if (!q)
        by_tables(range, PXR_SPECIAL_P, 0, len, only_p, flags);
    else if (!p)
        by_tables(range, PXR_SPECIAL_NONE, 1, len, only_q, flags);
    else if (is_dense(range))
        by_horner(range, len, both, flags);
    else
        by_tables(range, PXR_SPECIAL_P, 1, len, both, flags);
}

/* ---------------------------------------------------------- the functions -- */

int pxr_raid_generate(unsigned n, size_t len, pxr_inputs data, uint8_t *p, uint8_t *q)
{
    const uint8_t *const *const src = pxr_read_only(data);
    if (n < 1 || n > PXR_RAID_MAX_DATA || (!p && !q) || !pxr_all_present(n, src))
        return PXR_EINVAL;
    uint8_t *const both[] = {p, q};
    if (p)
        pxr_parity(pxr_kernels(), len, n, q ? PXR_SPECIAL_PQ : PXR_SPECIAL_P, src, both);
    else
        add_up(&(struct range){0, n, n, src}, len, p, q,
               pxr_way(PXR_WORK_PQ, pxr_place(len, n + 1, (struct pxr_sources){src, n, 1}), n));
    return PXR_OK;
}

int pxr_raid_accumulate(unsigned first, unsigned count, size_t len, pxr_inputs blocks,
                        uint8_t *p, uint8_t *q)
{
    if (!blocks || (!p && !q) || count > PXR_RAID_MAX_DATA || first > PXR_RAID_MAX_DATA - count)
        return PXR_EINVAL;
    const struct range some = range_of(first, count, pxr_read_only(blocks));
    if (some.count == 1)
        return pxr_raid_update(some.first, len, NULL, some.block[0], p, q);
    if (some.count > 1)
        add_up(&some, len, p, q, PXR_ACCUMULATE);
    return PXR_OK;
}

int pxr_raid_update(unsigned index, size_t len, const uint8_t *old_block,
                    const uint8_t *new_block, uint8_t *p, uint8_t *q)
{
    if (index >= PXR_RAID_MAX_DATA || !new_block || (!p && !q))
        return PXR_EINVAL;
    const uint8_t *const power = pxr_nibble[q ? pxr_pow2(index) : 1];
    const struct pxr_mad_mode add = {1, PXR_ACCUMULATE |
                                            pxr_update_way(len, 2 + !!old_block + (p && q))};
    uint8_t *const both[] = {p, q};
    const struct pxr_kernels *kernels = pxr_kernels();
    if (p && q)
        kernels->mad[PXR_SPECIAL_P][1](len, add, power, new_block, old_block, both);
    else
        kernels->mad[PXR_SPECIAL_NONE][1](len, add, power, new_block, old_block,
                                          p ? both : both + 1);
    return PXR_OK;
}

/* -------------------------------------------------------------- the plan -- */

/* Adds the read of a block in this state to the reads so far, if the block needs one. */
static unsigned count_read(unsigned reads, uint8_t state)
{
    if (reads == PXR_RAID_IMPOSSIBLE || state & PXR_RAID_CACHED)
        return reads;
    return state & PXR_RAID_FAILED ? PXR_RAID_IMPOSSIBLE : reads + 1;
}

int pxr_raid_write_plan(unsigned n, const uint8_t *data, uint8_t p, uint8_t q,
                        struct pxr_raid_plan *plan, size_t size)
{
    if (n < 1 || n > PXR_RAID_MAX_DATA || !data || !plan)
        return PXR_EINVAL;
    unsigned modify = 0, reconstruct = 0, changed = 0, parities = 0;
    for (unsigned i = 0; i < n; i++) {
        changed += (data[i] & PXR_RAID_CHANGED) != 0;
        if (data[i] & PXR_RAID_CHANGED)
            modify = count_read(modify, data[i]);
        else
            reconstruct = count_read(reconstruct, data[i]);
    }
    const uint8_t parity[] = {p, q};
    for (unsigned i = 0; i < 2; i++) {
        if (parity[i] & PXR_RAID_FAILED)
            continue;
        parities++;
        modify = count_read(modify, parity[i]);
    }
    if (changed == 0 || parities == 0)
        modify = reconstruct = 0;
    if (modify == PXR_RAID_IMPOSSIBLE && reconstruct == PXR_RAID_IMPOSSIBLE)
        return PXR_ETOOFEW;
    const struct pxr_raid_plan found = {modify < reconstruct ? PXR_RAID_READ_MODIFY_WRITE
                                                             : PXR_RAID_RECONSTRUCT_WRITE,
                                        modify, reconstruct};
    PXR_HAND_OVER(plan, size, found, reconstruct_write);
    return PXR_OK;
}
