/* SPDX-License-Identifier: BSD-3-Clause */
#include "walk.h"

const char *mode_name(enum walk_mode mode)
{
    return mode == WALK_WARM ? "warm" : "cold";
}

/* Bytes that a call moves through the cache for a shard: whole lines. */
static size_t touched(size_t len)
{
    size_t lines = (len + BUFFERS_ALIGN - 1) / BUFFERS_ALIGN;
    return (lines ? lines : 1) * BUFFERS_ALIGN;
}

struct walk walk_plan(size_t width, size_t len, enum walk_mode mode,
                      const struct placement *placement)
{
    size_t stripes = mode == WALK_WARM ? 1 : placement->cold_set / (width * touched(len));
    if (mode == WALK_COLD && stripes < 2)
        stripes = 2;
    return (struct walk){
        .distance = buffers_distance(len, placement->offset, placement->displace),
        .width = width,
        .stripes = stripes,
    };
}
