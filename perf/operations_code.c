/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Code objects of permxor.h beside Leopard codes, which are Reed-Solomon codes whose parity has
 * other bytes.  No bytes can be compared with the reference's there, so each subject is
 * compared with itself: it must decode what it has encoded.
 *
 * Also code objects beside jerasure's own calls, which give the same bytes as code objects of
 * packets and words.
 */
#include <string.h>

#include "operations.h"
#include "jerasure_code.h"

/* ---------------------------------------------------------------- batches -- */

BATCH(own_encode, s->value = s->call.pxr_encode(s->code, size, row, row + k) != PXR_OK)
BATCH(own_decode, s->value = s->call.pxr_plan_apply(s->plan, size, row, row) != PXR_OK)
BATCH(own_update, s->value = s->call.pxr_update(s->code, size, (unsigned)k - 1, NULL, row[0],
                                                target) != PXR_OK)
BATCH(their_encode, jerasure_encode(s->jerasure, len, row))
BATCH(their_decode, jerasure_decode(s->jerasure, len, row))
BATCH(their_update, jerasure_update(s->jerasure, len, row))
BATCH(reconstruct,
      s->value = s->call.pxr_reconstruct(s->code, size, row, row + w->walk.width) != PXR_OK)

void reconstruct_batch(void *context, size_t calls)
{
    reconstruct(context, calls);
}

static void encode_batch(void *context, size_t calls)
{
    struct subject *s = context;
    struct workload *w = s->work;
    if (s->jerasure != NULL)
        their_encode(s, calls);
    else if (s->leopard == 0)
        own_encode(s, calls);
    else
        s->call.leopard_encode_walk(s->leopard, w->shape.len, w->sources, w->walk.stripes,
                                    walk_steps(&w->walk, calls), calls);
}

static void decode_batch(void *context, size_t calls)
{
    struct subject *s = context;
    struct workload *w = s->work;
    if (s->jerasure != NULL)
        their_decode(s, calls);
    else if (s->leopard == 0)
        own_decode(s, calls);
    else
        s->call.leopard_decode_walk(s->leopard, w->shape.len, (int)w->outputs, w->sources,
                                    w->walk.stripes, walk_steps(&w->walk, calls), calls);
}

static void update_batch(void *context, size_t calls)
{
    const struct subject *s = context;
    if (s->jerasure != NULL)
        their_update(context, calls);
    else
        own_update(context, calls);
}

/* ------------------------------------------------------------ preparation -- */

static int create(struct subject *s, enum pxr_matrix matrix)
{
    const struct shape *shape = &s->work->shape;
    const unsigned k = (unsigned)shape->k, m = (unsigned)shape->m;
    const unsigned w = (unsigned)shape->matrix.w;
    if (shape->matrix.packetsize > 0)
        return s->call.pxr_code_create_bits(&s->code, k, m, matrix, w,
                                            (size_t)shape->matrix.packetsize, 0, NULL);
    if (w > 8)
        return s->call.pxr_code_create_words(&s->code, k, m, matrix, w, NULL);
    return s->call.pxr_code_create(&s->code, k, m, matrix, NULL);
}

const char *make_code(struct subject *s)
{
    const struct shape *shape = &s->work->shape;
    const bool disks = shape->operation->code == CODE_DISKS;
    const enum pxr_matrix matrix = disks ? PXR_JERASURE_R6 : matrix_own(&shape->matrix);
    if (s->call.pxr_code_create == NULL || s->call.pxr_encode == NULL)
        return "has no code objects";
    if (matrix == PXR_CUSTOM)
        return "permxor.h has no such matrix";
    return create(s, matrix) == PXR_OK ? NULL : "permxor.h cannot make this code";
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
    return s->call.pxr_plan_create(&s->plan, s->code, have, want, NULL) == PXR_OK
               ? NULL
               : out_of_memory;
}

