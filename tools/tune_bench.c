/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "tune_bench.h"

#include "../perf/machine.h"
#include "message.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(const struct tune_bench *b)
{
    return complain(STATUS_SYSTEM, "tune: not enough memory for %u+%u shards of %zu bytes",
                    b->options->k, b->options->m, b->options->length);
}

/* --------------------------------------------------------------- memory -- */

/* The walk covers twice the last cache, so that nothing is still in it when the walk comes
   round again.  But an eighth of the memory is enough. */
size_t tune_bench_cold_bytes(int core)
{
    enum { LEAST = 256 << 20, SHARE = 8 };
    const size_t cache = machine_last_cache(core < 0 ? 0 : core);
    size_t wanted = 2 * cache > LEAST ? 2 * cache : LEAST;
    size_t most = machine_memory() / SHARE;
    return wanted < most ? wanted : most;
}

static void place(struct tune_bench *b, size_t distance)
{
    const struct options *o = b->options;
    for (size_t i = 0; i < b->stripes * (o->k + o->m); i++)
        b->shards[i] = b->arena.base + i * distance;
}

static int make_shards(struct tune_bench *b)
{
    const struct options *o = b->options;
    size_t distance = buffers_distance(o->length, 0, BUFFERS_DISPLACE);
    size_t stripe;
    if (__builtin_mul_overflow(distance, o->k + o->m, &stripe))
        return no_memory(b);
    b->stripes = o->warm ? 1 : tune_bench_cold_bytes(b->core) / stripe;
    if (b->stripes < 2 && !o->warm)
        b->stripes = 2;
    /* If the system has promised memory that it does not have, writing to it would end the
       program.  Half of the usable memory is safe, unless other programs have taken the rest.
     */
    if (__builtin_mul_overflow(b->stripes, stripe, &b->bytes) ||
        b->bytes > machine_memory() / 2)
        return no_memory(b);
    b->shards = malloc(b->stripes * (o->k + o->m) * sizeof *b->shards);
    if (b->shards == NULL || !arena_reserve(&b->arena, b->bytes))
        return no_memory(b);
    place(b, distance);
    return STATUS_OK;
}

/* Returns how many bytes of each shard are used.  At any shard size, this limits the time (base
   multiplies and adds 0.4e9 bytes a second or more here) and the memory of the first steps. */
static size_t sample_bytes(const struct options *o)
{
    enum { PRODUCTS = 1 << 25 };
    size_t most = PRODUCTS / (o->k * o->m);
    return o->length < most ? o->length : most;
}

int tune_bench_open(struct tune_bench *b, const struct options *o, int core)
{
    struct pxr_error why;
    *b = (struct tune_bench){
        .options = o, .core = core, .cache = machine_last_cache(core < 0 ? 0 : core)};
    int result = pxr_code_create(&b->code, o->k, o->m, o->matrix, &why);
    if (result != PXR_OK)
        return complain(result == PXR_ENOMEM ? STATUS_SYSTEM : STATUS_USAGE, "tune: %s",
                        why.text);
    b->sample = sample_bytes(o);
    return make_shards(b);
}

void tune_bench_close(struct tune_bench *b)
{
    free(b->shards);
    arena_close(&b->arena);
    pxr_code_free(b->code);
}

/* --------------------------------------------------------------- verify -- */

/* What a set computes from the first stripe. */
struct results {
    uint8_t *bytes;
    size_t size;
    uint8_t *parity[PXR_MAX_SHARDS], *rebuilt[PXR_MAX_SHARDS], *updated[PXR_MAX_SHARDS];
};

static unsigned lost_shards(const struct options *o)
{
    return o->m < o->k ? o->m : o->k;
}

static bool results_open(struct results *r, const struct tune_bench *b)
{
    const struct options *o = b->options;
    unsigned lost = lost_shards(o);
    *r = (struct results){0};
    if (__builtin_mul_overflow(b->sample, 2 * o->m + lost, &r->size))
        return false;
    uint8_t *at = r->bytes = calloc(1, r->size);
    if (at == NULL)
        return false;
    for (unsigned i = 0; i < o->m; i++, at += b->sample)
        r->parity[i] = at;
    for (unsigned i = 0; i < o->m; i++, at += b->sample)
        r->updated[i] = at;
    for (unsigned i = 0; i < lost; i++, at += b->sample)
        r->rebuilt[i] = at;
    return true;
}

/* Encodes, rebuilds the first data shards, and replaces the last shard by the first one. */
static int compute(const struct tune_bench *b, struct results *r)
{
    const struct options *o = b->options;
    uint8_t *const *data = b->shards;
    uint8_t *have[PXR_MAX_SHARDS];
    uint8_t *want[PXR_MAX_SHARDS];
    int result = pxr_encode(b->code, b->sample, data, r->parity);
    for (unsigned i = 0; i < o->k + o->m; i++) {
        bool lost = i < lost_shards(o);
        have[i] = lost ? NULL : i < o->k ? data[i] : r->parity[i - o->k];
        want[i] = lost ? r->rebuilt[i] : NULL;
    }
    if (result == PXR_OK)
        result = pxr_reconstruct(b->code, b->sample, have, want);
    memcpy(r->updated[0], r->parity[0], o->m * b->sample);
    if (result == PXR_OK)
        result = pxr_update(b->code, b->sample, o->k - 1, data[o->k - 1], data[0], r->updated);
    return result;
}

