/* SPDX-License-Identifier: BSD-3-Clause */
#include "workload.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "operations.h"

/* ----------------------------------------------------------------- parity -- */

/* Loads up to eight bytes at a time, so that staging a walk over a large set does not take
   long. */
static uint64_t load(const u8 *at, size_t size)
{
    uint64_t word = 0;
    if (size >= sizeof word)
        memcpy(&word, at, sizeof word);
    else
        memcpy(&word, at, size);
    return word;
}

static void add(u8 *at, uint64_t word, size_t size)
{
    word ^= load(at, size);
    memcpy(at, &word, size < sizeof word ? size : sizeof word);
}

/* Each of the eight bytes times 2. */
static uint64_t times_two(uint64_t word)
{
    const uint64_t ones = 0x0101010101010101;
    return (word & 0x7f * ones) << 1 ^ (word >> 7 & ones) * 0x1d;
}

void parity_add(size_t n, u8 *const *data, size_t len, u8 *p, u8 *q)
{
    for (size_t at = 0; at < len; at += sizeof(uint64_t)) {
        uint64_t sum = 0, weighted = 0;
        for (size_t i = n; i-- > 0;) {
            const uint64_t word = data[i] != NULL ? load(data[i] + at, len - at) : 0;
            sum ^= word;
            weighted = times_two(weighted) ^ word;
        }
        if (p != NULL)
            add(p + at, sum, len - at);
        if (q != NULL)
            add(q + at, weighted, len - at);
    }
}

/* ----------------------------------------------------------------- layout -- */

/* Note the shards that a call writes.  Returns how many there are. */
static size_t note_written(struct workload *work)
{
    const struct shape *shape = &work->shape;
    const struct operation *op = shape->operation;
    const unsigned k = (unsigned)shape->k, index[] = {0, k / 2, k, k + 1};
    size_t count = 0;
    if (op->writes == WRITES_PARITY)
        for (size_t i = work->data; i < work->walk.width; i++)
            work->written[count++] = (unsigned)i;
    if (op->lost & LOST_M)
        for (int i = 0; i < shape->k && i < shape->m; i++)
            work->written[count++] = (unsigned)i;
    for (unsigned i = 0; i < 4; i++)
        if (op->lost & 1u << i)
            work->written[count++] = index[i];
    return count;
}

/* The number of pointers in the row of a stripe. */
static size_t row_length(const struct workload *work)
{
    const struct operation *op = work->shape.operation;
    if (op->row == ROW_HAVE_WANT)
        return 2 * work->walk.width;
    if (op->row == ROW_DATA)
        return work->data;
    return op->count == COUNT_SECOND ? (size_t)work->shape.k + 2 : work->walk.width;
}

static struct workload plan(const struct shape *shape, const struct placement *placement)
{
    const size_t width = operation_data(shape) + operation_parity(shape);
    struct workload work = {
        .shape = *shape,
        .data = operation_data(shape),
        .first = operation_first(shape),
        .span = operation_span(shape),
        .walk = walk_plan(width, (size_t)shape->len, shape->mode, placement),
    };
    work.inputs = row_length(&work);
    work.outputs = note_written(&work);
    return work;
}

/* The number of shards that only serve to compare results: the sources that single calls do not
   read. */
static size_t spare(const struct workload *work)
{
    const struct shape *shape = &work->shape;
    return shape->operation->reads == READS_ONE ? (size_t)shape->k - 1 : 0;
}

/* The position of a shard's pointer in the row.  Where every second disk changes, NULL stands
   between two of them. */
static size_t slot(const struct workload *work, size_t shard)
{
    if (work->shape.operation->count != COUNT_SECOND)
        return shard;
    return shard < work->data ? 2 * shard : (size_t)work->shape.k + shard - work->data;
}

static void place_stripe(const struct workload *work, size_t stripe)
{
    const struct operation *op = work->shape.operation;
    const size_t width = work->walk.width;
    const size_t given = op->row == ROW_DATA ? work->data : width;
    u8 **row = work->sources + stripe * work->inputs;
    u8 **target = work->targets + stripe * work->outputs;
    for (size_t i = 0; i < given; i++)
        row[slot(work, i)] = walk_shard(&work->walk, stripe, i);
    for (size_t r = 0; r < work->outputs; r++) {
        target[r] = walk_shard(&work->walk, stripe, work->written[r]);
        if (op->row == ROW_HAVE_WANT) {
            row[width + work->written[r]] = target[r];
            row[work->written[r]] = NULL;
        }
    }
    if (op->lost & WITHOUT_P)
        row[work->shape.k] = NULL;
}

