/* SPDX-License-Identifier: BSD-3-Clause */
#include "mapping.h"

#include <string.h>

/* Returns whether standard words exist for w: it is a power of two, but not 1 or 2. */
static bool is_standard(int w)
{
    return (w & (w - 1)) == 0 && w >= 4;
}

enum pxr_gf_mapping pxr_gf_mapping_of(const struct pxr_gf_head *field)
{
    if (field->region_type & GF_REGION_CAUCHY || !is_standard(field->w))
        return PXR_GF_PACKETS;
    if (!(field->region_type & GF_REGION_ALTMAP))
        return PXR_GF_STANDARD;
    return field->mult_type == GF_MULT_COMPOSITE ? PXR_GF_HALVES : PXR_GF_RUNS;
}

/* ------------------------------------------------------------------ regions -- */

/* The body of runs and of halves begins at an address that is a multiple of 16, if a word
   begins there. */
static void set_aligned_body(struct pxr_gf_region *region, size_t unit)
{
    const size_t word = (size_t)region->field->w / 8;
    const size_t before = -(uintptr_t)region->start % 16;
    if (before % word != 0 || before >= region->bytes)
        return;
    region->head = before;
    region->body = (region->bytes - before) / unit * unit;
}

struct pxr_gf_region pxr_gf_region_of(const struct pxr_gf_head *field,
                                      enum pxr_gf_mapping mapping, void *start, size_t bytes)
{
    const size_t w = (size_t)field->w;
    struct pxr_gf_region region = {field, mapping, start, bytes, 0, bytes};
    if (mapping == PXR_GF_RUNS)
        set_aligned_body(&region, PXR_GF_RUN * w / 8);
    else if (mapping == PXR_GF_HALVES)
        set_aligned_body(&region, w == 128 ? 64 : 32);
    else if (mapping == PXR_GF_PACKETS) {
        region.head = 0;
        region.body = bytes / w * w;
    }
    return region;
}

/* Returns the number of whole standard words in this many bytes.  For such words w is a power
   of two. */
static size_t words_in(int w, size_t bytes)
{
    return is_standard(w) ? bytes * 8 >> __builtin_ctz((unsigned)w) : 0;
}

/* A body has as many words as the same bytes of standard words. */
static size_t words_of_body(const struct pxr_gf_region *region)
{
    const int w = region->field->w;
    return region->mapping == PXR_GF_PACKETS ? region->body / (size_t)w * 8
                                             : words_in(w, region->body);
}

size_t pxr_gf_count(const struct pxr_gf_region *region)
{
    const int w = region->field->w;
    return words_in(w, region->head) + words_of_body(region) +
           words_in(w, region->bytes - region->head - region->body);
}

/* ----------------------------------------------------------- standard words -- */

struct pxr_gf_word pxr_gf_load(int w, const uint8_t *p, size_t index)
{
    uint16_t two;
    uint32_t four;
    uint64_t eight[2];
    switch (w) {
    case 4:
        return pxr_gf_low_word(p[index / 2] >> index % 2 * 4 & 15);
    case 8:
        return pxr_gf_low_word(p[index]);
    case 16:
        memcpy(&two, p + 2 * index, sizeof two);
        return pxr_gf_low_word(two);
    case 32:
        memcpy(&four, p + 4 * index, sizeof four);
        return pxr_gf_low_word(four);
    case 64:
        memcpy(eight, p + 8 * index, sizeof *eight);
        return pxr_gf_low_word(eight[0]);
    default:
        memcpy(eight, p + 16 * index, sizeof eight);
        return pxr_gf_of_pair(eight);
    }
}

void pxr_gf_store(int w, uint8_t *p, size_t index, struct pxr_gf_word word)
{
    const uint16_t two = (uint16_t)word.low;
    const uint32_t four = (uint32_t)word.low;
    uint64_t eight[2];
    switch (w) {
    case 4:
        p[index / 2] =
            (uint8_t)((p[index / 2] & 0xf0 >> index % 2 * 4) | word.low << index % 2 * 4);
        break;
    case 8:
        p[index] = (uint8_t)word.low;
        break;
    case 16:
        memcpy(p + 2 * index, &two, sizeof two);
        break;
    case 32:
        memcpy(p + 4 * index, &four, sizeof four);
        break;
    case 64:
        memcpy(p + 8 * index, &word.low, sizeof word.low);
        break;
    default:
        pxr_gf_to_pair(word, eight);
        memcpy(p + 16 * index, eight, sizeof eight);
    }
}

/* ------------------------------------------------------------------- bodies -- */

