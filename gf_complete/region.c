/* SPDX-License-Identifier: BSD-3-Clause */
#include "region.h"

#include <string.h>

#include "dispatch.h"
#include "encode.h"
#include "gf_words.h"
#include "words.h"

/* -------------------------------------------------------------------- maps -- */

/*
 * Adds the products of val with the w bits of words, moved up by `at` bits, to the columns.  In
 * a field by a polynomial these products are val, val * x, val * x^2 and so on.  In a COMPOSITE
 * field the low bits are elements of the base field, which multiply both halves of val.  The
 * high bits are x times as much, so they multiply both halves of val * x.
 */
static void add_columns(gf_t *gf, struct pxr_gf_word val, unsigned at,
                        struct pxr_gf_word *column)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    const unsigned half = (unsigned)head->w / 2;
    if (head->mult_type != GF_MULT_COMPOSITE) {
        const uint64_t poly = pxr_gf_low_poly(head);
        for (int i = 0; i < head->w; i++) {
            column[i] = pxr_gf_sum(column[i], pxr_gf_up(val, at));
            val = pxr_gf_double(head->w, poly, val);
        }
        return;
    }
    for (unsigned in = 0; in < 2; in++) {
        add_columns(head->base, pxr_gf_low_half(head->w, val), at, column + in * half);
        add_columns(head->base, pxr_gf_high_half(head->w, val), at + half, column + in * half);
        val = pxr_gf_multiply(gf, val, pxr_gf_up(pxr_gf_low_word(1), half));
    }
}

/* The same in a field by a polynomial, for words of up to 64 bits: short regions are multiplied
   in less time than all the sums above take. */
static void fill_short(const struct pxr_gf_head *head, uint64_t val, struct pxr_gf_word *column)
{
    const uint64_t poly = pxr_gf_low_poly(head), mask = pxr_gf_mask(head->w).low;
    for (int i = 0; i < head->w; i++) {
        column[i] = pxr_gf_low_word(val);
        val = (val << 1 & mask) ^ (poly & -(val >> (head->w - 1)));
    }
}

static void fill_map(gf_t *gf, struct pxr_gf_word val, struct pxr_gf_map *map)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    map->w = head->w;
    if (head->mult_type != GF_MULT_COMPOSITE && head->w <= 64) {
        fill_short(head, val.low, map->column);
        return;
    }
    memset(map->column, 0, (size_t)map->w * sizeof map->column[0]);
    add_columns(gf, val, 0, map->column);
}

/* ----------------------------------------------------------------- packets -- */

#define TILE 512 /* bytes of a packet; a tile of all packets fits in the L1 cache */

/* Packet r of dst is the sum of those packets c of src whose column c has bit r. */
static void sum_packets(const struct pxr_gf_map *map, size_t len, uint8_t (*tile)[TILE],
                        uint8_t *dst, int r, bool add)
{
    const uint8_t *from[PXR_GF_MOST_BITS + 1];
    unsigned count = 0;
    if (add)
        from[count++] = dst;
    for (int c = 0; c < map->w; c++)
        if (pxr_gf_bit(map->column[c], (unsigned)r))
            from[count++] = tile[c];
    pxr_kernels()->dot[PXR_SPECIAL_P][0](len, count, NULL, from, &dst, 0);
}

/* A tile of the sources is copied first, for two reasons: packets are often so far apart that
   they share the same few sets of the cache, and dst may be src. */
static void packets(const struct pxr_gf_map *map, size_t packet, const uint8_t *src,
                    uint8_t *dst, bool add)
{
    uint8_t tile[32][TILE];
    for (size_t pos = 0; pos < packet; pos += TILE) {
        const size_t len = packet - pos < TILE ? packet - pos : TILE;
        for (int c = 0; c < map->w; c++)
            memcpy(tile[c], src + packet * (size_t)c + pos, len);
        for (int r = 0; r < map->w; r++)
            sum_packets(map, len, tile, dst + packet * (size_t)r + pos, r, add);
    }
}

