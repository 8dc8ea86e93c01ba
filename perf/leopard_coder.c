/* SPDX-License-Identifier: BSD-3-Clause */
#include "leopard_coder.h"

#include <stdlib.h>
#include <string.h>

#include "lineup.h"

/* ---------------------------------------------------------------- stripes -- */

static void place(struct leopard_stripes *s)
{
    const size_t width = s->walk.width;
    for (size_t stripe = 0; stripe < s->walk.stripes; stripe++)
        for (size_t i = 0; i < width; i++) {
            u8 *const shard = walk_shard(&s->walk, stripe, i);
            const bool lost = i < (size_t)s->lost;
            s->shards[stripe * width + i] = shard;
            s->have[stripe * width + i] = lost ? NULL : shard;
            s->want[stripe * width + i] = lost ? shard : NULL;
        }
}

bool leopard_stripes_open(struct leopard_stripes *s, const struct leopard_shape *shape,
                          const struct placement *placement, struct arena *arena)
{
    const size_t width = (size_t)(shape->k + shape->m);
    *s = (struct leopard_stripes){.shape = *shape,
                                  .lost = shape->m < shape->k ? shape->m : shape->k};
    s->walk = walk_plan(width, (size_t)shape->len, shape->mode, placement);
    const size_t shards = s->walk.stripes * width;
    s->shards = malloc(shards * sizeof(u8 *));
    s->have = malloc(shards * sizeof(u8 *));
    s->want = malloc(shards * sizeof(u8 *));
    if (s->shards == NULL || s->have == NULL || s->want == NULL ||
        !arena_reserve(arena, shards * s->walk.distance)) {
        leopard_stripes_close(s);
        return false;
    }
    s->walk.first = arena->base + placement->offset;
    place(s);
    return true;
}

void leopard_stripes_close(struct leopard_stripes *s)
{
    free(s->shards);
    free(s->have);
    free(s->want);
    s->shards = s->have = s->want = NULL;
}

/* ------------------------------------------------------------ this library -- */

/* The first shard, in one of the arrays above, of the stripe that a call works on now. */
static size_t next_row(struct leopard_coder *coder)
{
    return walk_step(&coder->stripes->walk) * coder->stripes->walk.width;
}

static const char *own_open(struct leopard_coder *coder)
{
    const struct leopard_stripes *s = coder->stripes;
    uint8_t have[PXR_MAX_SHARDS] = {0}, want[PXR_MAX_SHARDS] = {0};
    if (pxr_code_create(&coder->code, (unsigned)s->shape.k, (unsigned)s->shape.m,
                        PXR_ISAL_CAUCHY, NULL) != PXR_OK)
        return "no such code";
    for (size_t i = 0; i < s->walk.width; i++) {
        have[i] = s->have[i] != NULL;
        want[i] = s->want[i] != NULL;
    }
    return pxr_plan_create(&coder->plan, coder->code, have, want, NULL) == PXR_OK
               ? NULL
               : out_of_memory;
}

static void own_encode(struct leopard_coder *coder, size_t calls)
{
    const struct leopard_stripes *s = coder->stripes;
    while (calls-- > 0) {
        u8 **const row = s->shards + next_row(coder);
        coder->failed |=
            pxr_encode(coder->code, (size_t)s->shape.len, row, row + s->shape.k) != PXR_OK;
    }
}

static void plan_decode(struct leopard_coder *coder, size_t calls)
{
    const struct leopard_stripes *s = coder->stripes;
    while (calls-- > 0) {
        const size_t row = next_row(coder);
        coder->failed |= pxr_plan_apply(coder->plan, (size_t)s->shape.len, s->have + row,
                                        s->want + row) != PXR_OK;
    }
}

static void reconstruct_decode(struct leopard_coder *coder, size_t calls)
{
    const struct leopard_stripes *s = coder->stripes;
    while (calls-- > 0) {
        const size_t row = next_row(coder);
        coder->failed |= pxr_reconstruct(coder->code, (size_t)s->shape.len, s->have + row,
                                         s->want + row) != PXR_OK;
    }
}

