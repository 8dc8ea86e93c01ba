/* SPDX-License-Identifier: BSD-3-Clause */
#include "gf_trial.h"

#include <string.h>

#include "gf_general.h"

struct check_guard gf_src_guard, gf_dst_guard;

void gf_trial_start(void)
{
    gf_src_guard = check_guard_new(GF_MOST_BYTES + 64);
    gf_dst_guard = check_guard_new(GF_MOST_BYTES + 64);
}

void gf_trial_multiply(const struct gf_subject *s, const struct gf_trial *t)
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

struct gf_number gf_trial_extract(const struct gf_subject *s, uint8_t *region, size_t len,
                                  size_t i)
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

struct gf_copy gf_src_copy, gf_dst_copy;

uint8_t *gf_trial_copy(uint8_t *room, const uint8_t *bytes, size_t len)
{
    uint8_t *const copy = room + (uintptr_t)bytes % 64;
    memcpy(copy, bytes, len);
    return copy;
}

static void check_words(const struct gf_subject *s, const struct gf_trial *t,
                        const uint8_t *from, const uint8_t *before)
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
            !CHECK(gf_number_equal(gf_trial_extract(s, t->dst, t->len, i), got)))
            return;
    }
    CHECK(
        gf_number_equal(gf_trial_extract(s, t->dst, t->len, count), (struct gf_number){0, 0}));
    /* In every mapping, the bytes that make words come first.  The other bytes must not
       change. */
    const size_t made = count * (size_t)s->w / 8;
    CHECK_BYTES(t->dst + made, before + made, t->len - made);
}

/* A product with 0 or 1 uses all bytes, also bytes that make no word. */
static void check_bytes_of(const struct gf_trial *t, const uint8_t *from, const uint8_t *before)
{
    uint8_t want[GF_MOST_BYTES];
    for (size_t i = 0; i < t->len; i++) {
        const uint8_t product = t->val.low ? from[i] : 0;
        want[i] = t->add ? before[i] ^ product : product;
    }
    CHECK_BYTES(t->dst, want, t->len);
}

void gf_attempt(const struct gf_subject *s, const struct gf_trial *t)
{
    check_fill(t->src, t->len);
    check_fill(t->dst, t->len);
    const uint8_t *const from = gf_trial_copy(gf_src_copy.bytes, t->src, t->len);
    const uint8_t *const before = gf_trial_copy(gf_dst_copy.bytes, t->dst, t->len);
    check_at("len=%ld src%%64=%ld dst%%64=%ld add=%ld", (long)t->len,
             (long)((uintptr_t)t->src % 64), (long)((uintptr_t)t->dst % 64), t->add);
    gf_trial_multiply(s, t);
    if (t->val.high == 0 && t->val.low < 2)
        check_bytes_of(t, from, before);
    else
        check_words(s, t, from, before);
    if (t->src != t->dst)
        CHECK_BYTES(t->src, from, t->len);
    CHECK_UNTOUCHED(&gf_src_guard, t->src, t->len);
    if (t->src != t->dst)
        CHECK_UNTOUCHED(&gf_dst_guard, t->dst, t->len);
}
