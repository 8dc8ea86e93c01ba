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

/* -------------------------------------------------------- the functions -- */

int pxr_encode_iov(const pxr_code *code, size_t len, const struct pxr_iov *data,
                   const struct pxr_iov *parity)
{
    struct cursor cursors[PXR_MAX_SHARDS], *next = cursors;
    if (!code || !data || !parity)
        return PXR_EINVAL;
    for (unsigned j = 0; j < code->k; j++)
        if (!begin(next++, &data[j], len))
            return PXR_EINVAL;
    for (unsigned r = 0; r < code->m; r++)
        if (!begin(next++, &parity[r], len))
            return PXR_EINVAL;
    code_spans(&code->ready, len, cursors);
    return PXR_OK;
}

int pxr_plan_apply_iov(const pxr_plan *plan, size_t len, const struct pxr_iov *have,
                       const struct pxr_iov *want)
{
    struct cursor cursors[PXR_MAX_SHARDS], *next = cursors;
    if (!plan || !have || !want)
        return PXR_EINVAL;
    for (unsigned i = 0; i < plan->sources; i++)
        if (!begin(next++, &have[plan->source[i]], len))
            return PXR_EINVAL;
    for (unsigned i = 0; i < plan->targets; i++)
        if (!begin(next++, &want[plan->target[i]], len))
            return PXR_EINVAL;
    code_spans(&plan->rows, len, cursors);
    return PXR_OK;
}
