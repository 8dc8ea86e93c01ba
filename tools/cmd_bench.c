/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permxor bench: measures how fast the code is in memory, on one thread.
 *
 * Every figure counts the k * len bytes of data that one call protects or restores, whatever
 * the number of shards that it writes.
 */
#include "config.h"

#include "cmd.h"
#include "coding.h"
#include "message.h"
#include "stripe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 11, LENGTH = 64 << 10 };

struct bench {
    const struct options *options;
    pxr_code *code;
    struct stripe stripe;
    struct shard_header header;
    size_t length; /* of each shard */
    unsigned lost; /* data shards that reconstruct restores */
};

typedef int operation_fn(struct bench *bench);

static int run_encode(struct bench *b)
{
    return pxr_encode(b->code, b->length, b->stripe.cell, b->stripe.cell + b->options->k);
}

static int run_reconstruct(struct bench *b)
{
    return pxr_reconstruct(b->code, b->length, b->stripe.have, b->stripe.want);
}

static int run_verify(struct bench *b)
{
    return pxr_verify(b->code, b->length, b->stripe.cell, NULL);
}

static int run_checksum(struct bench *b)
{
    for (unsigned i = 0; i < b->options->k; i++)
        stripe_seal(&b->stripe, &b->header, i);
    return PXR_OK;
}

/* -------------------------------------------------------------- timing -- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int repeat(struct bench *b, operation_fn *run, unsigned long rounds, double *seconds)
{
    double start = now();
    for (unsigned long i = 0; i < rounds; i++) {
        int result = run(b);
        if (result != PXR_OK)
            return complain(STATUS_SYSTEM, "bench: %s", pxr_strerror(result));
    }
    *seconds = now() - start;
    return STATUS_OK;
}

/* Finds a number of rounds that takes about `seconds`. */
static int calibrate(struct bench *b, operation_fn *run, double seconds, unsigned long *rounds)
{
    double taken = 0;
    int status = STATUS_OK;
    for (*rounds = 1; status == STATUS_OK; *rounds *= 2) {
        status = repeat(b, run, *rounds, &taken);
        if (taken >= seconds / 2)
            break;
    }
    return status;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int measure(struct bench *b, const char *what, operation_fn *run)
{
    double rates[SAMPLES], taken;
    unsigned long rounds;
    int status = calibrate(b, run, b->options->seconds / SAMPLES, &rounds);
    for (int i = 0; i < SAMPLES && status == STATUS_OK; i++) {
        status = repeat(b, run, rounds, &taken);
        double bytes = (double)b->options->k * (double)b->length * (double)rounds;
        rates[i] = bytes / taken / 1e9;
    }
    if (status != STATUS_OK)
        return status;
    qsort(rates, SAMPLES, sizeof rates[0], ascending);
    printf("%-24s %8.2f GB/s   (%.2f to %.2f)\n", what, rates[SAMPLES / 2], rates[0],
           rates[SAMPLES - 1]);
    return STATUS_OK;
}

/* --------------------------------------------------------------- set up -- */

/* Fills the data with bytes that compilers and caches cannot predict, and writes every page. */
static void fill(struct bench *b)
{
    uint64_t state = 1;
    for (unsigned i = 0; i < b->options->k; i++)
        for (size_t at = 0; at < b->length; at++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            b->stripe.cell[i][at] = (uint8_t)(state >> 56);
        }
}

static void lose(struct bench *b)
{
    const struct options *o = b->options;
    b->lost = o->m < o->k ? o->m : o->k;
    for (unsigned i = 0; i < o->k + o->m; i++) {
        b->stripe.want[i] = i < b->lost ? b->stripe.cell[i] : NULL;
        b->stripe.have[i] = i < b->lost ? NULL : b->stripe.cell[i];
    }
}

static int measure_all(struct bench *b)
{
    char what[48], code[CODING_TEXT];
    const struct options *o = b->options;
    struct pxr_kernel_info row = {.name = "none"};
    for (unsigned i = 0; pxr_kernel_info(i, &row, sizeof row) == PXR_OK && !row.selected; i++)
        continue;
    coding_text(&b->header, code);
    printf("%s, shards of %zu bytes, kernel set %s, one thread, medians of %d\n"
           "GB/s counts k*len = %zu bytes of data per call, 1 GB = 1e9 bytes\n",
           code, b->length, row.name, (int)SAMPLES, o->k * b->length);
    int status = measure(b, "encode", run_encode);
    snprintf(what, sizeof what, "reconstruct %u data", b->lost);
    if (status == STATUS_OK)
        status = measure(b, what, run_reconstruct);
    if (status == STATUS_OK)
        status = measure(b, "verify", run_verify);
    if (status == STATUS_OK)
        status = measure(b, "checksum of data cells", run_checksum);
    return status;
}

static int bench(struct bench *b)
{
    const struct options *o = b->options;
    int status = coding_choose(&b->code, &b->header, o, "bench");
    if (status == STATUS_OK)
        status =
            coding_size("bench", "len", o->length, LENGTH, shard_unit(&b->header), &b->length);
    if (status != STATUS_OK)
        return status;
    if (!stripe_alloc(&b->stripe, o->k + o->m, b->length))
        return complain(STATUS_SYSTEM, "bench: not enough memory for %u shards of %zu bytes",
                        o->k + o->m, b->length);
    b->stripe.length = b->length;
    fill(b);
    lose(b);
    return measure_all(b);
}

int cmd_bench(const struct options *options)
{
    struct bench b = {.options = options};
    if (options->operand_count > 0)
        return complain(STATUS_USAGE, "bench: takes no files, but got '%s'",
                        options->operands[0]);
    int status = bench(&b);
    stripe_free(&b.stripe);
    pxr_code_free(b.code);
    return status;
}