static int compute_with(const struct tune_bench *b, const char *name, struct results *r)
{
    int result = pxr_kernel_select(name);
    if (result == PXR_OK)
        result = compute(b, r);
    if (result != PXR_OK)
        return complain(STATUS_SYSTEM, "tune: kernel set %s: %s", name, pxr_strerror(result));
    return STATUS_OK;
}

static int compare(const struct tune_bench *b, const struct tune_entry *entries, unsigned count,
                   const struct results *expected, struct results *got)
{
    for (unsigned i = 0; i < count; i++) {
        memset(got->bytes, 0xa5, got->size);
        int status = compute_with(b, entries[i].name, got);
        if (status != STATUS_OK)
            return status;
        if (memcmp(got->bytes, expected->bytes, got->size) != 0)
            return complain(STATUS_SYSTEM,
                            "tune: kernel set %s gives wrong bytes on this machine",
                            entries[i].name);
    }
    return STATUS_OK;
}

int tune_bench_verify(struct tune_bench *b, const struct tune_entry *entries, unsigned count)
{
    struct results expected, got;
    bool complete = results_open(&expected, b);
    complete &= results_open(&got, b);
    int status = complete ? compute_with(b, "base", &expected) : no_memory(b);
    if (status == STATUS_OK)
        status = compare(b, entries, count, &expected, &got);
    free(expected.bytes);
    free(got.bytes);
    return status;
}

/* -------------------------------------------------------------- measure -- */

/* Encodes the next stripes. */
static void encode_next(const struct tune_entry *entry, size_t length, size_t calls)
{
    struct tune_bench *b = entry->bench;
    const struct options *o = b->options;
    pxr_kernel_select(entry->name);
    while (calls-- > 0) {
        uint8_t **stripe = b->shards + b->next * (o->k + o->m);
        b->failed |= pxr_encode(b->code, length, stripe, stripe + o->k) != PXR_OK;
        b->next = (b->next + 1) % b->stripes;
    }
}

static void batch(void *context, size_t calls)
{
    const struct tune_entry *entry = context;
    encode_next(entry, entry->bench->options->length, calls);
}

/* Returns the seconds of a short batch: the least of three, because one may be interrupted. */
static double screen_one(const struct tune_entry *entry)
{
    enum { BYTES = 1 << 20 };
    const struct tune_bench *b = entry->bench;
    const size_t calls = 1 + BYTES / (b->options->k * b->sample);
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        double start = engine_now();
        encode_next(entry, b->sample, calls);
        double took = engine_now() - start;
        least = took < least ? took : least;
    }
    return least;
}

void tune_bench_screen(struct tune_entry *entries, unsigned count)
{
    double seconds[ENGINE_MAX_SUBJECTS], best = INFINITY;
    for (unsigned i = 0; i < count; i++) {
        seconds[i] = screen_one(&entries[i]);
        best = seconds[i] < best ? seconds[i] : best;
    }
    for (unsigned i = 1; i < count; i++)
        entries[i].slow = seconds[i] > 2 * best;
}

/* The inversion reverses the order. */
struct spread tune_bench_inverse(double work, const struct spread *s)
{
    return (struct spread){.min = work / s->max,
                           .q1 = work / s->q3,
                           .median = work / s->median,
                           .q3 = work / s->q1,
                           .max = work / s->min,
                           .low = work / s->high,
                           .high = work / s->low};
}

int tune_bench_measure(struct tune_entry *entries, unsigned count, double seconds,
                       struct tune_run *run)
{
    struct engine_subject subjects[ENGINE_MAX_SUBJECTS] = {{0}};
    struct engine_options engine = ENGINE_DEFAULTS;
    struct engine_result result;
    struct tune_entry *measured[ENGINE_MAX_SUBJECTS];
    const struct tune_bench *b = entries[0].bench;
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++)
        if (!entries[i].slow) {
            subjects[n] = (struct engine_subject){batch, &entries[i]};
            measured[n++] = &entries[i];
        }
    engine.total_seconds = seconds;
    engine.bounded = true;
    engine.pass = b->stripes;
    engine.pass_seconds = 2 * engine.batch_seconds; /* for the slowest set: half as fast as the
                                                       best */
    if (!engine_measure(subjects, n, &engine, &result))
        return complain(STATUS_SYSTEM, "tune: out of memory");
    if (b->failed)
        return complain(STATUS_SYSTEM, "tune: a call of the library failed");
    double gigabytes = (double)b->options->k * (double)b->options->length / 1e9;
    for (unsigned i = 0; i < n; i++) {
        measured[i]->rate = tune_bench_inverse(gigabytes, &result.seconds[i]);
        measured[i]->ratio = tune_bench_inverse(1, &result.relative[i]);
    }
    *run = (struct tune_run){.rounds = result.rounds,
                             .preempted = result.noise.preempted,
                             .noise = result.noise.causes,
                             .few = result.rounds < engine.min_rounds};
    return STATUS_OK;
}
