/* SPDX-License-Identifier: BSD-3-Clause */
#include "workload.h"

#include <stdlib.h>

#include "operations.h"

const char *matrix_name(enum matrix_kind matrix)
{
    return matrix == MATRIX_VAND ? "vand" : "cauchy";
}

const char *mode_name(enum walk_mode mode)
{
    return mode == WALK_WARM ? "warm" : "cold";
}

/* Bytes that a call moves through the cache for a shard: whole lines. */
static size_t touched(int len)
{
    size_t lines = ((size_t)len + BUFFERS_ALIGN - 1) / BUFFERS_ALIGN;
    return (lines ? lines : 1) * BUFFERS_ALIGN;
}

static size_t count_stripes(const struct workload *work, size_t cold_set)
{
    if (work->shape.mode == WALK_WARM)
        return 1;
    size_t stripe = (work->inputs + work->outputs) * touched(work->shape.len);
    size_t stripes = cold_set / stripe;
    return stripes > 2 ? stripes : 2;
}

static void place(struct workload *work, u8 *first, size_t distance)
{
    size_t k = (size_t)work->shape.k;
    size_t spare = k - work->inputs;
    u8 *at = first;
    for (size_t s = 0; s < work->stripes; s++) {
        for (size_t j = 0; j < work->inputs; j++, at += distance)
            work->sources[s * work->inputs + j] = at;
        for (size_t r = 0; r < work->outputs; r++, at += distance)
            work->targets[s * work->outputs + r] = at;
    }
    for (size_t j = 0; j < spare; j++, at += distance)
        work->check[j] = at;
    for (size_t j = 0; j < work->inputs; j++)
        work->check[spare + j] = work->sources[j];
}

/* What the libraries are compared on does not depend on what was timed before. */
static void fill_checked(struct workload *work)
{
    size_t k = (size_t)work->shape.k, len = (size_t)work->shape.len;
    for (size_t j = 0; j < k; j++)
        buffers_fill(work->check[j], len, 1 + j);
    for (size_t r = 0; r < work->outputs; r++)
        buffers_fill(work->targets[r], len, 1 + k + r);
}

bool workload_open(struct workload *work, const struct shape *shape,
                   const struct placement *placement, struct arena *arena)
{
    size_t k = (size_t)shape->k, m = (size_t)shape->m;
    bool all_sources = shape->operation->reads == READS_K;
    bool all_rows = shape->operation->writes == WRITES_M;
    *work = (struct workload){
        .shape = *shape, .inputs = all_sources ? k : 1, .outputs = all_rows ? m : 1};
    work->stripes = count_stripes(work, placement->cold_set);

    size_t distance =
        buffers_distance((size_t)shape->len, placement->offset, placement->displace);
    size_t shards = work->stripes * (work->inputs + work->outputs) + k - work->inputs;
    work->sources = malloc(work->stripes * work->inputs * sizeof(u8 *));
    work->targets = malloc(work->stripes * work->outputs * sizeof(u8 *));
    work->check = malloc(k * sizeof(u8 *));
    if (work->sources == NULL || work->targets == NULL || work->check == NULL ||
        !arena_reserve(arena, shards * distance)) {
        workload_close(work);
        return false;
    }
    place(work, arena->base + placement->offset, distance);
    fill_checked(work);
    return true;
}

void workload_close(struct workload *work)
{
    free(work->sources);
    free(work->targets);
    free(work->check);
    work->sources = work->targets = work->check = NULL;
}
