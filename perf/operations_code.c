/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Code objects of permxor.h beside Leopard codes, which are Reed-Solomon codes whose parity is
 * of other bytes.  Nobody's bytes can be compared with the reference's there, so each subject
 * is held against itself: what it decodes is what it has encoded.
 */
#include <string.h>

#include "batch.h"

/* ---------------------------------------------------------------- batches -- */

BATCH(own_encode, s->call.code_encode(s->code, size, row, row + k))
BATCH(own_decode, s->call.plan_apply(s->plan, size, row, row))
BATCH(reconstruct, s->timed.reconstruct(s->code, size, row, row + w->walk.width))

void reconstruct_batch(void *context, size_t calls)
{
    reconstruct(context, calls);
}

static void encode_batch(void *context, size_t calls)
{
    struct subject *s = context;
    struct workload *w = s->work;
    if (s->leopard == 0)
        own_encode(s, calls);
    else
        s->call.leopard_encode_walk(s->leopard, w->shape.len, w->sources, w->walk.stripes,
                                    walk_steps(&w->walk, calls), calls);
}

static void decode_batch(void *context, size_t calls)
{
    struct subject *s = context;
    struct workload *w = s->work;
    if (s->leopard == 0)
        own_decode(s, calls);
    else
        s->call.leopard_decode_walk(s->leopard, w->shape.len, (int)w->outputs, w->sources,
                                    w->walk.stripes, walk_steps(&w->walk, calls), calls);
}

/* ------------------------------------------------------------ preparation -- */

static enum pxr_matrix matrix_of(const struct shape *shape)
{
    if (shape->operation->code == CODE_DISKS)
        return PXR_JERASURE_R6;
    return shape->matrix == MATRIX_VAND ? PXR_ISAL_VAND : PXR_ISAL_CAUCHY;
}

const char *make_code(struct subject *s)
{
    const struct shape *shape = &s->work->shape;
    if (s->call.code_create == NULL || s->call.code_encode == NULL)
        return "has no code objects";
    if (shape->matrix == MATRIX_REVERSED)
        return "no matrix of permxor.h";
    return s->call.code_create(&s->code, (unsigned)shape->k, (unsigned)shape->m,
                               matrix_of(shape), NULL) == PXR_OK
               ? NULL
               : "permxor.h makes no such code";
}

static const char *make_plan(struct subject *s)
{
    const struct workload *w = s->work;
    u8 have[PXR_MAX_SHARDS] = {0}, want[PXR_MAX_SHARDS] = {0};
    memset(have, 1, w->walk.width);
    for (size_t r = 0; r < w->outputs; r++) {
        have[w->written[r]] = 0;
        want[w->written[r]] = 1;
    }
    return s->call.plan_create(&s->plan, s->code, have, want, NULL) == PXR_OK ? NULL
                                                                              : out_of_memory;
}

static const char *prepare_leopard(struct subject *s)
{
    const struct shape *shape = &s->work->shape;
    if (s->call.leopard_open != NULL) {
        s->leopard = s->call.leopard_open(shape->k, shape->m);
        return s->leopard != 0 ? NULL : "no such Leopard code";
    }
    if (s->call.plan_create == NULL)
        return "has neither a Leopard code nor plans";
    const char *reason = make_code(s);
    return reason != NULL ? reason : make_plan(s);
}

/* ------------------------------------------------------------- comparison -- */

/* Encodes stripe 0, loses what a decode rebuilds, and decodes it. */
static void produce_rebuilt(struct subject *s)
{
    struct workload *w = s->work;
    const size_t len = (size_t)w->shape.len;
    u8 *shard[PXR_MAX_SHARDS];
    for (size_t i = 0; i < w->walk.width; i++)
        shard[i] = walk_shard(&w->walk, 0, i);
    for (size_t r = 0; r < w->outputs; r++)
        workload_fill_target(w, r);
    if (s->leopard == 0)
        s->call.code_encode(s->code, len, shard, shard + w->shape.k);
    else
        s->call.leopard_encode_walk(s->leopard, w->shape.len, shard, 1, 0, 1);
    for (size_t r = 0; r < w->outputs; r++)
        memset(w->targets[r], 0xa5, len);
    w->walk.next = 0;
    if (w->shape.operation->row == ROW_HAVE_WANT)
        reconstruct_batch(s, 1);
    else
        decode_batch(s, 1);
}

/* What both ways of a code have in common. */
#define CODE_OBJECT                                                              \
    .reads = READS_K, .parity = PARITY_M, .writes = WRITES_LOST, .lost = LOST_M, \
    .code = CODE_K_M, .sized = true, .produce = produce_rebuilt

const struct operation code_operations[] = {
    {
        .name = "leopard_encode",
        .what = "Encode of a Leopard code; pxr_encode where a library has none",
        .row = ROW_ALL,
        .generates = true,
        .batch = encode_batch,
        .prepare = prepare_leopard,
        CODE_OBJECT,
    },
    {
        .name = "leopard_decode",
        .what = "ReconstructData of a Leopard code, or pxr_plan_apply, of m data shards",
        .row = ROW_ALL,
        .against = "reconstruct",
        .batch = decode_batch,
        .prepare = prepare_leopard,
        CODE_OBJECT,
    },
    {
        .name = "reconstruct",
        .what = "pxr_reconstruct of m data shards",
        TIMES("pxr_reconstruct"),
        .group = GROUP_BASELINE,
        .row = ROW_HAVE_WANT,
        .batch = reconstruct_batch,
        .prepare = make_code,
        CODE_OBJECT,
    },
};
const size_t code_operation_count = sizeof(code_operations) / sizeof(code_operations[0]);
