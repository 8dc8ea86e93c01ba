/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffers.h - where the measured shards lie in memory.
 *
 * All shards come from one mapping, written with random bytes before use:
 * pages that were never written all map the kernel's one zero page and would
 * be read from L1 whatever their number.
 *
 * Shards lie at a constant distance from one another, chosen by displacement:
 *
 *   distance = displace (mod 4096), the smallest one that holds the shard.
 *       A set of L1, and the address comparison that holds back loads behind
 *       earlier stores, look at an address modulo 4096 only; shards that start
 *       on page boundaries would all collide there.  With 1792 = 7 * 256 the
 *       next 16 shards start at 16 different offsets.
 *   Shards shorter than `displace` are packed at an odd number of cache lines:
 *       64 consecutive shards start at 64 different offsets, and a walk over
 *       many of them touches little more than their own bytes.
 *   displace = 0 puts every shard on a page boundary (the bad case, to show).
 */
#ifndef PERF_BUFFERS_H
#define PERF_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUFFERS_DISPLACE 1792
#define BUFFERS_ALIGN 64
#define BUFFERS_PAGE 4096

enum arena_pages {
    PAGES_DEFAULT, /* as the system decides */
    PAGES_SMALL,   /* madvise: never huge */
    PAGES_HUGE     /* madvise: huge where possible */
};

/* Their names, with NULL behind the last one. */
extern const char *const arena_pages_names[];

struct arena {
    unsigned char *base; /* page-aligned */
    size_t size;
    enum arena_pages pages;
};

/* Make the arena hold at least `size` written bytes.  The old contents are kept or replaced by
   other random bytes.  Returns false when there is no memory. */
bool arena_reserve(struct arena *arena, size_t size);

void arena_close(struct arena *arena);

/* Bytes of the arena that lie on huge pages at this moment. */
size_t arena_huge_bytes(const struct arena *arena);

/* Pseudorandom bytes, the same for the same seed. */
void buffers_fill(unsigned char *bytes, size_t size, uint64_t seed);

/* Distance between shards of `len` bytes that start `offset` bytes behind a
 * 64-byte boundary. */
size_t buffers_distance(size_t len, size_t offset, size_t displace);

#endif