/* ------------------------------------------------------------------ batches -- */

#define BATCH 128 /* words */

/* Multiplies words of w >= 8 in any two mappings, by converting them to standard order and
   back. */
static void batches(const struct pxr_gf_map *map, const struct pxr_gf_region *src,
                    const struct pxr_gf_region *dst, bool add)
{
    const int w = map->w;
    const size_t count = pxr_gf_count(src);
    uint8_t from[BATCH * 16], to[BATCH * 16];
    for (size_t first = 0; first < count; first += BATCH) {
        const size_t n = count - first < BATCH ? count - first : BATCH;
        for (size_t i = 0; i < n; i++)
            pxr_gf_store(w, from, i, pxr_gf_get(src, first + i));
        for (size_t i = 0; add && i < n; i++)
            pxr_gf_store(w, to, i, pxr_gf_get(dst, first + i));
        pxr_gf_words(map, n * (size_t)w / 8, from, to, add);
        for (size_t i = 0; i < n; i++)
            pxr_gf_put(dst, first + i, pxr_gf_load(w, to, i));
    }
}

/* --------------------------------------------------------------------- runs -- */

#define BLOCKS 32 /* blocks of 16 words that are multiplied at once */
#define PLANE (BLOCKS * PXR_GF_RUN)

typedef uint8_t planes[PXR_GF_MOST_PLANES][PLANE];

/* Copies the runs of some blocks, so that those of each byte of the words are one after the
   other; and copies them back. */
static void take_runs(int w, size_t blocks, const uint8_t *body, planes to)
{
    const size_t runs = (size_t)w / 8;
    for (size_t b = 0; b < blocks; b++)
        for (size_t i = 0; i < runs; i++)
            memcpy(to[i] + PXR_GF_RUN * b, body + PXR_GF_RUN * (runs * b + pxr_gf_run_of(w, i)),
                   PXR_GF_RUN);
}

static void put_runs(int w, size_t blocks, planes from, uint8_t *body)
{
    const size_t runs = (size_t)w / 8;
    for (size_t b = 0; b < blocks; b++)
        for (size_t i = 0; i < runs; i++)
            memcpy(body + PXR_GF_RUN * (runs * b + pxr_gf_run_of(w, i)),
                   from[i] + PXR_GF_RUN * b, PXR_GF_RUN);
}

/* What the kernel set cannot do is copied into planes, a few blocks at a time. */
static void runs(const struct pxr_gf_map *map, size_t bytes, const uint8_t *src, uint8_t *dst,
                 bool add)
{
    planes from, to;
    const uint8_t *sources[PXR_GF_MOST_PLANES];
    uint8_t *outputs[PXR_GF_MOST_PLANES];
    unsigned place[PXR_GF_MOST_PLANES];
    const size_t block = PXR_GF_RUN * (size_t)map->w / 8;
    for (int i = 0; i < map->w / 8; i++) {
        place[i] = (unsigned)pxr_gf_run_of(map->w, (size_t)i);
        sources[i] = from[i];
        outputs[i] = to[i];
    }
    const size_t done = pxr_gf_runs(map, place, bytes, src, dst, add);
    for (size_t pos = done; pos < bytes; pos += BLOCKS * block) {
        const size_t left = (bytes - pos) / block, blocks = left < BLOCKS ? left : BLOCKS;
        take_runs(map->w, blocks, src + pos, from);
        if (add)
            take_runs(map->w, blocks, dst + pos, to);
        pxr_gf_planes(map, PXR_GF_RUN * blocks, sources, outputs, add);
        put_runs(map->w, blocks, to, dst + pos);
    }
}

/* ------------------------------------------------------------------- halves -- */

static void multiply_half(gf_t *base, uint8_t *src, uint8_t *dst, struct pxr_gf_word val,
                          size_t bytes, bool add)
{
    if (pxr_gf_head(base)->w <= 32)
        base->multiply_region.w32(base, src, dst, (uint32_t)val.low, (int)bytes, add);
    else
        base->multiply_region.w64(base, src, dst, val.low, (int)bytes, add);
}

