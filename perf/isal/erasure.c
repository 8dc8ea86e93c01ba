/* SPDX-License-Identifier: BSD-3-Clause */
#include "erasure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa-l/erasure_code.h"

#define LOSS_SEED 0x1234 /* ISA-L's seed: the C library's rand() then gives the same losses */

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

bool erasure_open(struct erasure *e, struct run *run, const char *title, int among)
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

bool erasure_use_encoder(void *erasure)
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

bool erasure_use_decoder(void *erasure)
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

struct job erasure_encode(struct erasure *e, const char *name, void (*call)(void *, u8 **))
{
    const size_t k = (size_t)e->run->k, p = (size_t)e->run->p;
    return (struct job){name, "(k+p)*len", false, k, p, call, e, e->encode_shards, NULL, NULL};
}

struct job erasure_decode(struct erasure *e, const char *name, void (*call)(void *, u8 **))
{
    const size_t k = (size_t)e->run->k, losses = (size_t)e->run->losses;
    return (struct job){name, "(k+e)*len",      false, k,      losses, call,
                        e,    e->decode_shards, NULL,  e->lost};
}
