/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * erasure_code_perf and erasure_code_update_perf: a code of k + p shards some of which are
 * lost.
 *
 * A stripe is the k data shards, the p parity shards, and room for the `losses` shards that a
 * decode rebuilds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isal_perf.h"

#define LOSS_SEED 0x1234 /* ISA-L's seed: the C library's rand() then gives the same losses */

struct erasure {
    struct run *run;
    u8 generator[RUN_MAX_SHARDS * RUN_MAX_SHARDS]; /* identity on top */
    uint16_t lost[RUN_MAX_SHARDS];
    uint16_t encode_shards[RUN_MAX_SHARDS];     /* data, then parity */
    uint16_t decode_shards[2 * RUN_MAX_SHARDS]; /* the k that are left, then the rebuilt ones */

    /* The rows and tables in use, the encoder's or the decoder's. */
    int rows;
    u8 tables[32 * RUN_MAX_SHARDS * RUN_MAX_SHARDS / 4]; /* k * p <= (k+p)^2 / 4 */
};

/* ----------------------------------------------------------------- shards -- */

static bool is_lost(const struct erasure *e, int shard, int losses)
{
    int i = 0;
    while (i < losses && e->lost[i] != shard)
        i++;
    return i < losses;
}

static void choose_losses(struct erasure *e, int among)
{
    srand(LOSS_SEED);
    for (int chosen = 0; chosen < e->run->losses;) {
        const int shard = rand() % among;
        if (!is_lost(e, shard, chosen))
            e->lost[chosen++] = (uint16_t)shard;
    }
}

static void list_shards(struct erasure *e)
{
    const struct run *run = e->run;
    for (int i = 0; i < run->k + run->p; i++)
        e->encode_shards[i] = (uint16_t)i;
    for (int i = 0, shard = 0; i < run->k; shard++)
        if (!is_lost(e, shard, run->losses))
            e->decode_shards[i++] = (uint16_t)shard;
    for (int i = 0; i < run->losses; i++)
        e->decode_shards[run->k + i] = (uint16_t)(run->k + run->p + i);
}

/* Choose losses among the first `among` shards in the same way as ISA-L's programs, print the
   lines that these programs begin with, and lay the stripes out. */
static bool open_code(struct erasure *e, struct run *run, const char *title, int among)
{
    e->run = run;
    choose_losses(e, among);
    list_shards(e);
    printf("Testing with %d data buffers and %d parity buffers (num errors = %d, in [ ", run->k,
           run->p, run->losses);
    for (int i = 0; i < run->losses; i++)
        printf("%d ", e->lost[i]);
    printf("])\n%s: %dx%d %d\n", title, run->k + run->p, run->len, run->losses);
    run->call.gf_gen_rs_matrix(e->generator, run->k + run->p, run->k);
    return run_lay_out(run, (size_t)(run->k + run->p + run->losses), (size_t)run->p);
}

/* --------------------------------------------------------------- matrices -- */

/* Each of these two takes the encoder or the decoder into use; the argument is a struct
   erasure. The result is false, with a message, where the shards that are left do not suffice.
 */

static bool use_encoder(void *erasure)
{
    struct erasure *e = erasure;
    const struct run *run = e->run;
    e->rows = run->p;
    run->call.ec_init_tables(run->k, run->p, e->generator + run->k * run->k, e->tables);
    return true;
}

/*
 * The shards that are left are L * data, where L is their rows of the generator.  So data =
 * L^-1 * left, and shard s, which is row G_s of the generator times the data, is made by the
 * row G_s * L^-1.  G_s of a data shard is a unit vector, which picks one row of L^-1.
 */
static void make_row(const struct erasure *e, int shard, const u8 *inverse, u8 *row)
{
    const int k = e->run->k;
    const u8 *coefficients = e->generator + shard * k;
    if (shard < k) {
        memcpy(row, inverse + shard * k, (size_t)k);
        return;
    }
    memset(row, 0, (size_t)k);
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            row[j] ^= gf_mul(coefficients[i], inverse[i * k + j]);
}

static bool use_decoder(void *erasure)
{
    static u8 left[RUN_MAX_SHARDS * RUN_MAX_SHARDS], inverse[RUN_MAX_SHARDS * RUN_MAX_SHARDS],
        decoder[RUN_MAX_SHARDS * RUN_MAX_SHARDS];
    struct erasure *e = erasure;
    const struct run *run = e->run;
    const size_t k = (size_t)run->k;
    for (size_t i = 0; i < k; i++)
        memcpy(left + i * k, e->generator + e->decode_shards[i] * k, k);
    if (run->call.gf_invert_matrix(left, inverse, run->k) != 0) {
        printf("BAD MATRIX\n");
        return false;
    }
    e->rows = run->losses;
    for (int i = 0; i < run->losses; i++)
        make_row(e, e->lost[i], inverse, decoder + i * run->k);
    run->call.ec_init_tables(run->k, run->losses, decoder, e->tables);
    return true;
}

/* ------------------------------------------------------------------- jobs -- */

/* The job of an encode or a decode, with all shards in one call. */
static struct job encode_job(struct erasure *e, const char *name, void (*call)(void *, u8 **))
{
    const size_t k = (size_t)e->run->k, p = (size_t)e->run->p;
    return (struct job){name, "(k+p)*len", false, k, p, call, e, e->encode_shards, NULL, NULL};
}

static struct job decode_job(struct erasure *e, const char *name, void (*call)(void *, u8 **))
{
    const size_t k = (size_t)e->run->k, losses = (size_t)e->run->losses;
    return (struct job){name, "(k+e)*len",      false, k,      losses, call,
                        e,    e->decode_shards, NULL,  e->lost};
}

/* ------------------------------------------------------- all in one call -- */

static void call_encode(void *context, u8 **row)
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
        !open_code(&e, run, "erasure_code_perf", run->k + run->p))
        return false;
    struct job encode = encode_job(&e, "erasure_code_encode", call_encode);
    struct job decode = decode_job(&e, "erasure_code_decode", call_encode);
    encode.prepare = use_encoder;
    decode.prepare = use_decoder;
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

/* ------------------------------------------------------ one source a call -- */

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
    use_encoder(context);
    add_sources(context, row);
}

static void call_one_simple(void *context, u8 **row)
{
    add_source(context, 0, row[0], row + 1);
}

static void call_one(void *context, u8 **row)
{
    use_encoder(context);
    call_one_simple(context, row);
}

static void call_decode(void *context, u8 **row)
{
    use_decoder(context);
    add_sources(context, row);
}

/* An update by one source.  It is the last data shard, but the call takes it for number 0. */
static struct job encode_one(struct erasure *e, const char *name, void (*call)(void *, u8 **))
{
    struct job job = encode_job(e, name, call);
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
        !open_code(&e, run, "ec_encode_data_update_perf", run->k))
        return false;

    const struct job all = encode_job(&e, "ec_encode_data_update", call_all);
    const struct job one = encode_one(&e, "ec_encode_data_update_single_src", call_one);
    struct job simple =
        encode_one(&e, "ec_encode_data_update_single_src_simple", call_one_simple);
    simple.prepare = use_encoder;
    struct job decode = decode_job(&e, "ec_encode_data_update_decode", call_decode);
    decode.prepare = use_decoder; /* finds out whether decoding is possible */
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
