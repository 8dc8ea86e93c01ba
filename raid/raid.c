/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * P and Q: computed from all data blocks, changed for some of them, and the choice
 * between the two.
 */
#include "raid.h"

#include <string.h>

#include "encode.h"
#include "gf256.h"
#include "permxor.h"

const uint8_t pxr_raid_zeros[PXR_RAID_PIECE] __attribute__((aligned(64)));

/* ------------------------------------------------------------ some blocks -- */

/* The blocks that a call adds up, those that are not there left out. */
struct chosen {
    unsigned count, first, last; /* first and last: their indices in the stripe */
    const uint8_t *block[PXR_RAID_MAX_DATA];
    uint8_t index[PXR_RAID_MAX_DATA];
};

static void choose(struct chosen *c, unsigned first, unsigned count,
                   const uint8_t *const *blocks)
{
    c->count = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!blocks[i])
            continue;
        c->block[c->count] = blocks[i];
        c->index[c->count++] = (uint8_t)(first + i);
    }
    c->first = c->count ? c->index[0] : 0;
    c->last = c->count ? c->index[c->count - 1] : 0;
}

/* The tables of 2^i for each chosen block i. */
static void put_tables(const struct chosen *c, uint8_t *tables)
{
    for (unsigned i = 0; i < c->count; i++)
        memcpy(tables + (size_t)PXR_TABLE * i, pxr_nibble[pxr_pow2(c->index[i])], PXR_TABLE);
}

/*
 * Q of the chosen blocks alone, or with P, every block multiplied by its table.
 */
static void by_tables(const struct chosen *c, enum pxr_special special, size_t len,
                      uint8_t *const *dst, unsigned flags)
{
    uint8_t tables[PXR_RAID_MAX_DATA * PXR_TABLE];
    const uint8_t *const tbl = tables;
    put_tables(c, tables);
    pxr_kernels()->dot[special][1](len, c->count, &tbl, c->block, dst, flags);
}

/*
 * P and Q of blocks without a gap, by Horner's rule: Q is then 2^first times the
 * syndrome of blocks counted from 0.
 */
static void by_horner(const struct chosen *c, size_t len, uint8_t *const *dst, unsigned flags)
{
    const uint8_t *const shift = pxr_nibble[pxr_pow2(c->first)];
    if (c->first > 0)
        flags |= PXR_SHIFT;
    pxr_kernels()->dot[PXR_SPECIAL_PQ][0](len, c->count, &shift, c->block, dst, flags);
}

/* P or Q or both of the chosen blocks, written or added to what is there. */
static void add_up(const struct chosen *c, size_t len, uint8_t *p, uint8_t *q, unsigned flags)
{
    if (!q) {
        uint8_t *const dst[] = {p, p};
        pxr_kernels()->dot[PXR_SPECIAL_P][0](len, c->count, NULL, c->block, dst, flags);
    } else if (!p) {
        uint8_t *const dst[] = {q, q};
        by_tables(c, PXR_SPECIAL_NONE, len, dst, flags);
    } else {
        uint8_t *const dst[] = {p, q, p, q};
        if (c->last - c->first + 1 == c->count)
            by_horner(c, len, dst, flags);
        else
            by_tables(c, PXR_SPECIAL_P, len, dst, flags);
    }
}

/* ---------------------------------------------------------- the functions -- */

int pxr_raid_generate(unsigned n, size_t len, const uint8_t *const *data, uint8_t *p,
                      uint8_t *q)
{
    if (n < 1 || n > PXR_RAID_MAX_DATA || (!p && !q) || !pxr_all_present(n, data))
        return PXR_EINVAL;
    struct chosen all;
    choose(&all, 0, n, data);
    add_up(&all, len, p, q, pxr_memory_policy(len, (size_t)n + !!p + !!q));
    return PXR_OK;
}

int pxr_raid_xor_syndrome(unsigned first, unsigned count, size_t len,
                          const uint8_t *const *blocks, uint8_t *p, uint8_t *q)
{
    if (!blocks || (!p && !q) || count > PXR_RAID_MAX_DATA || first > PXR_RAID_MAX_DATA - count)
        return PXR_EINVAL;
    struct chosen some;
    choose(&some, first, count, blocks);
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
    uint8_t *const both[] = {p, q};
    const struct pxr_kernels *kernels = pxr_kernels();
    if (p && q)
        kernels->mad[PXR_SPECIAL_P][1](len, &power, new_block, old_block, both, PXR_ACCUMULATE);
    else
        kernels->mad[PXR_SPECIAL_NONE][1](len, &power, new_block, old_block,
                                          p ? both : both + 1, PXR_ACCUMULATE);
    return PXR_OK;
}

/* -------------------------------------------------------------- the plan -- */

/* The reads of the blocks that `needed` selects; more than one block for each flag that
   is missing cannot be read. */
static unsigned count_read(unsigned reads, uint8_t state)
{
    if (reads == PXR_RAID_IMPOSSIBLE || state & PXR_RAID_CACHED)
        return reads;
    return state & PXR_RAID_FAILED ? PXR_RAID_IMPOSSIBLE : reads + 1;
}

int pxr_raid_write_plan(unsigned n, const uint8_t *state, struct pxr_raid_plan *plan)
{
    if (n < 1 || n > PXR_RAID_MAX_DATA || !state || !plan)
        return PXR_EINVAL;
    unsigned modify = 0, reconstruct = 0;
    for (unsigned i = 0; i < n; i++) {
        if (state[i] & PXR_RAID_CHANGED)
            modify = count_read(modify, state[i]);
        else
            reconstruct = count_read(reconstruct, state[i]);
    }
    for (unsigned parity = n; parity < n + 2; parity++)
        if (!(state[parity] & PXR_RAID_FAILED))
            modify = count_read(modify, state[parity]);
    if (modify == PXR_RAID_IMPOSSIBLE && reconstruct == PXR_RAID_IMPOSSIBLE)
        return PXR_ETOOFEW;
    plan->method =
        modify < reconstruct ? PXR_RAID_READ_MODIFY_WRITE : PXR_RAID_RECONSTRUCT_WRITE;
    plan->read_modify_write = modify;
    plan->reconstruct_write = reconstruct;
    return PXR_OK;
}
