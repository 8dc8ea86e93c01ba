/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Codes shards whose memory is in pieces.  This file checks the pieces and makes a cursor for
 * each shard.  The arithmetic does the coding.
 */
#include <sys/uio.h>

#include "arithmetic.h"

/* Returns false when there are no pieces, or they hold less than len bytes. */
static bool begin(struct pxr_cursor *cursor, const struct pxr_iov *shard, size_t len)
{
    if (!shard->iov || shard->iovcnt == 0)
        return false;
    for (unsigned i = 0; len > 0; i++) {
        if (i == shard->iovcnt)
            return false;
        const struct iovec *piece = &shard->iov[i];
        if (!piece->iov_base && piece->iov_len > 0)
            return false;
        len -= piece->iov_len < len ? piece->iov_len : len;
    }
    *cursor = (struct pxr_cursor){.next = shard->iov};
    return true;
}

/* Begins with shard number[i] for each i, or with shard i when there are no numbers. */
static bool begin_all(struct pxr_cursor *cursors, unsigned count, const struct pxr_iov *shards,
                      const uint16_t *number, size_t len)
{
    for (unsigned i = 0; i < count; i++)
        if (!begin(&cursors[i], &shards[number ? number[i] : i], len))
            return false;
    return true;
}

/* What a call codes: the shards of a map, by their numbers in these arrays. */
struct call {
    const struct pxr_map *map;
    size_t len;
    const struct pxr_iov *from, *to;
    const uint16_t *source, *target; /* NULL: the shards are in order */
};

/* The caller provides the cursors of all shards. */
static inline int run_in(const struct call *c, struct pxr_cursor *cursors)
{
    const struct pxr_map *const map = c->map;
    if (!pxr_whole_units(map, c->len) ||
        !begin_all(cursors, map->k, c->from, c->source, c->len) ||
        !begin_all(cursors + map->k, map->count, c->to, c->target, c->len))
        return PXR_EINVAL;
    map->arithmetic->encode_pieces(map, c->len, cursors);
    return PXR_OK;
}

static __attribute__((noinline)) int run_wide(const struct call *c)
{
    struct pxr_cursor cursors[PXR_MAX_ANY_SHARDS];
    return run_in(c, cursors);
}

static __attribute__((noinline)) int run_narrow(const struct call *c)
{
    struct pxr_cursor cursors[PXR_MAX_SHARDS];
    return run_in(c, cursors);
}

/* There are two sizes of room, so that calls of ordinary codes take little of the stack. */
static int run(const struct call *c)
{
    return c->map->k + c->map->count > PXR_MAX_SHARDS ? run_wide(c) : run_narrow(c);
}

/* -------------------------------------------------------- the functions -- */

int pxr_encode_iov(const pxr_code *code, size_t len, const struct pxr_iov *data,
                   const struct pxr_iov *parity)
{
    if (!code || !data || !parity)
        return PXR_EINVAL;
    return run(&(struct call){&code->map, len, data, parity, NULL, NULL});
}

int pxr_plan_apply_iov(const pxr_plan *plan, size_t len, const struct pxr_iov *have,
                       const struct pxr_iov *want)
{
    if (!plan || !have || !want)
        return PXR_EINVAL;
    return run(
        &(struct call){&plan->map, len, have, want, plan->shard, pxr_plan_targets(plan)});
}