static void own_close(struct leopard_coder *coder)
{
    pxr_plan_free(coder->plan);
    pxr_code_free(coder->code);
    coder->plan = NULL;
    coder->code = NULL;
}

const struct leopard_kind leopard_by_plan = {own_open, own_encode, plan_decode, own_close};
const struct leopard_kind leopard_by_reconstruct = {own_open, own_encode, reconstruct_decode,
                                                    own_close};

/* ------------------------------------------------------------------- peers -- */

static const char *peer_open(struct leopard_coder *coder)
{
    struct leopard_peer *peer = &coder->peer;
    const struct leopard_shape *shape = &coder->stripes->shape;
    library_lookup(coder->library, "leopard_open", "", &peer->open);
    library_lookup(coder->library, "leopard_close", "", &peer->close);
    library_lookup(coder->library, "leopard_encode_walk", "", &peer->encode_walk);
    library_lookup(coder->library, "leopard_decode_walk", "", &peer->decode_walk);
    if (peer->open == NULL || peer->close == NULL || peer->encode_walk == NULL ||
        peer->decode_walk == NULL)
        return "has no Leopard code";
    coder->peer_code = peer->open(shape->k, shape->m);
    return coder->peer_code != 0 ? NULL : "no such code";
}

static void peer_encode(struct leopard_coder *coder, size_t calls)
{
    struct leopard_stripes *s = coder->stripes;
    coder->peer.encode_walk(coder->peer_code, s->shape.len, s->shards, s->walk.stripes,
                            walk_steps(&s->walk, calls), calls);
}

static void peer_decode(struct leopard_coder *coder, size_t calls)
{
    struct leopard_stripes *s = coder->stripes;
    coder->peer.decode_walk(coder->peer_code, s->shape.len, s->lost, s->shards, s->walk.stripes,
                            walk_steps(&s->walk, calls), calls);
}

static void peer_close(struct leopard_coder *coder)
{
    if (coder->peer_code != 0)
        coder->peer.close(coder->peer_code);
    coder->peer_code = 0;
}

const struct leopard_kind leopard_by_peer = {peer_open, peer_encode, peer_decode, peer_close};

/* ---------------------------------------------------------------- judgement -- */

static void poison(u8 *const *row, size_t shards, size_t len)
{
    for (size_t i = 0; i < shards; i++)
        memset(row[i], 0xa5, len);
}

/* Encodes a stripe, loses its first shards and decodes them: whether that gives the data, which
   `expected` has room for a shard of. */
static bool gives_itself(struct leopard_coder *coder, size_t stripe, u8 *expected)
{
    struct leopard_stripes *s = coder->stripes;
    const size_t k = (size_t)s->shape.k, m = (size_t)s->shape.m, len = (size_t)s->shape.len;
    u8 *const *row = s->shards + stripe * s->walk.width;
    for (size_t i = 0; i < k; i++)
        buffers_fill(row[i], len, 1 + stripe + i);
    poison(row + k, m, len);
    s->walk.next = stripe;
    coder->kind->encode(coder, 1);
    poison(row, (size_t)s->lost, len);
    s->walk.next = stripe;
    coder->kind->decode(coder, 1);
    for (size_t i = 0; i < k; i++) {
        buffers_fill(expected, len, 1 + stripe + i);
        if (memcmp(expected, row[i], len) != 0)
            return false;
    }
    return true;
}

const char *leopard_coder_judge(struct leopard_coder *coder)
{
    const struct leopard_stripes *s = coder->stripes;
    u8 *expected = malloc((size_t)s->shape.len);
    if (expected == NULL)
        return out_of_memory;
    const bool good =
        gives_itself(coder, 0, expected) && gives_itself(coder, s->walk.stripes - 1, expected);
    free(expected);
    return good ? NULL : "decodes other bytes than were encoded";
}