/* Returns byte i of a word in runs. */
static uint8_t *byte_of_runs(const struct pxr_gf_region *region, size_t index, size_t i)
{
    const size_t bytes = (size_t)region->field->w / 8;
    const size_t run = pxr_gf_run_of(region->field->w, i);
    return region->start + region->head + index / PXR_GF_RUN * PXR_GF_RUN * bytes +
           run * PXR_GF_RUN + index % PXR_GF_RUN;
}

static struct pxr_gf_word get_from_runs(const struct pxr_gf_region *region, size_t index)
{
    struct pxr_gf_word word = {0, 0};
    for (size_t i = (size_t)region->field->w / 8; i-- > 0;)
        word = pxr_gf_sum(pxr_gf_up(word, 8), pxr_gf_low_word(*byte_of_runs(region, index, i)));
    return word;
}

static void put_into_runs(const struct pxr_gf_region *region, size_t index,
                          struct pxr_gf_word word)
{
    for (size_t i = 0; i < (size_t)region->field->w / 8; i++)
        *byte_of_runs(region, index, i) =
            (uint8_t)((i < 8 ? word.low >> 8 * i : word.high >> 8 * (i - 8)) & 0xff);
}

/* Returns the byte of packet i whose bit index % 8 is bit i of the word. */
static uint8_t *byte_of_packet(const struct pxr_gf_region *region, size_t index, size_t i)
{
    return region->start + region->body / (size_t)region->field->w * i + index / 8;
}

static struct pxr_gf_word get_from_packets(const struct pxr_gf_region *region, size_t index)
{
    uint64_t word = 0;
    for (size_t i = (size_t)region->field->w; i-- > 0;)
        word = word << 1 | (*byte_of_packet(region, index, i) >> index % 8 & 1);
    return pxr_gf_low_word(word);
}

static void put_into_packets(const struct pxr_gf_region *region, size_t index,
                             struct pxr_gf_word word)
{
    for (size_t i = 0; i < (size_t)region->field->w; i++) {
        uint8_t *const byte = byte_of_packet(region, index, i);
        const unsigned bit = 1u << index % 8;
        *byte = (uint8_t)((*byte & ~bit) | (word.low >> i & 1 ? bit : 0));
    }
}

/* Returns the low or the high halves of the words of a body, as a region of the base field. */
static struct pxr_gf_region half_of(const struct pxr_gf_region *region, unsigned high)
{
    const struct pxr_gf_head *const base = pxr_gf_head(region->field->base);
    const size_t bytes = region->body / 2;
    return pxr_gf_region_of(base, pxr_gf_mapping_of(base),
                            region->start + region->head + high * bytes, bytes);
}

static struct pxr_gf_word get_from_halves(const struct pxr_gf_region *region, size_t index)
{
    const struct pxr_gf_region low = half_of(region, 0), high = half_of(region, 1);
    return pxr_gf_sum(pxr_gf_up(pxr_gf_get(&high, index), (unsigned)region->field->w / 2),
                      pxr_gf_get(&low, index));
}

static void put_into_halves(const struct pxr_gf_region *region, size_t index,
                            struct pxr_gf_word word)
{
    const struct pxr_gf_region low = half_of(region, 0), high = half_of(region, 1);
    pxr_gf_put(&low, index, pxr_gf_low_half(region->field->w, word));
    pxr_gf_put(&high, index, pxr_gf_high_half(region->field->w, word));
}

/* ---------------------------------------------------------------- any region -- */

struct pxr_gf_word pxr_gf_get(const struct pxr_gf_region *region, size_t index)
{
    const int w = region->field->w;
    const size_t before = words_in(w, region->head);
    if (index < before)
        return pxr_gf_load(w, region->start, index);
    const size_t inside = words_of_body(region);
    if (index - before >= inside)
        return pxr_gf_load(w, region->start + region->head + region->body,
                           index - before - inside);
    switch (region->mapping) {
    case PXR_GF_RUNS:
        return get_from_runs(region, index - before);
    case PXR_GF_HALVES:
        return get_from_halves(region, index - before);
    default:
        return get_from_packets(region, index - before);
    }
}

void pxr_gf_put(const struct pxr_gf_region *region, size_t index, struct pxr_gf_word word)
{
    const int w = region->field->w;
    const size_t before = words_in(w, region->head), inside = words_of_body(region);
    if (index < before)
        pxr_gf_store(w, region->start, index, word);
    else if (index - before >= inside)
        pxr_gf_store(w, region->start + region->head + region->body, index - before - inside,
                     word);
    else if (region->mapping == PXR_GF_RUNS)
        put_into_runs(region, index - before, word);
    else if (region->mapping == PXR_GF_HALVES)
        put_into_halves(region, index - before, word);
    else
        put_into_packets(region, index - before, word);
}
