/* SPDX-License-Identifier: BSD-3-Clause */
/* erasure_code_update_perf: the same code, one source in a call. */
#include <stdio.h>

#include "erasure.h"

static void add_source(struct erasure *e, int index, u8 *source, u8 **targets)
{
    e->run->call.ec_encode_data_update(e->run->len, e->run->k, e->rows, index, e->tables,
                                       source, targets);
}

static void add_sources(struct erasure *e, u8 **row)
{
    for (int i = 0; i < e->run->k; i++)
        add_source(e, i, row[i], row + e->run->k);
}

/* As in the original programs, all calls but the simple one make their tables, and a decode
   inverts its matrix. */
static void call_all(void *context, u8 **row)
{
    erasure_use_encoder(context);
    add_sources(context, row);
}

static void call_one_simple(void *context, u8 **row)
{
    add_source(context, 0, row[0], row + 1);
}

static void call_one(void *context, u8 **row)
{
    erasure_use_encoder(context);
    call_one_simple(context, row);
}

static void call_decode(void *context, u8 **row)
{
    erasure_use_decoder(context);
    add_sources(context, row);
}

/* An update by one source.  It is the last data shard, but the call takes it for number 0. */
static struct job encode_one(struct erasure *e, const char *name, void (*call)(void *, u8 **))
{
    struct job job = erasure_encode(e, name, call);
    job.counting = "(p+1)*len";
    job.shards += job.sources - 1;
    job.sources = 1;
    return job;
}

static bool run_update(struct run *run)
{
    static struct erasure e;
    const struct functions *f = &run->call;
    if (run->losses > run->k) {
        fprintf(stderr,
                "%s: more errors (%d) than data buffers (%d), but only data buffers are lost\n",
                run->program->name, run->losses, run->k);
        return false;
    }
    if (!run_needs(run, f->ec_init_tables != NULL && f->ec_encode_data_update != NULL,
                   "ec_encode_data_update") ||
        !erasure_open(&e, run, "ec_encode_data_update_perf", run->k))
        return false;

    const struct job all = erasure_encode(&e, "ec_encode_data_update", call_all);
    const struct job one = encode_one(&e, "ec_encode_data_update_single_src", call_one);
    struct job simple =
        encode_one(&e, "ec_encode_data_update_single_src_simple", call_one_simple);
    simple.prepare = erasure_use_encoder;
    struct job decode = erasure_decode(&e, "ec_encode_data_update_decode", call_decode);
    decode.prepare = erasure_use_decoder; /* finds out whether decoding is possible */
    /* The measured calls leave no valid parity behind, so make it again before decoding. */
    if (!run_job(run, &all) || !run_job(run, &one) || !run_job(run, &simple) ||
        !run_once(run, &all) || !run_job(run, &decode))
        return false;
    printf("done all: Pass\n");
    return true;
}

const struct program erasure_code_update_perf = {
    .name = "erasure_code_update_perf",
    .options = "kpes",
    .k = 10,
    .p = 4,
    .losses = 4,
    .least_k = 1,
    .multiple = 64,
    .warm_set = 128 << 10,
    .share_to = 64,
    .run = run_update,
};
