/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gf_complete/ compared with the real gf-complete: which arguments make a field, which error
 * the other arguments cause, and what the fields return.
 */
#include "check.h"
#include "gf_methods.h"
#include "gf_oracle.h"
#include "gf_rand.h"
#include "gf_reference.h"

#include <stdlib.h>
#include <string.h>

/* The original takes long to make a field that needs more scratch memory than this.  Such
   fields are left out. */
#define MOST_SCRATCH (1 << 20)
#define NO_ERROR 89 /* the value of _gf_errno before a call */

static int ours_size(const struct gf_method *m)
{
    return gf_scratch_size(m->w, m->mult, m->region, m->divide, m->arg1, m->arg2);
}

static int real_size(const struct gf_method *m)
{
    return gf_oracle.scratch_size(m->w, m->mult, m->region, m->divide, m->arg1, m->arg2);
}

static int ours_init(const struct gf_method *m, gf_t *gf, gf_t *base)
{
    return gf_init_hard(gf, m->w, m->mult, m->region, m->divide, m->poly, m->arg1, m->arg2,
                        base, NULL);
}

/* Some methods of the original read from the scratch memory what they have computed last, even
   before they have computed anything.  In memory of zeros that is 0. */
static int real_init(const struct gf_method *m, gf_t *gf, gf_t *base)
{
    static _Alignas(64) uint8_t scratch[MOST_SCRATCH];
    memset(scratch, 0, sizeof scratch);
    return gf_oracle.init_hard(gf, m->w, m->mult, m->region, m->divide, m->poly, m->arg1,
                               m->arg2, base, scratch);
}

/* ---------------------------------------------------------------- arguments -- */

static void compare_arguments(const struct gf_method *m)
{
    *gf_oracle.error = _gf_errno = NO_ERROR;
    const bool ours = ours_size(m) > 0, real = real_size(m) > 0;
    check_at("mult=%ld region=%ld divide=%ld args=%ld", m->mult, m->region, m->divide,
             100 * m->arg1 + m->arg2);
    CHECK_INT(ours, real);
    CHECK_INT(_gf_errno, *gf_oracle.error);
}

static void test_arguments(int w)
{
    if (check_case("arguments of w=%d", w))
        gf_each_arguments(w, compare_arguments);
}

static void test_no_w(void)
{
    static const int ws[] = {-1, 0, 33, 63, 65, 127, 129};
    if (!check_case("values of w for which there is no field"))
        return;
    for (size_t i = 0; i < sizeof ws / sizeof *ws; i++) {
        const struct gf_method m = {.w = ws[i]};
        compare_arguments(&m);
    }
}

/* --------------------------------------------------------------- polynomials -- */

static void compare_poly(int w, int mult, uint64_t poly)
{
    const struct gf_method m = {.w = w, .mult = mult, .poly = poly};
    gf_t ours, real;
    if (real_size(&m) > MOST_SCRATCH)
        return;
    *gf_oracle.error = _gf_errno = NO_ERROR;
    const int made = ours_init(&m, &ours, NULL), really = real_init(&m, &real, NULL);
    check_at("w=%ld mult=%ld poly=%#lx", w, mult, (long)poly, 0);
    CHECK_INT(made, really);
    CHECK_INT(_gf_errno, *gf_oracle.error);
    if (made && really)
        CHECK(gf_size(&ours) > 0 && ours.multiply.w32 != real.multiply.w32);
    if (made)
        gf_free(&ours, 0);
}

/* Whether the results for a polynomial can be compared.  In two cases the original fails
   without an error number.  With w=4 it has found a logarithm twice.  With the default method
   of w=64 it cannot reduce by a polynomial because of its high terms, but gf_complete/ can. */
static bool has_poly(int w, int mult, uint64_t poly)
{
    return !(w == 4 && mult == GF_MULT_LOG_TABLE) &&
           !(w == 64 && mult == GF_MULT_DEFAULT && poly >> 49 != 0);
}

static void test_polynomials(void)
{
    static const int mults[] = {GF_MULT_DEFAULT, GF_MULT_SHIFT, GF_MULT_CARRY_FREE,
                                GF_MULT_LOG_TABLE};
    static const int ws[] = {4, 8, 16, 32, 64, 128, 5, 13, 20};
    for (size_t i = 0; i < sizeof ws / sizeof *ws; i++) {
        const int w = ws[i];
        if (!check_case("polynomials of w=%d", w))
            continue;
        for (unsigned round = 0; round < check_effort(40); round++) {
            /* A polynomial may have the term x^(w+1), which is too high. */
            const uint64_t poly = (check_random() >> (w < 62 ? 62 - w : 0)) | 1;
            for (size_t j = 0; j < sizeof mults / sizeof *mults; j++)
                if (has_poly(w, mults[j], poly))
                    compare_poly(w, mults[j], poly);
        }
    }
}

