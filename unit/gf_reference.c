/* SPDX-License-Identifier: BSD-3-Clause */
#include "gf_reference.h"

#include <string.h>

#include "check.h"

/* ------------------------------------------------------------------ numbers -- */

static struct gf_number sum(struct gf_number a, struct gf_number b)
{
    return (struct gf_number){a.high ^ b.high, a.low ^ b.low};
}

static bool bit(struct gf_number a, int n)
{
    return (n < 64 ? a.low >> n : a.high >> (n - 64)) & 1;
}

static void set_bit(struct gf_number *a, int n)
{
    if (n < 64)
        a->low |= UINT64_C(1) << n;
    else
        a->high |= UINT64_C(1) << (n - 64);
}

/* Bits `from` to `from` + `count` - 1 of a. */
static struct gf_number part(struct gf_number a, int from, int count)
{
    struct gf_number result = {0, 0};
    for (int n = 0; n < count; n++)
        if (bit(a, from + n))
            set_bit(&result, n);
    return result;
}

static struct gf_number joined(struct gf_number low, struct gf_number high, int half)
{
    for (int n = 0; n < half; n++)
        if (bit(high, n))
            set_bit(&low, half + n);
    return low;
}

/* ------------------------------------------------------------------- fields -- */

/* The lowest w-1 bits of a, each shifted up by one place. */
static struct gf_number doubled(struct gf_number a, int w)
{
    struct gf_number result = {0, 0};
    for (int n = 0; n < w - 1; n++)
        if (bit(a, n))
            set_bit(&result, n + 1);
    return result;
}

/* Horner's rule: for each bit of b, from the top bit down, r becomes r*x, and a is added if the
   bit is set. */
static struct gf_number polynomial_product(const struct gf_field *f, struct gf_number a,
                                           struct gf_number b)
{
    struct gf_number r = {0, 0};
    for (int n = f->w - 1; n >= 0; n--) {
        const bool over = bit(r, f->w - 1);
        r = doubled(r, f->w);
        if (over)
            r = sum(r, (struct gf_number){0, f->poly});
        if (bit(b, n))
            r = sum(r, a);
    }
    return r;
}

/* (a1*x + a0) * (b1*x + b0), with x^2 replaced by s*x + 1. */
static struct gf_number pair_product(const struct gf_field *f, struct gf_number a,
                                     struct gf_number b)
{
    const int half = f->w / 2;
    const struct gf_number a0 = part(a, 0, half), a1 = part(a, half, half);
    const struct gf_number b0 = part(b, 0, half), b1 = part(b, half, half);
    const struct gf_number s = {0, f->poly};
    const struct gf_number x2 = gf_reference_product(f->base, a1, b1);
    const struct gf_number x1 =
        sum(gf_reference_product(f->base, a1, b0), gf_reference_product(f->base, a0, b1));
    const struct gf_number x0 = gf_reference_product(f->base, a0, b0);
    return joined(sum(x0, x2), sum(x1, gf_reference_product(f->base, s, x2)), half);
}

struct gf_number gf_reference_product(const struct gf_field *f, struct gf_number a,
                                      struct gf_number b)
{
    return f->base ? pair_product(f, a, b) : polynomial_product(f, a, b);
}

/* The polynomials without x^w, in octal digits as in the literature. */
const struct gf_field *gf_default_field(int w)
{
    static const uint32_t poly[33] = {
        0,  1,    03,   03,    03,   05,     03,  011,  035,       021, 011,
        05, 0123, 033,  02103, 03,   010013, 011, 0201, 047,       011, 05,
        03, 041,  0207, 011,   0107, 047,    011, 05,   040000007, 011, 020000007};
    static struct gf_field field;
    field = (struct gf_field){w, w <= 32 ? poly[w] : w == 64 ? 0x1b : 0x87, NULL};
    return &field;
}

const struct gf_field *gf_default_pairs(int w)
{
    static struct gf_field base, pairs;
    base = *gf_default_field(w / 2);
    pairs = (struct gf_field){w, w == 16 ? 3 : 2, &base};
    return &pairs;
}

struct gf_number gf_random_element(int w)
{
    struct gf_number a = {check_random(), check_random()};
    switch (check_below(8)) {
    case 0:
        return (struct gf_number){0, check_below(4) & (w > 1 ? 3 : 1)};
    case 1:
        a = (struct gf_number){0, 0};
        set_bit(&a, (int)check_below((size_t)w));
        return a;
    case 2:
        a.high = 0;
        break;
    case 3:
        a.low = 0;
        break;
    default:
        break;
    }
    return part(a, 0, w);
}

