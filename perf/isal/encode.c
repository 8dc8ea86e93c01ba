/* SPDX-License-Identifier: BSD-3-Clause */
/* erasure_code_perf: all sources in one call. */
#include <stdio.h>

#include "erasure.h"

static void call(void *context, u8 **row)
{
    struct erasure *e = context;
    e->run->call.ec_encode_data(e->run->len, e->run->k, e->rows, e->tables, row,
                                row + e->run->k);
}

static bool run_code(struct run *run)
{
    static struct erasure e;
    const struct functions *f = &run->call;
    if (!run_needs(run, f->ec_init_tables != NULL && f->ec_encode_data != NULL,
                   "ec_encode_data") ||
        !erasure_open(&e, run, "erasure_code_perf", run->k + run->p))
        return false;
    struct job encode = erasure_encode(&e, "erasure_code_encode", call);
    struct job decode = erasure_decode(&e, "erasure_code_decode", call);
    encode.prepare = erasure_use_encoder;
    decode.prepare = erasure_use_decoder;
    if (!run_job(run, &encode) || !run_job(run, &decode))
        return false;
    printf("done all: Pass\n");
    return true;
}

const struct program erasure_code_perf = {
    .name = "erasure_code_perf",
    .options = "kpes",
    .k = 8,
    .p = 6,
    .losses = 4,
    .least_k = 1,
    .multiple = 64,
    .warm_set = 128 << 10,
    .share_to = 64,
    .run = run_code,
};
