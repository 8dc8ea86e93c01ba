/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gf_complete/ on regions: each w in each mapping, any size and alignment, in place, against
 * bitwise mathematics; and the calls with which the original aborts or runs over its buffers.
 */
#include "check.h"
#include "gf_general.h"
#include "gf_methods.h"
#include "gf_reference.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BYTES 8192

static struct check_guard src_guard, dst_guard;

/* A field and what its regions look like. */
struct subject {
    gf_t *gf;
    const struct gf_field *field;
    enum gf_layout layout;
    int w;
};

struct trial {
    size_t len;
    uint8_t *src, *dst;
    struct gf_number val;
    bool add;
};

/* -------------------------------------------------------------------- trial -- */

static void multiply(const struct subject *s, const struct trial *t)
{
    gf_general_t val;
    if (s->w <= 32)
        val.w32 = (uint32_t)t->val.low;
    else if (s->w == 64)
        val.w64 = t->val.low;
    else
        memcpy(val.w128, &t->val, sizeof val.w128);
    gf_general_do_region_multiply(s->gf, &val, t->src, t->dst, (int)t->len, t->add);
}

static struct gf_number extract(const struct subject *s, uint8_t *region, size_t len, size_t i)
{
    struct gf_number word = {0, 0};
    uint64_t pair[2];
    if (s->w <= 32)
        word.low = s->gf->extract_word.w32(s->gf, region, (int)len, (int)i);
    else if (s->w == 64)
        word.low = s->gf->extract_word.w64(s->gf, region, (int)len, (int)i);
    else {
        s->gf->extract_word.w128(s->gf, region, (int)len, (int)i, pair);
        word = (struct gf_number){pair[0], pair[1]};
    }
    return word;
}

/* Copies that keep the address modulo 64, on which mappings depend. */
static struct {
    _Alignas(64) uint8_t bytes[MOST_BYTES + 64];
} src_copy, dst_copy;

static uint8_t *kept(uint8_t *room, const uint8_t *bytes, size_t len)
{
    uint8_t *const copy = room + (uintptr_t)bytes % 64;
    memcpy(copy, bytes, len);
    return copy;
}

static void check_words(const struct subject *s, const struct trial *t, const uint8_t *from,
                        const uint8_t *before)
{
    const size_t count = gf_reference_count(s->layout, s->w, t->len);
    for (size_t i = 0; i < count; i++) {
        struct gf_number want = gf_reference_product(
            s->field, t->val, gf_reference_word(s->layout, s->w, from, t->len, i));
        const struct gf_number old = gf_reference_word(s->layout, s->w, before, t->len, i);
        const struct gf_number got = gf_reference_word(s->layout, s->w, t->dst, t->len, i);
        if (t->add)
            want = (struct gf_number){want.high ^ old.high, want.low ^ old.low};
        if (!CHECK(gf_number_equal(got, want)) ||
            !CHECK(gf_number_equal(extract(s, t->dst, t->len, i), got)))
            return;
    }
    CHECK(gf_number_equal(extract(s, t->dst, t->len, count), (struct gf_number){0, 0}));
    /* The bytes that make words are the first ones, in every mapping. */
    const size_t made = count * (size_t)s->w / 8;
    CHECK_BYTES(t->dst + made, before + made, t->len - made);
}

/* A product with 0 or 1 takes all bytes as they are. */
static void check_bytes_of(const struct trial *t, const uint8_t *from, const uint8_t *before)
{
    uint8_t want[MOST_BYTES];
    for (size_t i = 0; i < t->len; i++) {
        const uint8_t product = t->val.low ? from[i] : 0;
        want[i] = t->add ? before[i] ^ product : product;
    }
    CHECK_BYTES(t->dst, want, t->len);
}

