/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the elements of shards are, and how a code computes with them.  The functions of
 * permxor.h check their arguments, choose plans and find wrong shards.  Everything that depends
 * on the elements is in one of these tables:
 *
 *   pxr_byte_arithmetic: bytes, which are multiplied in GF(2^8); byte_code.c, byte_plan.c
 *
 *   pxr_word_arithmetic: words of 4, 16 or 32 bits, which are multiplied in the field of that
 *   many bits; word_code.c, word_plan.c
 *
 *   pxr_packet_arithmetic: packets, which are added up; packet_code.c, packet_plan.c
 */
#ifndef PXR_ARITHMETIC_H
#define PXR_ARITHMETIC_H

#include "code.h"
#include "dispatch.h"
#include "encode.h"
#include "scan.h"

/* The position in a shard in pieces: `left` bytes are at `at`, and then the next pieces follow.
 */
struct pxr_cursor {
    uint8_t *at;
    size_t left;
    const struct iovec *next;
};

/* Moves to the next piece that has bytes, if the current one has none left.  There must be at
   least one more byte. */
static inline void pxr_cursor_settle(struct pxr_cursor *cursor)
{
    for (; cursor->left == 0; cursor->next++) {
        cursor->at = cursor->next->iov_base;
        cursor->left = cursor->next->iov_len;
    }
}

/* Moves past this many bytes, which must be there. */
static inline void pxr_cursor_skip(struct pxr_cursor *cursor, size_t bytes)
{
    for (; bytes > cursor->left; pxr_cursor_settle(cursor)) {
        bytes -= cursor->left;
        cursor->left = 0;
    }
    cursor->at += bytes;
    cursor->left -= bytes;
}

/* Finds the addresses of all shards.  Returns for how many of the `left` bytes every shard is
   in one piece. */
static inline size_t pxr_next_span(struct pxr_cursor *cursors, unsigned count, size_t left,
                                   uint8_t **address)
{
    for (unsigned i = 0; i < count; i++) {
        pxr_cursor_settle(&cursors[i]);
        address[i] = cursors[i].at;
        left = cursors[i].left < left ? cursors[i].left : left;
    }
    return left;
}

/* A comparison of shards with the result of a map over these sources. */
struct pxr_comparison {
    size_t len;
    const struct pxr_map *map;
    const uint8_t *const *source;
    const uint8_t *const *expected; /* NULL for a shard that is not to be compared */
    unsigned left_out;              /* one more shard that is not to be compared, or map->count
                                     */
    size_t *first;                  /* NULL, or for each shard its first difference so far, or
                                       len */
    size_t *least;                  /* NULL, or the first difference so far of all shards, or
                                       len */
};

/* Returns whether shard r of a comparison is to be compared. */
static inline bool pxr_is_compared(const struct pxr_comparison *c, unsigned r)
{
    return c->expected[r] && r != c->left_out;
}

/* Returns whether shard r of a comparison holds the n computed bytes at offset.  If not, notes
   where it differs. */
static inline bool pxr_shard_agrees(const struct pxr_comparison *c, unsigned r,
                                    const uint8_t *computed, size_t offset, size_t n)
{
    const size_t at = pxr_scan_difference(pxr_kernels(), computed, c->expected[r] + offset, n);
    if (at == n)
        return true;
    if (c->first && offset + at < c->first[r])
        c->first[r] = offset + at;
    if (c->least && offset + at < *c->least)
        *c->least = offset + at;
    return false;
}

/* Bytes of each shard that are compared at a time.  A larger unit is compared as a whole. */
#define PXR_CHUNK ((size_t)4096)

/* Changes of data shards: shard index[i] was old_data[i], and is now new_data[i].  It was zeros
   where old_data[i], or all of old_data, is NULL. */
struct pxr_changes {
    unsigned count;
    const unsigned *index;
    uint8_t *const *old_data, *const *new_data;
};

/* In these functions lengths are whole units, and no pointer is NULL unless the comment says
   so. */
struct pxr_arithmetic {
    /* Computes map->count shards from map->k sources. */
    void (*encode)(const struct pxr_map *map, size_t len, const uint8_t *const *src,
                   uint8_t *const *dst);
    /* The same for shards in pieces: first the cursors of the sources, then those of the
       outputs. */
    void (*encode_pieces)(const struct pxr_map *map, size_t len, struct pxr_cursor *cursors);
    /* Adds the effect of changes of the data to the parity shards that are not NULL. */
    void (*update)(const struct pxr_code *code, size_t len, const struct pxr_changes *changes,
                   uint8_t *const *parity);
    /* Returns whether n bytes of all shards from offset on agree, and notes in the comparison
       where they do not. offset and n are whole units; n is one unit, or at most PXR_CHUNK. */
    bool (*agrees)(const struct pxr_comparison *c, size_t offset, size_t n);
    /* Adds the shards of which a change could explain byte `at` of all k+m shards, where they
       disagree.  It may also add shards of which no change can explain it. */
    void (*find_suspects)(const struct pxr_code *code, uint8_t *const *shards, size_t at,
                          struct pxr_shard_set *suspects);
    /* See pxr_plan_make(). */
    int (*solve)(const struct pxr_code *code, const struct pxr_plan_key *key,
                 struct pxr_plan **plan);
};

extern const struct pxr_arithmetic pxr_byte_arithmetic, pxr_word_arithmetic,
    pxr_packet_arithmetic;

int pxr_bytes_solve(const struct pxr_code *code, const struct pxr_plan_key *key,
                    struct pxr_plan **plan);
int pxr_words_solve(const struct pxr_code *code, const struct pxr_plan_key *key,
                    struct pxr_plan **plan);
int pxr_packets_solve(const struct pxr_code *code, const struct pxr_plan_key *key,
                      struct pxr_plan **plan);

/* Returns whether a call may have this length. */
static inline bool pxr_whole_units(const struct pxr_map *map, size_t len)
{
    return map->unit == 1 || len % map->unit == 0;
}

/* Finds the next parity shards that are not NULL and stand side by side, from *first on. *first
   becomes the first of them.  Returns their number, which is 0 when none is left. */
static inline unsigned pxr_next_run(const struct pxr_code *code, uint8_t *const *parity,
                                    unsigned *first)
{
    while (*first < code->m && !parity[*first])
        ++*first;
    unsigned end = *first;
    while (end < code->m && parity[end])
        end++;
    return end - *first;
}

/* Applies a map to these sources. len is in whole units.  Bytes go straight to their kernels,
   because every step is noticeable in brief calls. */
static inline void pxr_map_apply(const struct pxr_map *map, size_t len,
                                 const uint8_t *const *src, uint8_t *const *dst)
{
    if (map->rows.count > 0)
        pxr_encode_rows(pxr_kernels(), len, &map->rows, src, dst);
    else if (len > 0)
        map->arithmetic->encode(map, len, src, dst);
}

#endif
