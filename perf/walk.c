/* SPDX-License-Identifier: BSD-3-Clause */
#include "walk.h"

const char *const mode_names[] = {"warm", "cold", NULL};
const char *const layout_names[] = {"displaced", "contiguous", "aligned", "off1",
                                    "off16",     "scattered",  NULL};

struct placement layout_placement(enum layout layout, const struct placement *displaced)
{
    struct placement p = *displaced;
    switch (layout) {
    case LAYOUT_DISPLACED:
        break;
    case LAYOUT_ALIGNED:
        /* An allocator that aligns to pages keeps its own data in one of them. */
        p.gap = BUFFERS_PAGE;
        p.offset = p.displace = 0;
        break;
    case LAYOUT_CONTIGUOUS:
        p.offset = p.displace = 0;
        break;
    case LAYOUT_OFF1:
        p.offset = 1;
        break;
    case LAYOUT_OFF16:
        p.offset = 16;
        break;
    case LAYOUT_SCATTERED:
        p.scattered = true;
        break;
    }
    return p;
}

/* Weyl's sequence and a multiplication (splitmix64): neighbours become unlike each other. */
static uint64_t mixed(uint64_t x)
{
    x = (x + 1) * 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    return x ^ x >> 31;
}

size_t walk_scatter(const struct walk *walk, size_t shard)
{
    const uint64_t lines = walk->scatter / BUFFERS_ALIGN;
    return (size_t)(mixed(mixed(walk->len) + shard) % lines) * BUFFERS_ALIGN;
}

/* The bytes that a call moves through the cache for a shard: whole lines. */
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
    /* A cold walk has so many shards that there is no memory for more than twice their bytes.
     */
    const size_t room = mode == WALK_WARM ? SCATTER_ROOM : touched(len);
    const size_t scatter = placement->scattered ? room : 0;
    return (struct walk){
        .distance = buffers_distance(len, placement->offset, placement->displace) +
                    placement->gap + scatter,
        .scatter = scatter,
        .len = len,
        .width = width,
        .stripes = stripes,
    };
}
