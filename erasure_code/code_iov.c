/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coding shards that lie in memory in pieces: a cursor for each of them is checked, and what to
 * do with them is the arithmetic's affair.
 */
#include <sys/uio.h>

#include "arithmetic.h"

/* False where there are no pieces, or they hold less than len bytes. */
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

/* Shard number[i] of these for each i, or shard i where there are no numbers. */
static bool begin_all(struct pxr_cursor *cursors, unsigned count, const struct pxr_iov *shards,
                      const uint8_t *number, size_t len)
{
    for (unsigned i = 0; i < count; i++)
        if (!begin(&cursors[i], &shards[number ? number[i] : i], len))
            return false;
    return true;
}

static int code_pieces(const struct pxr_map *map, size_t len, const struct pxr_iov *from,
                       const uint8_t *source, const struct pxr_iov *to, const uint8_t *target)
{
    struct pxr_cursor cursors[PXR_MAX_SHARDS];
    if (!pxr_whole_units(map, len) || !begin_all(cursors, map->k, from, source, len) ||
        !begin_all(cursors + map->k, map->count, to, target, len))
        return PXR_EINVAL;
    map->arithmetic->encode_pieces(map, len, cursors);
    return PXR_OK;
}

/* -------------------------------------------------------- the functions -- */

int pxr_encode_iov(const pxr_code *code, size_t len, const struct pxr_iov *data,
                   const struct pxr_iov *parity)
{
    if (!code || !data || !parity)
        return PXR_EINVAL;
    return code_pieces(&code->map, len, data, NULL, parity, NULL);
}

int pxr_plan_apply_iov(const pxr_plan *plan, size_t len, const struct pxr_iov *have,
                       const struct pxr_iov *want)
{
    if (!plan || !have || !want)
        return PXR_EINVAL;
    return code_pieces(&plan->map, len, have, plan->source, want, plan->target);
}