static void attempt(const struct subject *s, const struct trial *t)
{
    check_fill(t->src, t->len);
    check_fill(t->dst, t->len);
    const uint8_t *const from = kept(src_copy.bytes, t->src, t->len);
    const uint8_t *const before = kept(dst_copy.bytes, t->dst, t->len);
    check_at("len=%ld src%%64=%ld dst%%64=%ld add=%ld", (long)t->len,
             (long)((uintptr_t)t->src % 64), (long)((uintptr_t)t->dst % 64), t->add);
    multiply(s, t);
    if (t->val.high == 0 && t->val.low < 2)
        check_bytes_of(t, from, before);
    else
        check_words(s, t, from, before);
    if (t->src != t->dst)
        CHECK_BYTES(t->src, from, t->len);
    CHECK_UNTOUCHED(&src_guard, t->src, t->len);
    if (t->src != t->dst)
        CHECK_UNTOUCHED(&dst_guard, t->dst, t->len);
}

/* ------------------------------------------------------------------- sweeps -- */

static struct gf_number any_val(int w)
{
    return check_below(6) == 0 ? (struct gf_number){0, check_below(2)} : gf_random_element(w);
}

/* Any size at any address, the one of the other buffer being independent, and in place. */
static void sweep_random(const struct subject *s, unsigned rounds, size_t most)
{
    for (unsigned round = 0; round < rounds; round++) {
        struct trial t = {.len = check_below(most + 1), .add = round & 1};
        t.src =
            check_place(&src_guard, t.len, (enum check_placement)(round % CHECK_PLACEMENTS));
        t.dst = round % 4 == 3
                    ? t.src
                    : check_place(&dst_guard, t.len,
                                  (enum check_placement)(round / 3 % CHECK_PLACEMENTS));
        t.val = any_val(s->w);
        attempt(s, &t);
    }
}

/* Both regions as far from a multiple of 16, as programs have them that suit the original. */
static void sweep_aligned(const struct subject *s, unsigned rounds)
{
    const size_t step = s->w < 16 ? 1 : (size_t)s->w / 8;
    for (unsigned round = 0; round < rounds; round++) {
        const size_t offset = check_below(16 / step + 1) * step;
        struct trial t = {.len = check_below(200) * step, .add = round & 1};
        t.src = check_from_start(&src_guard, t.len, offset);
        t.dst = check_from_start(&dst_guard, t.len, offset);
        t.val = any_val(s->w);
        attempt(s, &t);
    }
}

static void sweep(struct gf_method m, const struct gf_field *field, enum gf_layout layout)
{
    struct subject s = {.field = field, .layout = layout, .w = m.w};
    s.gf = gf_method_new(&m);
    sweep_random(&s, check_effort(60), 700);
    sweep_random(&s, check_effort(4), MOST_BYTES - 64);
    sweep_aligned(&s, check_effort(40));
    gf_free(s.gf, 1);
    free(s.gf);
}

static void test_default(int w)
{
    const struct gf_method m = {.w = w};
    const bool words = w == 4 || w == 8 || w == 16 || w >= 32;
    if (check_case("regions of w=%d", w))
        sweep(m, gf_default_field(w), words ? GF_LAYOUT_STANDARD : GF_LAYOUT_CAUCHY);
}

static void test_cauchy(int w)
{
    const struct gf_method m = {.w = w, .mult = GF_MULT_SHIFT, .region = GF_REGION_CAUCHY};
    if (w <= 32 && check_case("CAUCHY regions of w=%d", w))
        sweep(m, gf_default_field(w), GF_LAYOUT_CAUCHY);
}

static void test_altmap(int w)
{
    const struct gf_method m = {
        .w = w, .mult = GF_MULT_SPLIT_TABLE, .region = GF_REGION_ALTMAP, .arg1 = 4, .arg2 = w};
    if (check_case("ALTMAP regions of w=%d", w))
        sweep(m, gf_default_field(w), GF_LAYOUT_ALTMAP);
}

static void test_pairs(int w)
{
    struct gf_method m = {.w = w, .mult = GF_MULT_COMPOSITE, .arg1 = 2};
    if (check_case("COMPOSITE regions of w=%d", w))
        sweep(m, gf_default_pairs(w), GF_LAYOUT_STANDARD);
    m.region = GF_REGION_ALTMAP;
    if (check_case("COMPOSITE ALTMAP regions of w=%d", w))
        sweep(m, gf_default_pairs(w), GF_LAYOUT_PAIRS_ALTMAP);
}

/* ------------------------------------------------------------------- towers -- */

/* ALTMAP over ALTMAP over ALTMAP: extract_word and multiply are judged above and elsewhere, so
   they say what a region is to be. */