/* The product of composite.c, on all low halves and all high halves as regions of the base
   field.  Columns 0 and w/2 of the map are the products with 1 and with x. */
static void halves(gf_t *gf, const struct pxr_gf_map *map, const struct pxr_gf_region *src,
                   const struct pxr_gf_region *dst, bool add)
{
    gf_t *const base = pxr_gf_head(gf)->base;
    const size_t bytes = src->body / 2;
    uint8_t *const from = src->start + src->head, *const to = dst->start + dst->head;
    for (int in = 0; in < 2; in++) {
        const struct pxr_gf_word column = map->column[in * map->w / 2];
        const struct pxr_gf_word low = pxr_gf_low_half(map->w, column);
        const struct pxr_gf_word high = pxr_gf_high_half(map->w, column);
        multiply_half(base, from + (size_t)in * bytes, to, low, bytes, add || in);
        multiply_half(base, from + (size_t)in * bytes, to + bytes, high, bytes, add || in);
    }
}

/* --------------------------------------------------------------- any region -- */

/* Multiplies the standard words in front of the body and behind it. */
static void rest(const struct pxr_gf_map *map, const struct pxr_gf_region *src,
                 const struct pxr_gf_region *dst, bool add)
{
    const size_t behind = src->head + src->body;
    pxr_gf_words(map, src->head, src->start, dst->start, add);
    pxr_gf_words(map, src->bytes - behind, src->start + behind, dst->start + behind, add);
}

/* Words of 4, 8, 16 bits and so on have a rest.  For other w there is no whole word behind a
   body of packets. */
static bool has_rest(const struct pxr_gf_region *region)
{
    return pxr_gf_count(region) > region->body * 8 / (size_t)region->field->w;
}

static void multiply_regions(gf_t *gf, const struct pxr_gf_map *map,
                             const struct pxr_gf_region *src, const struct pxr_gf_region *dst,
                             bool add)
{
    const bool alike = src->head == dst->head && src->body == dst->body;
    const bool by_base = src->mapping == PXR_GF_HALVES && src->start != dst->start;
    if (!alike || (src->mapping == PXR_GF_HALVES && src->body > 0 && !by_base)) {
        batches(map, src, dst, add);
        return;
    }
    if (src->body > 0 && src->mapping == PXR_GF_RUNS)
        runs(map, src->body, src->start + src->head, dst->start + dst->head, add);
    else if (src->body > 0 && by_base)
        halves(gf, map, src, dst, add);
    else if (src->body > 0)
        packets(map, src->body / (size_t)map->w, src->start, dst->start, add);
    if (has_rest(src))
        rest(map, src, dst, add);
}

static void multiply_by_one(size_t bytes, const void *src, void *dest, bool add)
{
    if (add)
        pxr_gf_add(bytes, src, dest);
    else if (src != dest)
        memcpy(dest, src, bytes);
}

/* Returns whether a region is one of bytes of GF(2^8) as the kernels know it, of which all
   products are known. */
static bool is_of_kernels(const struct pxr_gf_head *head, enum pxr_gf_mapping mapping)
{
    return head->w == 8 && mapping == PXR_GF_STANDARD && head->mult_type != GF_MULT_COMPOSITE &&
           pxr_gf_low_poly(head) == pxr_word_polynomials[8];
}

/* Multiplies by a number that is neither 0 nor 1. */
static void multiply(gf_t *gf, enum pxr_gf_mapping mapping, void *src, void *dest,
                     struct pxr_gf_word val, size_t bytes, bool add)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    struct pxr_gf_map map;
    if (is_of_kernels(head, mapping)) {
        pxr_multiply_bytes(bytes, (uint8_t)val.low, src, dest, add);
        return;
    }
    fill_map(gf, val, &map);
    if (mapping == PXR_GF_STANDARD) {
        pxr_gf_words(&map, bytes, src, dest, add);
        return;
    }
    const struct pxr_gf_region from = pxr_gf_region_of(head, mapping, src, bytes);
    const struct pxr_gf_region to = pxr_gf_region_of(head, mapping, dest, bytes);
    multiply_regions(gf, &map, &from, &to, add);
}

