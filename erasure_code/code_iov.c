/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coding shards that lie in memory in pieces.  Coding goes byte by byte, so a call may be cut
 * anywhere: it is cut into spans within which every shard is in one piece.
 */
#include "code.h"

#include <sys/uio.h>

#include "call.h"
#include "dispatch.h"
#include "encode.h"

/* Where a shard goes on: `left` bytes at `at`, and then the next pieces. */
struct cursor {
    uint8_t *at;
    size_t left;
    const struct iovec *next;
};

/* False where there are no pieces, or they hold less than len bytes. */
static bool begin(struct cursor *cursor, const struct pxr_iov *shard, size_t len)
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
    *cursor = (struct cursor){.next = shard->iov};
    return true;
}

/* To a byte, of which there is one more at least. */
static void settle(struct cursor *cursor)
{
    for (; cursor->left == 0; cursor->next++) {
        cursor->at = cursor->next->iov_base;
        cursor->left = cursor->next->iov_len;
    }
}

/* The addresses of all shards, and for how many bytes, of `left`, they hold. */
static size_t next_span(struct cursor *cursors, unsigned count, size_t left, uint8_t **address)
{
    for (unsigned i = 0; i < count; i++) {
        settle(&cursors[i]);
        address[i] = cursors[i].at;
        left = cursors[i].left < left ? cursors[i].left : left;
    }
    return left;
}

/* The cursors of the sources, and behind them those of the outputs. */
static void code_spans(const struct pxr_rows *rows, size_t len, struct cursor *cursors)
{
    const struct pxr_kernels *const kernels = pxr_kernels();
    const unsigned count = rows->k + rows->count;
    uint8_t *address[PXR_MAX_SHARDS];
    while (len > 0) {
        const size_t span = next_span(cursors, count, len, address);
        pxr_encode_rows(kernels, span, rows, pxr_read_only(address), address + rows->k);
        for (unsigned i = 0; i < count; i++) {
            cursors[i].at += span;
            cursors[i].left -= span;
        }
        len -= span;
    }
}

/* Shard number[i] of these for each i, or shard i where there are no numbers. */
static bool begin_all(struct cursor *cursors, unsigned count, const struct pxr_iov *shards,
                      const uint8_t *number, size_t len)
{
    for (unsigned i = 0; i < count; i++)
        if (!begin(&cursors[i], &shards[number ? number[i] : i], len))
            return false;
    return true;
}

static int code_pieces(const struct pxr_rows *rows, size_t len, const struct pxr_iov *from,
                       const uint8_t *source, const struct pxr_iov *to, const uint8_t *target)
{
    struct cursor cursors[PXR_MAX_SHARDS];
    if (!begin_all(cursors, rows->k, from, source, len) ||
        !begin_all(cursors + rows->k, rows->count, to, target, len))
        return PXR_EINVAL;
    code_spans(rows, len, cursors);
    return PXR_OK;
}

/* -------------------------------------------------------- the functions -- */

int pxr_encode_iov(const pxr_code *code, size_t len, const struct pxr_iov *data,
                   const struct pxr_iov *parity)
{
    if (!code || !data || !parity)
        return PXR_EINVAL;
    return code_pieces(&code->ready, len, data, NULL, parity, NULL);
}

int pxr_plan_apply_iov(const pxr_plan *plan, size_t len, const struct pxr_iov *have,
                       const struct pxr_iov *want)
{
    if (!plan || !have || !want)
        return PXR_EINVAL;
    return code_pieces(&plan->rows, len, have, plan->source, want, plan->target);
}