/* ------------------------------------------------------------------- answers -- */

static struct gf_number call(const gf_t *gf, int w, gf_func_a_b f, struct gf_number a,
                             struct gf_number b)
{
    gf_t *const field = (gf_t *)gf;
    uint64_t m[2] = {a.high, a.low}, n[2] = {b.high, b.low}, c[2];
    if (w <= 32)
        return (struct gf_number){0, f.w32(field, (uint32_t)a.low, (uint32_t)b.low)};
    if (w == 64)
        return (struct gf_number){0, f.w64(field, a.low, b.low)};
    f.w128(field, m, n, c);
    return (struct gf_number){c[0], c[1]};
}

static void compare_elements(int w, const gf_t *ours, const gf_t *real)
{
    const struct gf_number one = {0, 1};
    for (unsigned round = 0; round < check_effort(30); round++) {
        const struct gf_number a = gf_random_element(w), b = gf_random_element(w);
        check_at("a=%#lx b=%#lx", (long)a.low, (long)b.low, 0, 0);
        CHECK(gf_number_equal(call(ours, w, ours->multiply, a, b),
                              call(real, w, real->multiply, a, b)));
        /* 1/0 has no answer that could be compared.  With some methods 0/a has none either. */
        if ((a.high | a.low) == 0 || (b.high | b.low) == 0)
            continue;
        CHECK(gf_number_equal(call(ours, w, ours->divide, a, b),
                              call(real, w, real->divide, a, b)));
        CHECK(gf_number_equal(call(ours, w, ours->divide, one, b),
                              call(real, w, real->divide, one, b)));
    }
}

#define MOST_BYTES 8192
static struct {
    _Alignas(64) uint8_t src[MOST_BYTES + 64], ours[MOST_BYTES + 64], real[MOST_BYTES + 64];
} room;

static void multiply_region(gf_t *gf, int w, uint8_t *src, uint8_t *dst, struct gf_number val,
                            size_t len, bool add)
{
    uint64_t pair[2] = {val.high, val.low};
    if (w <= 32)
        gf->multiply_region.w32(gf, src, dst, (uint32_t)val.low, (int)len, add);
    else if (w == 64)
        gf->multiply_region.w64(gf, src, dst, val.low, (int)len, add);
    else
        gf->multiply_region.w128(gf, src, dst, pair, (int)len, add);
}

/* The sizes and addresses are such that the original works: whole words, the same alignment for
   all regions, and no ALTMAP region that ends before its first block. */
static void compare_regions(const struct gf_method *m, gf_t *ours, gf_t *real)
{
    const bool packets =
        m->region == GF_REGION_CAUCHY || (m->w < 32 && m->w != 4 && m->w != 8 && m->w != 16);
    const size_t unit = packets ? (size_t)m->w : m->w < 8 ? 1 : (size_t)m->w / 8;
    const size_t step = packets || m->w < 8 ? 1 : unit;
    for (unsigned round = 0; round < check_effort(20); round++) {
        const size_t offset = check_below(32) * step % 32;
        const size_t len = 32 * unit + check_below(MOST_BYTES / 2 / unit - 32) * unit;
        const struct gf_number val = gf_random_element(m->w);
        const bool add = round & 1;
        /* The original's SPLIT 4 128 keeps the tables of its last value if one half of the
           value is the same. */
        if (m->w == 128 && (val.high == 0 || val.low == 0))
            continue;
        check_fill(&room, sizeof room);
        memcpy(room.real, room.ours, sizeof room.real);
        check_at("len=%ld offset=%ld add=%ld val=%#lx", (long)len, (long)offset, add,
                 (long)val.low);
        multiply_region(ours, m->w, room.src + offset, room.ours + offset, val, len, add);
        multiply_region(real, m->w, room.src + offset, room.real + offset, val, len, add);
        if (!CHECK_BYTES(room.ours, room.real, sizeof room.real))
            return;
    }
}

static void compare_tables(int w, gf_t *ours, gf_t *real)
{
    static uint8_t *(*const small[])(gf_t *) = {gf_w4_get_mult_table, gf_w4_get_div_table,
                                                gf_w8_get_mult_table, gf_w8_get_div_table};
    static uint16_t *(*const logs[])(gf_t *) = {
        gf_w16_get_log_table, gf_w16_get_mult_alog_table, gf_w16_get_div_alog_table};
    const size_t rows = (size_t)1 << w;
    for (int i = w / 8 * 2; w <= 8 && i < w / 8 * 2 + 2; i++) {
        const uint8_t *const mine = small[i](ours), *const its = gf_oracle.table_8[i](real);
        CHECK_INT(mine != NULL, its != NULL);
        /* Quotients by 0 are not compared. */
        for (size_t at = 0; mine && its && at < rows * rows; at++)
            if (at % rows != 0 && !CHECK_INT(mine[at], its[at]))
                return;
    }
    for (int i = 0; w == 16 && i < 3; i++) {
        const uint16_t *const mine = logs[i](ours), *const its = gf_oracle.table_16[i](real);
        CHECK_INT(mine != NULL, its != NULL);
        if (mine && its)
            CHECK_BYTES(mine + 1, its + 1, 2 * (rows - 2));
        if (mine && its && i == 2)
            CHECK_BYTES(mine - 65535, its - 65535, 2 * 65535);
    }
}

