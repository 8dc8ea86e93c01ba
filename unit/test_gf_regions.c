/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gf_complete/ on regions: each w in each mapping, with any size and alignment, also in place.
 * The results are compared with bitwise arithmetic.
 */
#include "check.h"
#include "gf_methods.h"
#include "gf_trial.h"

#include <stdlib.h>

/* ------------------------------------------------------------------- sweeps -- */

static struct gf_number any_val(int w)
{
    return check_below(6) == 0 ? (struct gf_number){0, check_below(2)} : gf_random_element(w);
}

/* Regions of any size at any address.  The addresses of the two buffers are independent.  One
   round in four is in place. */
static void sweep_random(const struct gf_subject *s, unsigned rounds, size_t most)
{
    for (unsigned round = 0; round < rounds; round++) {
        struct gf_trial t = {.len = check_below(most + 1), .add = round & 1};
        t.src =
            check_place(&gf_src_guard, t.len, (enum check_placement)(round % CHECK_PLACEMENTS));
        t.dst = round % 4 == 3
                    ? t.src
                    : check_place(&gf_dst_guard, t.len,
                                  (enum check_placement)(round / 3 % CHECK_PLACEMENTS));
        t.val = any_val(s->w);
        gf_attempt(s, &t);
    }
}

/* Both regions have the same distance from a multiple of 16, as in programs that work with the
   original gf-complete. */
static void sweep_aligned(const struct gf_subject *s, unsigned rounds)
{
    const size_t step = s->w < 16 ? 1 : (size_t)s->w / 8;
    for (unsigned round = 0; round < rounds; round++) {
        const size_t offset = check_below(16 / step + 1) * step;
        struct gf_trial t = {.len = check_below(200) * step, .add = round & 1};
        t.src = check_from_start(&gf_src_guard, t.len, offset);
        t.dst = check_from_start(&gf_dst_guard, t.len, offset);
        t.val = any_val(s->w);
        gf_attempt(s, &t);
    }
}

static void sweep(struct gf_method m, const struct gf_field *field, enum gf_layout layout)
{
    struct gf_subject s = {.field = field, .layout = layout, .w = m.w};
    s.gf = gf_method_new(&m);
    sweep_random(&s, check_effort(60), 700);
    sweep_random(&s, check_effort(4), GF_MOST_BYTES - 64);
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

/* Checks the products of a field over other fields, all of which have ALTMAP.  Other tests
   check extract_word and multiply.  So these two tell here what a region must contain. */
static void check_tower(gf_t *gf, int w)
{
    struct gf_subject s = {.gf = gf, .w = w};
    for (unsigned round = 0; round < check_effort(20); round++) {
        struct gf_trial t = {.len = check_below(300) * (size_t)w / 8, .add = round & 1};
        t.src =
            check_place(&gf_src_guard, t.len, (enum check_placement)(round % CHECK_PLACEMENTS));
        t.dst = round % 3 == 2 ? t.src : check_from_start(&gf_dst_guard, t.len, round % 16);
        t.val = (struct gf_number){0, 2 + check_below(1000)};
        check_fill(t.src, t.len);
        check_fill(t.dst, t.len);
        uint8_t *const from = gf_trial_copy(gf_src_copy.bytes, t.src, t.len);
        uint8_t *const before = gf_trial_copy(gf_dst_copy.bytes, t.dst, t.len);
        gf_trial_multiply(&s, &t);
        check_at("len=%ld src%%16=%ld dst%%16=%ld", (long)t.len, (long)((uintptr_t)t.src % 16),
                 (long)((uintptr_t)t.dst % 16), 0);
        for (size_t i = 0; i < t.len * 8 / (size_t)w; i++) {
            uint64_t val = t.val.low, word = gf_trial_extract(&s, from, t.len, i).low;
            uint64_t want = w == 64 ? gf->multiply.w64(gf, val, word)
                                    : gf->multiply.w32(gf, (uint32_t)val, (uint32_t)word);
            if (t.add)
                want ^= gf_trial_extract(&s, before, t.len, i).low;
            CHECK(gf_trial_extract(&s, t.dst, t.len, i).low == want);
        }
        CHECK_UNTOUCHED(&gf_src_guard, t.src, t.len);
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
    /* A base of packets: half of a region need not be a multiple of w. */
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

int main(int argc, char **argv)
{
    check_start("test_gf_regions", argc, argv);
    check_forced_kernels();
    gf_trial_start();
    gf_each_w(test_default);
    gf_each_w(test_cauchy);
    for (int w = 16; w <= 128; w *= 2)
        test_altmap(w);
    for (int w = 8; w <= 128; w *= 2)
        test_pairs(w);
    test_towers();
    return check_finish();
}