static const char *prepare_leopard(struct subject *s)
{
    const struct shape *shape = &s->work->shape;
    if (s->call.leopard_open != NULL) {
        s->leopard = s->call.leopard_open(shape->k, shape->m);
        return s->leopard != 0 ? NULL : "cannot make this Leopard code";
    }
    if (s->call.pxr_plan_create == NULL)
        return "has neither a Leopard code nor plans";
    const char *reason = make_code(s);
    return reason != NULL ? reason : make_plan(s);
}

static const char *prepare_jerasure(struct subject *s)
{
    if (s->call.pxr_code_create_bits == NULL || s->call.pxr_code_create_words == NULL)
        return jerasure_open(&s->jerasure, &s->entry->library, s->work);
    const char *reason = make_code(s);
    const bool decodes = s->work->shape.operation->writes == WRITES_LOST;
    return reason != NULL || !decodes ? reason : make_plan(s);
}

/* ------------------------------------------------------------- comparison -- */

static void encode_once(struct subject *s, u8 **shard)
{
    const struct shape *shape = &s->work->shape;
    if (s->jerasure != NULL)
        jerasure_encode(s->jerasure, shape->len, shard);
    else if (s->leopard == 0)
        s->value =
            s->call.pxr_encode(s->code, (size_t)shape->len, shard, shard + shape->k) != PXR_OK;
    else
        s->call.leopard_encode_walk(s->leopard, shape->len, shard, 1, 0, 1);
}

/* Encode stripe 0, erase what a decode rebuilds, and decode it. */
static void produce_rebuilt(struct subject *s)
{
    struct workload *w = s->work;
    const size_t len = (size_t)w->shape.len;
    u8 *shard[PXR_MAX_SHARDS];
    for (size_t i = 0; i < w->walk.width; i++)
        shard[i] = walk_shard(&w->walk, 0, i);
    for (size_t r = 0; r < w->outputs; r++)
        workload_fill_target(w, r);
    encode_once(s, shard);
    for (size_t r = 0; r < w->outputs; r++)
        memset(w->targets[r], 0xa5, len);
    w->walk.next = 0;
    if (w->shape.operation->row == ROW_HAVE_WANT)
        reconstruct_batch(s, 1);
    else
        decode_batch(s, 1);
}

/* What rows of a kind have in common.  Shards of jerasure's codes must be aligned, because
   jerasure aborts where they are not. */
#define REBUILDS                                                       \
    ON_CODE(READS_K, PARITY_M), .writes = WRITES_LOST, .lost = LOST_M, \
                                .produce = produce_rebuilt
#define LEOPARD(its_name, text, ...) \
    OPERATION(its_name, text, REBUILDS, .row = ROW_ALL, .prepare = prepare_leopard, __VA_ARGS__)
#define JERASURE(its_name, text, ...)                                                   \
    OPERATION(its_name, text, .group = GROUP_JERASURE, .row = ROW_ALL, .aligned = true, \
              .prepare = prepare_jerasure, __VA_ARGS__)

const struct operation code_operations[] = {
    LEOPARD("leopard_encode", "Encode of a Leopard code; pxr_encode where a library has none",
            .generates = true, .batch = encode_batch),
    LEOPARD("leopard_decode",
            "ReconstructData of a Leopard code, or pxr_plan_apply, of m data shards",
            .against = "reconstruct", .batch = decode_batch),
    OPERATION("reconstruct", "pxr_reconstruct of m data shards", TIMES("pxr_reconstruct"),
              REBUILDS, .group = GROUP_BASELINE, .row = ROW_HAVE_WANT,
              .batch = reconstruct_batch, .prepare = make_code),
    JERASURE("jerasure_encode", "pxr_encode, or jerasure_schedule_encode or _matrix_encode",
             ON_CODE(READS_K, PARITY_M), .batch = encode_batch),
    JERASURE("jerasure_decode",
             "pxr_plan_apply, or jerasure_schedule_decode_lazy or _matrix_decode", REBUILDS,
             .batch = decode_batch),
    JERASURE("jerasure_update",
             "pxr_update: one source into m parity shards, or jerasure's calls for it",
             ON_CODE(READS_ONE, PARITY_M), .adds = true, .batch = update_batch),
};
const size_t code_operation_count = sizeof(code_operations) / sizeof(code_operations[0]);