static void check_tower(gf_t *gf, int w)
{
    struct subject s = {.gf = gf, .w = w};
    for (unsigned round = 0; round < check_effort(20); round++) {
        struct trial t = {.len = check_below(300) * (size_t)w / 8, .add = round & 1};
        t.src =
            check_place(&src_guard, t.len, (enum check_placement)(round % CHECK_PLACEMENTS));
        t.dst = round % 3 == 2 ? t.src : check_from_start(&dst_guard, t.len, round % 16);
        t.val = (struct gf_number){0, 2 + check_below(1000)};
        check_fill(t.src, t.len);
        check_fill(t.dst, t.len);
        uint8_t *const from = kept(src_copy.bytes, t.src, t.len);
        uint8_t *const before = kept(dst_copy.bytes, t.dst, t.len);
        multiply(&s, &t);
        check_at("len=%ld src%%16=%ld dst%%16=%ld", (long)t.len, (long)((uintptr_t)t.src % 16),
                 (long)((uintptr_t)t.dst % 16), 0);
        for (size_t i = 0; i < t.len * 8 / (size_t)w; i++) {
            uint64_t val = t.val.low, word = extract(&s, from, t.len, i).low;
            uint64_t want = w == 64 ? gf->multiply.w64(gf, val, word)
                                    : gf->multiply.w32(gf, (uint32_t)val, (uint32_t)word);
            if (t.add)
                want ^= extract(&s, before, t.len, i).low;
            CHECK(extract(&s, t.dst, t.len, i).low == want);
        }
        CHECK_UNTOUCHED(&src_guard, t.src, t.len);
    }
}

static void test_towers(void)
{
    gf_t level[4];
    if (!check_case("ALTMAP regions of COMPOSITE over COMPOSITE"))
        return;
    CHECK_INT(gf_init_hard(&level[0], 16, GF_MULT_SPLIT_TABLE, GF_REGION_ALTMAP, 0, 0, 4, 16,
                           NULL, NULL),
              1);
    for (int i = 1, w = 32; w <= 64; i++, w *= 2) {
        CHECK_INT(gf_init_hard(&level[i], w, GF_MULT_COMPOSITE, GF_REGION_ALTMAP, 0, 0, 2, 0,
                               &level[i - 1], NULL),
                  1);
        check_tower(&level[i], w);
    }
    for (int i = 0; i < 3; i++)
        gf_free(&level[i], 0);
    /* Packets as a base, where the half of a region is no multiple of w. */
    CHECK_INT(
        gf_init_hard(&level[0], 32, GF_MULT_SHIFT, GF_REGION_CAUCHY, 0, 0, 0, 0, NULL, NULL),
        1);
    CHECK_INT(gf_init_hard(&level[1], 64, GF_MULT_COMPOSITE, GF_REGION_ALTMAP, 0, 0, 2, 0,
                           &level[0], NULL),
              1);
    check_tower(&level[1], 64);
    gf_free(&level[1], 0);
    gf_free(&level[0], 0);
}

/* ---------------------------------------------- where the original cannot be asked -- */

static void attempt_at(const struct subject *s, size_t len, size_t src_offset,
                       size_t dst_offset, bool in_place)
{
    for (int add = 0; add < 2; add++) {
        struct trial t = {.len = len, .add = add, .val = {0, 2}};
        t.src = check_from_start(&src_guard, len, src_offset);
        t.dst = in_place ? t.src : check_from_start(&dst_guard, len, dst_offset);
        attempt(s, &t);
    }
}

/* The original aborts for regions of different alignment, and for sizes and addresses that are
   no multiples of a word. */
static void test_aborts(void)
{
    static const int ws[] = {4, 8, 16, 32, 64, 128};
    for (size_t i = 0; i < sizeof ws / sizeof *ws; i++) {
        const struct gf_method m = {.w = ws[i]};
        struct subject s = {.gf = gf_method_new(&m),
                            .field = gf_default_field(ws[i]),
                            .layout = GF_LAYOUT_STANDARD,
                            .w = ws[i]};
        if (check_case("regions of different alignment, w=%d", ws[i]))
            attempt_at(&s, 128, 1, 2, false);
        if (check_case("regions at odd addresses, w=%d", ws[i]))
            attempt_at(&s, 128, 3, 3, false);
        if (check_case("regions of odd size, w=%d", ws[i]))
            attempt_at(&s, 127, 0, 0, false);
        gf_free(s.gf, 1);
        free(s.gf);
    }
}

