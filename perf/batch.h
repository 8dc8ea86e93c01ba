/* SPDX-License-Identifier: BSD-3-Clause */
/* batch.h - for the parts of the table of operations: batches of one call on each stripe. */
#ifndef PERF_BATCH_H
#define PERF_BATCH_H

#include "operations.h"

/*
 * Define the batch NAME of so many times CALL, which may name the subject `s`, its workload
 * `w`, the shape's `k`, `m` and `len`, the latter as `size`, too, and of the stripe at work
 * `row`, the pointers that a call is given, and `target`, those that it writes.  The call
 * stands in the loop itself: an indirect one around it would count with short shards.
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

/* Make the code object of the shape: NULL, or the reason why there is none. */
const char *make_code(struct subject *subject);

/* Times pxr_reconstruct(). */
engine_batch reconstruct_batch;

/* What a subject holds of gf-complete's; NULL is allowed. */
void gf_field_close(struct gf_field *field);

#endif