static bool allocate(struct workload *work)
{
    const size_t stripes = work->walk.stripes;
    work->sources = calloc(stripes * work->inputs, sizeof(u8 *));
    work->targets = malloc(stripes * work->outputs * sizeof(u8 *) + 1);
    work->check = malloc((spare(work) + work->data) * sizeof(u8 *));
    return work->sources != NULL && work->targets != NULL && work->check != NULL;
}

/* ------------------------------------------------------------------ bytes -- */

/* The contents depend on nothing but the shard, so that it does not matter what was timed
   before. */
static void fill_shard(const struct workload *work, size_t shard)
{
    buffers_fill(walk_shard(&work->walk, 0, shard), (size_t)work->shape.len,
                 1 + spare(work) + shard);
}

void workload_fill_target(const struct workload *work, size_t target)
{
    fill_shard(work, work->written[target]);
}

static void fill(const struct workload *work)
{
    const size_t spares = spare(work);
    for (size_t j = 0; j < spares; j++) {
        work->check[j] = walk_shard(&work->walk, work->walk.stripes, j);
        buffers_fill(work->check[j], (size_t)work->shape.len, 1 + j);
    }
    for (size_t j = 0; j < work->data; j++)
        work->check[spares + j] = walk_shard(&work->walk, 0, j);
    for (size_t i = 0; i < work->walk.width; i++)
        fill_shard(work, i);
}

static void put_parity(const struct workload *work, size_t stripe)
{
    const size_t k = work->data, len = (size_t)work->shape.len;
    u8 *shard[PXR_MAX_SHARDS] = {NULL};
    for (size_t i = 0; i < work->walk.width; i++)
        shard[i] = walk_shard(&work->walk, stripe, i);
    for (size_t i = k; i < work->walk.width; i++)
        memset(shard[i], 0, len);
    parity_add(k, shard, len, shard[k], work->walk.width > k + 1 ? shard[k + 1] : NULL);
}

static void stage_stripe(const struct workload *work, size_t stripe)
{
    const size_t len = (size_t)work->shape.len;
    u8 *const first = walk_shard(&work->walk, stripe, 0);
    switch (work->shape.operation->holds) {
    case HOLDS_ANY:
        break;
    case HOLDS_PARITY:
        put_parity(work, stripe);
        break;
    case HOLDS_WRONG:
        put_parity(work, stripe);
        for (size_t i = 0; i < len; i++)
            first[i] ^= 0x55;
        break;
    case HOLDS_ZERO:
        memset(first, 0, len);
        break;
    case HOLDS_EQUAL:
        memcpy(walk_shard(&work->walk, stripe, 1), first, len);
        break;
    }
}

void workload_stage(const struct workload *work, size_t stripes)
{
    for (size_t stripe = 0; stripe < stripes; stripe++)
        stage_stripe(work, stripe);
}

/* ---------------------------------------------------------------- opening -- */

static void begin(struct workload *work, u8 *first)
{
    work->walk.first = first;
    for (size_t stripe = 0; stripe < work->walk.stripes; stripe++)
        place_stripe(work, stripe);
    fill(work);
    workload_stage(work, 1);
}

bool workloads_open(struct workload *works, const struct shape *shapes, size_t count,
                    const struct placement *displaced, struct arena *arena)
{
    const struct placement placement = layout_placement(shapes[0].layout, displaced);
    size_t bytes = 0;
    bool allocated = true;
    for (size_t i = 0; i < count; i++) {
        const struct walk *walk = &works[i].walk;
        works[i] = plan(&shapes[i], &placement);
        allocated = allocate(&works[i]) && allocated;
        bytes += (walk->stripes * walk->width + spare(&works[i])) * walk->distance;
    }
    if (!allocated || !arena_reserve(arena, bytes)) {
        workloads_close(works, count);
        return false;
    }
    u8 *first = arena->base + placement.offset;
    for (size_t i = 0; i < count; i++) {
        begin(&works[i], first);
        first = walk_room(&works[i].walk, works[i].walk.stripes, spare(&works[i]));
    }
    return true;
}

void workloads_close(struct workload *works, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(works[i].sources);
        free(works[i].targets);
        free(works[i].check);
        works[i].sources = works[i].targets = works[i].check = NULL;
    }
}
