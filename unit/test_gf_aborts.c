/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of regions for which the original gf-complete aborts, overruns its buffers or
 * damages its data.  In gf_complete/ they must work like any other products.
 */
#include "check.h"
#include "gf_methods.h"
#include "gf_trial.h"

#include <stdlib.h>

static void attempt_at(const struct gf_subject *s, size_t len, size_t src_offset,
                       size_t dst_offset, bool in_place)
{
    for (int add = 0; add < 2; add++) {
        struct gf_trial t = {.len = len, .add = add, .val = {0, 2}};
        t.src = check_from_start(&gf_src_guard, len, src_offset);
        t.dst = in_place ? t.src : check_from_start(&gf_dst_guard, len, dst_offset);
        gf_attempt(s, &t);
    }
}

/* The original aborts if the two regions have different alignments.  It also aborts if a size
   or an address is not a multiple of a word. */
static void test_aborts(void)
{
    static const int ws[] = {4, 8, 16, 32, 64, 128};
    for (size_t i = 0; i < sizeof ws / sizeof *ws; i++) {
        const struct gf_method m = {.w = ws[i]};
        struct gf_subject s = {.gf = gf_method_new(&m),
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

/* Regions of packets may have any size, and may be in place.  In place, the original reads
   packets that it has already written. */
static void test_packets(void)
{
    const struct gf_method m = {.w = 8, .mult = GF_MULT_SHIFT, .region = GF_REGION_CAUCHY};
    struct gf_subject s = {.gf = gf_method_new(&m),
                           .field = gf_default_field(8),
                           .layout = GF_LAYOUT_CAUCHY,
                           .w = 8};
    if (check_case("CAUCHY, a size that is not a multiple of w"))
        attempt_at(&s, 123, 0, 0, false);
    if (check_case("CAUCHY in place"))
        attempt_at(&s, 128, 0, 0, true);
    gf_free(s.gf, 1);
    free(s.gf);
}

/* The original treats the bytes up to the next multiple of 16 as a part of the region, even if
   they lie beyond its end. */
static void test_overruns(void)
{
    const struct gf_method m = {.w = 16,
                                .mult = GF_MULT_SPLIT_TABLE,
                                .region = GF_REGION_ALTMAP,
                                .arg1 = 4,
                                .arg2 = 16};
    struct gf_subject s = {.gf = gf_method_new(&m),
                           .field = gf_default_field(16),
                           .layout = GF_LAYOUT_ALTMAP,
                           .w = 16};
    if (check_case("ALTMAP, a region that ends before a multiple of 16"))
        attempt_at(&s, 4, 2, 2, false);
    gf_free(s.gf, 1);
    free(s.gf);
}

/* For w=64 the original clears the destination before it reads the source. */
static void test_in_place(void)
{
    const struct gf_method m = {
        .w = 64, .mult = GF_MULT_COMPOSITE, .region = GF_REGION_ALTMAP, .arg1 = 2};
    struct gf_subject s = {.gf = gf_method_new(&m),
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
    if (!check_case("empty regions, and NULL"))
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
    check_start("test_gf_aborts", argc, argv);
    gf_trial_start();
    test_aborts();
    test_packets();
    test_overruns();
    test_in_place();
    test_nothing();
    return check_finish();
}