/* Packets of any size; in place the original reads packets that it has written. */
static void test_packets(void)
{
    const struct gf_method m = {.w = 8, .mult = GF_MULT_SHIFT, .region = GF_REGION_CAUCHY};
    struct subject s = {.gf = gf_method_new(&m),
                        .field = gf_default_field(8),
                        .layout = GF_LAYOUT_CAUCHY,
                        .w = 8};
    if (check_case("CAUCHY, a size that is no multiple of w"))
        attempt_at(&s, 123, 0, 0, false);
    if (check_case("CAUCHY in place"))
        attempt_at(&s, 128, 0, 0, true);
    gf_free(s.gf, 1);
    free(s.gf);
}

/* The original takes the bytes up to the next multiple of 16 for part of the region, also where
   they are behind its end. */
static void test_overruns(void)
{
    const struct gf_method m = {.w = 16,
                                .mult = GF_MULT_SPLIT_TABLE,
                                .region = GF_REGION_ALTMAP,
                                .arg1 = 4,
                                .arg2 = 16};
    struct subject s = {.gf = gf_method_new(&m),
                        .field = gf_default_field(16),
                        .layout = GF_LAYOUT_ALTMAP,
                        .w = 16};
    if (check_case("ALTMAP, a region that ends before an address of 16"))
        attempt_at(&s, 4, 2, 2, false);
    gf_free(s.gf, 1);
    free(s.gf);
}

/* Of w=64 it clears the destination before it reads the source. */
static void test_in_place(void)
{
    const struct gf_method m = {
        .w = 64, .mult = GF_MULT_COMPOSITE, .region = GF_REGION_ALTMAP, .arg1 = 2};
    struct subject s = {.gf = gf_method_new(&m),
                        .field = gf_default_pairs(64),
                        .layout = GF_LAYOUT_PAIRS_ALTMAP,
                        .w = 64};
    if (check_case("COMPOSITE ALTMAP in place"))
        attempt_at(&s, 512, 0, 0, true);
    gf_free(s.gf, 1);
    free(s.gf);
}

static void test_nothing(void)
{
    gf_t gf;
    uint8_t byte = 7;
    if (!check_case("regions of no bytes, and NULL"))
        return;
    CHECK_INT(gf_init_easy(&gf, 8), 1);
    for (uint32_t val = 0; val < 3; val++) {
        gf.multiply_region.w32(&gf, &byte, &byte, val, 0, 0);
        gf.multiply_region.w32(&gf, &byte, &byte, val, -1, 0);
        gf.multiply_region.w32(&gf, NULL, NULL, val, 1, 0);
    }
    gf.multiply_region.w32(&gf, NULL, &byte, 2, 1, 0);
    CHECK_INT(byte, 7);
    CHECK_INT(gf.extract_word.w32(&gf, &byte, 1, 0), 7);
    CHECK_INT(gf.extract_word.w32(&gf, &byte, 1, 1), 0);
    CHECK_INT(gf.extract_word.w32(&gf, &byte, 1, -1), 0);
    CHECK_INT(gf.extract_word.w32(&gf, NULL, 1, 0), 0);
    CHECK_INT(gf.extract_word.w32(&gf, &byte, -1, 0), 0);
    gf_free(&gf, 0);
}

int main(int argc, char **argv)
{
    check_start("test_gf_regions", argc, argv);
    check_forced_kernels();
    src_guard = check_guard_new(MOST_BYTES + 64);
    dst_guard = check_guard_new(MOST_BYTES + 64);
    gf_each_w(test_default);
    gf_each_w(test_cauchy);
    for (int w = 16; w <= 128; w *= 2)
        test_altmap(w);
    for (int w = 8; w <= 128; w *= 2)
        test_pairs(w);
    test_towers();
    test_aborts();
    test_packets();
    test_overruns();
    test_in_place();
    test_nothing();
    return check_finish();
}
