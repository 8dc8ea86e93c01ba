/* SPDX-License-Identifier: BSD-3-Clause */
#include "workload.h"

#include <stdlib.h>

#include "operations.h"

const char *matrix_name(enum matrix_kind matrix)
{
    static const char *const names[MATRICES] = {"vand", "cauchy", "reversed"};
    return names[matrix];
}

static void place(struct workload *work)
{
    size_t k = (size_t)work->shape.k;
    size_t spare = k - work->inputs;
    const struct walk *walk = &work->walk;
    for (size_t s = 0; s < walk->stripes; s++) {
        for (size_t j = 0; j < work->inputs; j++)
            work->sources[s * work->inputs + j] = walk_shard(walk, s, j);
        for (size_t r = 0; r < work->outputs; r++)
            work->targets[s * work->outputs + r] = walk_shard(walk, s, work->inputs + r);
    }
    for (size_t j = 0; j < spare; j++)
        work->check[j] = walk_shard(walk, walk->stripes, j);
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
                   const struct placement *displaced, struct arena *arena)
{
    const struct placement placement = layout_placement(shape->layout, displaced);
    size_t k = (size_t)shape->k, m = (size_t)shape->m;
    bool all_sources = shape->operation->reads == READS_K;
    bool all_rows = shape->operation->writes == WRITES_M;
    *work = (struct workload){
        .shape = *shape, .inputs = all_sources ? k : 1, .outputs = all_rows ? m : 1};
    struct walk *walk = &work->walk;
    *walk =
        walk_plan(work->inputs + work->outputs, (size_t)shape->len, shape->mode, &placement);

    size_t shards = walk->stripes * walk->width + k - work->inputs;
    work->sources = malloc(walk->stripes * work->inputs * sizeof(u8 *));
    work->targets = malloc(walk->stripes * work->outputs * sizeof(u8 *));
    work->check = malloc(k * sizeof(u8 *));
    if (work->sources == NULL || work->targets == NULL || work->check == NULL ||
        !arena_reserve(arena, shards * walk->distance)) {
        workload_close(work);
        return false;
    }
    walk->first = arena->base + placement.offset;
    place(work);
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