/* Whether the original's products are right.  Its GROUP is wrong for most arguments other than
   4 4 and 4 8, and for w=31 also with 4 8.  Its own test gf_unit says so. */
static bool is_right(const struct gf_method *m)
{
    return m->mult != GF_MULT_GROUP ||
           (m->arg1 == 4 && (m->arg2 == 4 || (m->arg2 == 8 && m->w != 31)));
}

static void compare_method(const struct gf_method *m)
{
    if (ours_size(m) == 0 || real_size(m) == 0 || real_size(m) > MOST_SCRATCH || !is_right(m))
        return;
    gf_t ours, real, *const base = gf_method_base(m);
    const int made = ours_init(m, &ours, base), really = real_init(m, &real, base);
    if (!CHECK_INT(made, really))
        return;
    compare_elements(m->w, &ours, &real);
    compare_regions(m, &ours, &real);
    if (m->w == 4 || m->w == 8 || m->w == 16)
        compare_tables(m->w, &ours, &real);
    gf_free(&ours, 1);
}

static void test_methods(int w)
{
    if (check_case("methods of w=%d", w))
        gf_each_arguments(w, compare_method);
}

/* ------------------------------------------------------------------- numbers -- */

static void test_random(void)
{
    uint8_t ours[103], real[103];
    if (!check_case("random numbers"))
        return;
    for (uint32_t seed = 0; seed < 5; seed++) {
        MOA_Seed(seed * 0x3a2f1b05);
        gf_oracle.seed(seed * 0x3a2f1b05);
        for (int w = 1; w <= 32; w++)
            CHECK_INT(MOA_Random_W(w, w & 1), gf_oracle.random_w(w, w & 1));
        uint64_t mine[2], its[2];
        MOA_Random_128(mine);
        gf_oracle.random_128(its);
        CHECK_BYTES(mine, its, sizeof mine);
        MOA_Fill_Random_Region(ours, sizeof ours);
        gf_oracle.fill(real, sizeof real);
        CHECK_BYTES(ours, real, sizeof ours);
    }
}

static void compare_text(gf_general_t *v, int w, int hex)
{
    char ours[40], real[40], copy[40];
    gf_general_t mine, its;
    memset(&mine, 0, sizeof mine);
    memset(&its, 0, sizeof its);
    gf_general_val_to_s(v, w, ours, hex);
    gf_oracle.val_to_s(v, w, real, hex);
    CHECK_STR(ours, real);
    /* The original cannot read a text of more than 16 digits. */
    if (strlen(ours) > 16 && w == 128)
        return;
    memcpy(copy, real, sizeof copy);
    CHECK_INT(gf_general_s_to_val(&mine, w, ours, hex), gf_oracle.s_to_val(&its, w, copy, hex));
    CHECK(gf_general_are_equal(&mine, &its, w));
}

static void test_texts(void)
{
    static const int ws[] = {1, 4, 7, 8, 16, 31, 32, 64, 128};
    if (!check_case("texts of elements"))
        return;
    for (size_t i = 0; i < sizeof ws / sizeof *ws; i++)
        for (unsigned round = 0; round < 50; round++) {
            const struct gf_number a = gf_random_element(ws[i]);
            gf_general_t v;
            memset(&v, 0, sizeof v);
            if (ws[i] <= 32)
                v.w32 = (uint32_t)a.low;
            else if (ws[i] == 64)
                v.w64 = a.low;
            else
                memcpy(v.w128, &a, sizeof a);
            check_at("w=%ld low=%#lx", ws[i], (long)a.low, 0, 0);
            compare_text(&v, ws[i], round & 1);
        }
}

/* The original looks at the CPU when it makes its first field, and has fewer methods before. */
static void look_at_cpu(void)
{
    const struct gf_method m = {.w = 4};
    gf_t gf;
    real_init(&m, &gf, NULL);
}

int main(int argc, char **argv)
{
    check_start("test_gf_oracle", argc, argv);
    if (!gf_oracle_open())
        return check_finish();
    look_at_cpu();
    gf_each_w(test_arguments);
    test_no_w();
    test_polynomials();
    gf_each_w(test_methods);
    test_random();
    test_texts();
    return check_finish();
}
