/* SPDX-License-Identifier: BSD-3-Clause */
/* batch.h - batches of one call on each stripe, for the parts of the table of operations. */
#ifndef PERF_BATCH_H
#define PERF_BATCH_H

#include "operations.h"

/*
 * Define the batch NAME, which does CALL `calls` times.  CALL may name the subject `s`, its
 * workload `w`, and the shape's `k`, `m` and `len`; the length is there as `size`, too.  For
 * the current stripe there are `row`, the pointers that a call is given, and `target`, the
 * pointers that it writes to.  The call stands in the loop itself: an indirect call around it
 * would take a measurable share of the time with short shards.
 */
#define BATCH(name, call)                                             \
    static void name(void *context, size_t calls)                     \
    {                                                                 \
        struct subject *const s = context;                            \
        struct workload *const w = s->work;                           \
        const int k = w->shape.k, m = w->shape.m, len = w->shape.len; \
        const size_t size = (size_t)len;                              \
        for (; calls > 0; calls--) {                                  \
            const size_t stripe = walk_step(&w->walk);                \
            u8 **const row = w->sources + stripe * w->inputs;         \
            u8 **const target = w->targets + stripe * w->outputs;     \
            (void)row, (void)target;                                  \
            call;                                                     \
        }                                                             \
        (void)k, (void)m, (void)len, (void)size;                      \
    }

/* For a row of the table: a call on the shards of a code.  It reads so many data shards, and so
   many parity shards are behind them. */
#define ON_CODE(data_shards, parity_shards) \
    .reads = (data_shards), .parity = (parity_shards), .code = CODE_K_M, .sized = true

/* Make the code object of the shape.  Returns NULL, or the reason why there is none. */
const char *make_code(struct subject *subject);

/* Times pxr_reconstruct(). */
engine_batch reconstruct_batch;

/* Free a subject's field of gf-complete.  NULL is allowed. */
void gf_field_close(struct gf_field *field);

#endif