void pxr_gf_multiply_region(gf_t *gf, enum pxr_gf_mapping mapping, void *src, void *dest,
                            struct pxr_gf_word val, int bytes, int add)
{
    const struct pxr_gf_head *const head = pxr_gf_head(gf);
    const struct pxr_gf_word mask = pxr_gf_mask(head->w);
    val = (struct pxr_gf_word){val.high & mask.high, val.low & mask.low};
    if (bytes <= 0 || !dest || (pxr_gf_is(val, 0) && add))
        return;
    if (pxr_gf_is(val, 0)) {
        memset(dest, 0, (size_t)bytes);
        return;
    }
    if (!src)
        return;
    if (pxr_gf_is(val, 1)) {
        multiply_by_one((size_t)bytes, src, dest, add);
        return;
    }
    multiply(gf, mapping, src, dest, val, (size_t)bytes, add);
}

struct pxr_gf_word pxr_gf_extract(gf_t *gf, enum pxr_gf_mapping mapping, void *start, int bytes,
                                  int index)
{
    const struct pxr_gf_region region =
        pxr_gf_region_of(pxr_gf_head(gf), mapping, start, bytes > 0 ? (size_t)bytes : 0);
    if (!start || index < 0 || (size_t)index >= pxr_gf_count(&region))
        return pxr_gf_low_word(0);
    return pxr_gf_get(&region, (size_t)index);
}

/* ---------------------------------------------------------------- functions -- */

static void region_32(gf_t *gf, void *src, void *dest, gf_val_32_t val, int bytes, int add)
{
    pxr_gf_multiply_region(gf, pxr_gf_mapping_of(pxr_gf_head(gf)), src, dest,
                           pxr_gf_low_word(val), bytes, add);
}

static void region_64(gf_t *gf, void *src, void *dest, gf_val_64_t val, int bytes, int add)
{
    pxr_gf_multiply_region(gf, pxr_gf_mapping_of(pxr_gf_head(gf)), src, dest,
                           pxr_gf_low_word(val), bytes, add);
}

static void region_128(gf_t *gf, void *src, void *dest, gf_val_128_t val, int bytes, int add)
{
    pxr_gf_multiply_region(gf, pxr_gf_mapping_of(pxr_gf_head(gf)), src, dest,
                           pxr_gf_of_pair(val), bytes, add);
}

static gf_val_32_t extract_32(gf_t *gf, void *start, int bytes, int index)
{
    return (uint32_t)pxr_gf_extract(gf, pxr_gf_mapping_of(pxr_gf_head(gf)), start, bytes, index)
        .low;
}

static gf_val_64_t extract_64(gf_t *gf, void *start, int bytes, int index)
{
    return pxr_gf_extract(gf, pxr_gf_mapping_of(pxr_gf_head(gf)), start, bytes, index).low;
}

static void extract_128(gf_t *gf, void *start, int bytes, int index, gf_val_128_t rv)
{
    pxr_gf_to_pair(pxr_gf_extract(gf, pxr_gf_mapping_of(pxr_gf_head(gf)), start, bytes, index),
                   rv);
}

void pxr_gf_set_region(gf_t *gf)
{
    const int w = pxr_gf_head(gf)->w;
    if (w <= 32) {
        gf->multiply_region.w32 = region_32;
        gf->extract_word.w32 = extract_32;
    } else if (w == 64) {
        gf->multiply_region.w64 = region_64;
        gf->extract_word.w64 = extract_64;
    } else {
        gf->multiply_region.w128 = region_128;
        gf->extract_word.w128 = extract_128;
    }
}
