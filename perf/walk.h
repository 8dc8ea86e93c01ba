/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk.h - the stripes that calls work on, one after the other.
 *
 * A stripe is the shards that one call reads and writes.  Where several subjects take turns
 * along one cold walk, the next stripe is always the one that no subject has used for the
 * longest time.
 */
#ifndef PERF_WALK_H
#define PERF_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "buffers.h"

typedef unsigned char u8;

enum walk_mode {
    WALK_WARM, /* the same stripe again and again */
    WALK_COLD  /* stripe after stripe of a set larger than the caches */
};

/* How the shards of a stripe lie: one behind the other, sources first. */
enum layout {
    LAYOUT_DISPLACED,  /* as the placement says: in different sets of L1 */
    LAYOUT_CONTIGUOUS, /* one allocation split into shards of whole pages */
    LAYOUT_ALIGNED,    /* allocations of their own on page boundaries: a page between them */
    LAYOUT_OFF1,       /* displaced, 1 byte behind a 64-byte boundary */
    LAYOUT_OFF16,      /* the same, 16 bytes */
    LAYOUT_SCATTERED   /* on any line of any page, as from an allocator that is long in use */
};

struct placement {
    size_t offset;   /* of each shard, behind a 64-byte boundary */
    size_t displace; /* see buffers.h */
    size_t gap;      /* left between shards, in addition to that */
    bool scattered;  /* see walk_scatter() */
    size_t cold_set; /* bytes that a cold walk touches */
};

struct walk {
    u8 *first;       /* shard of the first stripe */
    size_t distance; /* between shards, or between the rooms of scattered ones */
    size_t scatter;  /* the bytes that shards are scattered over, or 0 */
    size_t len;
    size_t width; /* shards of a stripe */
    size_t stripes;
    size_t next;
};

/* The names of the modes and layouts, with NULL behind the last one. */
extern const char *const mode_names[], *const layout_names[];

/* The placement that a layout means.  `displaced` is that of LAYOUT_DISPLACED. */
struct placement layout_placement(enum layout layout, const struct placement *displaced);

/* How far into its room a scattered shard lies.  It lies elsewhere for each length, so a sweep
   of lengths measures as many placements. */
#define SCATTER_ROOM ((size_t)16 * BUFFERS_PAGE)
size_t walk_scatter(const struct walk *walk, size_t shard);

/* A walk over stripes of `width` shards, complete except for its first address. */
struct walk walk_plan(size_t width, size_t len, enum walk_mode mode,
                      const struct placement *placement);

/* Where the room of shard `index` of a stripe begins.  Indexes beyond the width give the shards
   of the following stripes. */
static inline u8 *walk_room(const struct walk *walk, size_t stripe, size_t index)
{
    return walk->first + (stripe * walk->width + index) * walk->distance;
}

/* The shard itself. */
static inline u8 *walk_shard(const struct walk *walk, size_t stripe, size_t index)
{
    u8 *const room = walk_room(walk, stripe, index);
    if (walk->scatter == 0)
        return room;
    return room + walk_scatter(walk, stripe * walk->width + index);
}

/* The stripe to work on now. */
static inline size_t walk_step(struct walk *walk)
{
    size_t stripe = walk->next;
    walk->next = stripe + 1 == walk->stripes ? 0 : stripe + 1;
    return stripe;
}

/* The first of the next `count` stripes to work on. */
static inline size_t walk_steps(struct walk *walk, size_t count)
{
    size_t first = walk->next;
    walk->next = (first + count) % walk->stripes;
    return first;
}

#endif
