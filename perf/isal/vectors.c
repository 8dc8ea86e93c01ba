/* SPDX-License-Identifier: BSD-3-Clause */
/* The programs that measure one function on k sources. */
#include <stdio.h>

#include "isal_perf.h"

struct vectors {
    struct run *run;
    u8 coefficients[RUN_MAX_SHARDS];
    u8 tables[RUN_MAX_SHARDS * 32];
};

/* All shards of a stripe in a row. */
static bool run_vectors(struct run *run, bool has, struct job job)
{
    static struct vectors v;
    static uint16_t shards[RUN_MAX_SHARDS + 2];
    v.run = run;
    buffers_fill(v.coefficients, sizeof(v.coefficients), 1);
    for (int i = 0; i < RUN_MAX_SHARDS + 2; i++)
        shards[i] = (uint16_t)i;
    job.context = &v;
    job.shards = shards;
    return run_needs(run, has, job.name) &&
           run_lay_out(run, job.sources + job.targets, job.targets) && run_job(run, &job);
}

/* ------------------------------------------------------------- the field -- */

/* As in the original programs, every call makes the tables. */
static void call_mul(void *context, u8 **row)
{
    struct vectors *v = context;
    const struct functions *f = &v->run->call;
    f->gf_vect_mul_init(2, v->tables);
    f->gf_vect_mul(v->run->len, v->tables, row[0], row[1]);
}

static bool run_mul(struct run *run)
{
    const struct functions *f = &run->call;
    printf("gf_vect_mul_perf:\nStart timed tests\n");
    return run_vectors(run, f->gf_vect_mul_init != NULL && f->gf_vect_mul != NULL,
                       (struct job){"gf_vect_mul", "len", true, 1, 1, .call = call_mul});
}

const struct program gf_vect_mul_perf = {
    .name = "gf_vect_mul_perf",
    .options = "s",
    .k = 1,
    .p = 1,
    .multiple = 32,
    .warm_len = 8 << 10,
    .share_to = 64,
    .run = run_mul,
};

static void call_dot_prod(void *context, u8 **row)
{
    struct vectors *v = context;
    const struct functions *f = &v->run->call;
    const int k = v->run->k;
    for (int j = 0; j < k; j++)
        f->gf_vect_mul_init(v->coefficients[j], v->tables + 32 * j);
    f->gf_vect_dot_prod(v->run->len, k, v->tables, row, row[k]);
}

static bool run_dot_prod(struct run *run)
{
    const struct functions *f = &run->call;
    const size_t k = (size_t)run->k;
    printf("gf_vect_dot_prod: %dx%d\n", run->k, run->len);
    if (!run_vectors(
            run, f->gf_vect_mul_init != NULL && f->gf_vect_dot_prod != NULL,
            (struct job){"gf_vect_dot_prod", "(k+1)*len", false, k, 1, .call = call_dot_prod}))
        return false;
    printf("pass perf check\n");
    return true;
}

const struct program gf_vect_dot_prod_perf = {
    .name = "gf_vect_dot_prod_perf",
    .options = "ks",
    .k = 10,
    .least_k = 1,
    .multiple = 1,
    .warm_len = 8 << 10,
    .share_to = 64,
    .run = run_dot_prod,
};

/* ------------------------------------------------------------------- RAID -- */

static void call_xor(void *context, u8 **row)
{
    const struct run *run = ((struct vectors *)context)->run;
    run->call.xor_gen(run->k + 1, run->len, (void **)row);
}

static bool run_xor(struct run *run)
{
    const size_t k = (size_t)run->k;
    printf("Test xor_gen_perf\n");
    return run_vectors(run, run->call.xor_gen != NULL,
                       (struct job){"xor_gen", "(k+1)*len", false, k, 1, .call = call_xor});
}

const struct program xor_gen_perf = {
    .name = "xor_gen_perf",
    .options = "ks",
    .k = 10,
    .least_k = 2,
    .multiple = 1,
    .warm_len = 8 << 10,
    .share_to = 1,
    .run = run_xor,
};

static void call_pq(void *context, u8 **row)
{
    const struct run *run = ((struct vectors *)context)->run;
    run->call.pq_gen(run->k + 2, run->len, (void **)row);
}

static bool run_pq(struct run *run)
{
    const size_t k = (size_t)run->k;
    printf("Test pq_gen_perf %d sources X %d bytes\n", run->k, run->len);
    return run_vectors(run, run->call.pq_gen != NULL,
                       (struct job){"pq_gen", "(k+2)*len", false, k, 2, .call = call_pq});
}

const struct program pq_gen_perf = {
    .name = "pq_gen_perf",
    .options = "ks",
    .k = 10,
    .least_k = 2,
    .multiple = 32,
    .warm_len = 8 << 10,
    .share_to = 64,
    .run = run_pq,
};