/* ------------------------------------------------------------------ mappings -- */

static bool has_words(int w)
{
    return w == 4 || w == 8 || w == 16 || w == 32 || w == 64 || w == 128;
}

size_t gf_reference_count(enum gf_layout layout, int w, size_t bytes)
{
    if (layout != GF_LAYOUT_CAUCHY)
        return bytes * 8 / (size_t)w;
    const size_t packet = bytes / (size_t)w, behind = bytes - packet * (size_t)w;
    return 8 * packet + (has_words(w) ? behind * 8 / (size_t)w : 0);
}

static struct gf_number standard(int w, const uint8_t *p, size_t index)
{
    uint64_t two[2];
    uint32_t u32;
    uint16_t u16;
    if (w == 4)
        return (struct gf_number){
            0, (uint64_t)(index % 2 ? p[index / 2] >> 4 : p[index / 2] & 15)};
    p += index * (size_t)w / 8;
    if (w == 8)
        return (struct gf_number){0, *p};
    if (w == 16) {
        memcpy(&u16, p, 2);
        return (struct gf_number){0, u16};
    }
    if (w == 32) {
        memcpy(&u32, p, 4);
        return (struct gf_number){0, u32};
    }
    memcpy(two, p, (size_t)w / 8);
    return w == 64 ? (struct gf_number){0, two[0]} : (struct gf_number){two[0], two[1]};
}

static struct gf_number cauchy(int w, const uint8_t *p, size_t bytes, size_t index)
{
    struct gf_number word = {0, 0};
    const size_t packet = bytes / (size_t)w;
    if (index >= 8 * packet)
        return standard(w, p + packet * (size_t)w, index - 8 * packet);
    for (int i = 0; i < w; i++)
        if (p[packet * (size_t)i + index / 8] >> index % 8 & 1)
            set_bit(&word, i);
    return word;
}

/* Sets *first to the offset from which on the words are in the mapping's own order.  Returns
   how many bytes are in that order. */
static size_t aligned_part(int w, const uint8_t *p, size_t bytes, size_t unit, size_t *first)
{
    *first = 0;
    while ((uintptr_t)(p + *first) % 16 != 0)
        (*first)++;
    if (*first >= bytes || (uintptr_t)p % ((size_t)w / 8 < 16 ? (size_t)w / 8 : 16) != 0)
        return 0;
    return (bytes - *first) - (bytes - *first) % unit;
}

static struct gf_number altmap(int w, const uint8_t *p, size_t bytes, size_t index)
{
    const size_t word_bytes = (size_t)w / 8, at = index * word_bytes;
    size_t first;
    const size_t inside = aligned_part(w, p, bytes, 16 * word_bytes, &first);
    if (inside == 0 || at < first || at >= first + inside)
        return standard(w, p, index);
    const size_t n = (at - first) / word_bytes;
    const uint8_t *const block = p + first + n / 16 * 16 * word_bytes + n % 16;
    struct gf_number word = {0, 0};
    for (size_t i = 0; i < word_bytes; i++)
        for (int b = 0; b < 8; b++)
            if (block[16 * (w == 16 ? 1 - i : i)] >> b & 1)
                set_bit(&word, (int)(8 * i) + b);
    return word;
}

static struct gf_number pairs_altmap(int w, const uint8_t *p, size_t bytes, size_t index)
{
    const size_t word_bytes = (size_t)w / 8, at = index * word_bytes;
    size_t first;
    const size_t inside = aligned_part(w, p, bytes, w == 128 ? 64 : 32, &first);
    if (inside == 0 || at < first || at >= first + inside)
        return standard(w, p, index);
    const size_t n = (at - first) / word_bytes;
    return joined(standard(w / 2, p + first, n), standard(w / 2, p + first + inside / 2, n),
                  w / 2);
}

struct gf_number gf_reference_word(enum gf_layout layout, int w, const uint8_t *region,
                                   size_t bytes, size_t index)
{
    switch (layout) {
    case GF_LAYOUT_ALTMAP:
        return altmap(w, region, bytes, index);
    case GF_LAYOUT_PAIRS_ALTMAP:
        return pairs_altmap(w, region, bytes, index);
    case GF_LAYOUT_CAUCHY:
        return cauchy(w, region, bytes, index);
    default:
        return standard(w, region, index);
    }
}
