/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans: pure functions of masks.  The code is MDS, so any k known blocks of a row determine
 * all others, and fewer determine none.
 */
#include "config.h"

#include "mask.h"

#include <string.h>

static bool state_is_possible(const struct pxa_state *state)
{
    const unsigned k = state->data, m = state->parity;
    return width_is_possible(k, m) && ((state->lost | state->cached) & ~mask_below(k + m)) == 0;
}

static pxa_mask all_data(const struct pxa_state *state)
{
    return mask_below(state->data);
}

static pxa_mask all_parity(const struct pxa_state *state)
{
    return mask_below(state->data + state->parity) & ~all_data(state);
}

/* The blocks that have to be read when all of `needed` have to be known. */
static pxa_mask unread(const struct pxa_state *state, pxa_mask needed)
{
    return needed & ~state->cached;
}

static bool can_read(const struct pxa_state *state, pxa_mask blocks)
{
    return (blocks & state->lost) == 0;
}

/*
 * The fewest blocks to read so that k are known, among them what can be read of `first`.  The
 * others are data before parity, because data need not be multiplied.  Returns false if fewer
 * than k can be known.
 */
static bool read_any(const struct pxa_state *state, pxa_mask first, pxa_mask *read)
{
    const pxa_mask readable = (all_data(state) | all_parity(state)) & ~state->lost;
    *read = unread(state, first & readable);
    const unsigned known = mask_count(state->cached | *read);
    if (known < state->data)
        *read |= mask_take(unread(state, readable) & ~*read, state->data - known);
    return mask_count(state->cached | *read) >= state->data;
}

/* A caller that was compiled with an older header has a smaller structure. */
static void give(struct pxa_plan *to, size_t size, const struct pxa_plan *plan)
{
    memset(to, 0, size);
    memcpy(to, plan, size < sizeof *plan ? size : sizeof *plan);
}

static const struct pxa_plan no_plan = {
    .reads = {PXA_IMPOSSIBLE, PXA_IMPOSSIBLE, PXA_IMPOSSIBLE, PXA_IMPOSSIBLE}};

/* The methods that are possible put themselves in; the one with the fewest reads stays. */
static void propose(struct pxa_plan *plan, enum pxa_method method, pxa_mask read,
                    pxa_mask rebuild)
{
    const unsigned count = mask_count(read);
    plan->reads[method] = count;
    for (unsigned other = 0; other < 4; other++)
        if (other != method && plan->reads[other] <= count)
            return;
    plan->method = method;
    plan->read = read;
    plan->rebuild = rebuild;
}

/* ----------------------------------------------------------------- read -- */

int pxa_plan_read(const struct pxa_state *state, pxa_mask wanted, struct pxa_plan *plan,
                  size_t size)
{
    if (state == NULL || plan == NULL || !state_is_possible(state) ||
        (wanted & ~mask_below(state->data + state->parity)) != 0)
        return PXR_EINVAL;
    struct pxa_plan best = no_plan;
    const pxa_mask needed = unread(state, wanted);
    pxa_mask any;
    if (can_read(state, needed))
        propose(&best, PXA_DIRECT, needed, 0);
    else if (read_any(state, needed, &any))
        propose(&best, PXA_REBUILD, any, needed & state->lost);
    else
        return PXR_ETOOFEW;
    give(plan, size, &best);
    return PXR_OK;
}

/* ---------------------------------------------------------------- write -- */

/*
 * The three ways to have the new parity, and what each has to know:
 *
 *   read-modify-write    the old data of all changed blocks, and the old parity
 *   reconstruct-write    the old data of all blocks that do not change as a whole
 *   rebuild              any k blocks, which give the data for a reconstruct-write
 *
 * They are proposed in the order in which they win when they read equally much.
 */
static void propose_writes(const struct pxa_state *state, pxa_mask whole, pxa_mask partial,
                           struct pxa_plan *best)
{
    const pxa_mask parity = all_parity(state) & ~state->lost;
    const pxa_mask stays = all_data(state) & ~whole;
    const pxa_mask reconstruct = unread(state, stays);
    const pxa_mask modify = unread(state, whole | partial | parity);
    pxa_mask any;
    if (can_read(state, reconstruct))
        propose(best, PXA_RECONSTRUCT_WRITE, reconstruct, 0);
    if (can_read(state, modify))
        propose(best, PXA_READ_MODIFY_WRITE, modify, 0);
    if (read_any(state, 0, &any))
        propose(best, PXA_REBUILD, any, stays & ~(state->cached | any));
}

/* When all parity is lost, no data is.  A cached block of parity may still save a read. */
static void propose_without_parity(const struct pxa_state *state, pxa_mask partial,
                                   struct pxa_plan *best)
{
    pxa_mask any;
    propose(best, PXA_DIRECT, unread(state, partial), 0);
    if (partial != 0 && read_any(state, 0, &any))
        propose(best, PXA_REBUILD, any, partial & ~(state->cached | any));
}

int pxa_plan_write(const struct pxa_state *state, pxa_mask whole, pxa_mask partial,
                   struct pxa_plan *plan, size_t size)
{
    if (state == NULL || plan == NULL || !state_is_possible(state) ||
        ((whole | partial) & ~all_data(state)) != 0 || (whole & partial) != 0)
        return PXR_EINVAL;
    if (mask_count(state->lost) > state->parity)
        return PXR_ETOOFEW;
    struct pxa_plan best = no_plan;
    const pxa_mask changed = whole | partial;
    const pxa_mask parity = all_parity(state) & ~state->lost;
    if (changed == 0)
        propose(&best, PXA_DIRECT, 0, 0);
    else if (parity == 0)
        propose_without_parity(state, partial, &best);
    else
        propose_writes(state, whole, partial, &best);
    best.write = changed != 0 ? (changed | parity) & ~state->lost : 0;
    give(plan, size, &best);
    return PXR_OK;
}
