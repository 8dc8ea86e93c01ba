/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gf_complete/ on single elements: every method of every w is compared with bitwise arithmetic.
 */
#include "check.h"
#include "gf_general.h"
#include "gf_methods.h"
#include "gf_reference.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ elements -- */

static gf_general_t general_of(int w, struct gf_number a)
{
    gf_general_t v;
    memset(&v, 0, sizeof v);
    if (w <= 32)
        v.w32 = (uint32_t)a.low;
    else if (w == 64)
        v.w64 = a.low;
    else {
        v.w128[0] = a.high;
        v.w128[1] = a.low;
    }
    return v;
}

static struct gf_number number_of(int w, const gf_general_t *v)
{
    if (w <= 32)
        return (struct gf_number){0, v->w32};
    return w == 64 ? (struct gf_number){0, v->w64} : (struct gf_number){v->w128[0], v->w128[1]};
}

static struct gf_number multiply(gf_t *gf, int w, struct gf_number a, struct gf_number b)
{
    gf_general_t m = general_of(w, a), n = general_of(w, b), product;
    gf_general_multiply(gf, &m, &n, &product);
    return number_of(w, &product);
}

static struct gf_number divide(gf_t *gf, int w, struct gf_number a, struct gf_number b)
{
    gf_general_t m = general_of(w, a), n = general_of(w, b), quotient;
    gf_general_divide(gf, &m, &n, &quotient);
    return number_of(w, &quotient);
}

static struct gf_number inverse(gf_t *gf, int w, struct gf_number a)
{
    gf_general_t m = general_of(w, a), n;
    gf_general_inverse(gf, &m, &n);
    return number_of(w, &n);
}

static bool is_zero(struct gf_number a)
{
    return a.high == 0 && a.low == 0;
}

/* ------------------------------------------------------------------- products -- */

static void check_pair(gf_t *gf, const struct gf_field *f, struct gf_number a,
                       struct gf_number b)
{
    const struct gf_number one = {0, 1}, zero = {0, 0};
    const struct gf_number product = multiply(gf, f->w, a, b);
    check_at("a=%#lx b=%#lx (low words)", (long)a.low, (long)b.low, 0, 0);
    CHECK(gf_number_equal(product, gf_reference_product(f, a, b)));
    if (is_zero(b)) {
        CHECK(is_zero(inverse(gf, f->w, b)));
        CHECK(is_zero(divide(gf, f->w, a, b)));
        return;
    }
    CHECK(gf_number_equal(divide(gf, f->w, product, b), a));
    CHECK(gf_number_equal(divide(gf, f->w, zero, b), zero));
    CHECK(gf_number_equal(gf_reference_product(f, inverse(gf, f->w, b), b), one));
}

static void check_field(gf_t *gf, const struct gf_field *f, unsigned rounds)
{
    if (f->w <= 4) {
        for (uint64_t i = 0; i < UINT64_C(1) << 2 * f->w; i++)
            check_pair(gf, f, (struct gf_number){0, i >> f->w},
                       (struct gf_number){0, i & ((1u << f->w) - 1)});
        return;
    }
    for (unsigned round = 0; round < rounds; round++)
        check_pair(gf, f, gf_random_element(f->w), gf_random_element(f->w));
}

static void check_method(const struct gf_method *m, gf_t *gf)
{
    const bool pairs = m->mult == GF_MULT_COMPOSITE;
    check_field(gf, pairs ? gf_default_pairs(m->w) : gf_default_field(m->w), check_effort(20));
}

static void test_methods(int w)
{
    if (check_case("all methods of w=%d", w))
        gf_each_method(w, check_method);
}

static void test_default(int w)
{
    gf_t gf;
    if (!check_case("default field of w=%d", w))
        return;
    if (CHECK_INT(gf_init_easy(&gf, w), 1)) {
        check_field(&gf, gf_default_field(w), check_effort(2000));
        CHECK_INT(gf_free(&gf, 0), 0);
    }
}

/* ---------------------------------------------------------- other polynomials -- */

/* With any polynomial, also a reducible one, the products are right.  If an element has no
   inverse, the library returns 0.  Any other result must be the inverse. */
static void check_polynomial(int w, uint64_t poly)
{
    const struct gf_field f = {w, poly, NULL};
    const struct gf_number one = {0, 1};
    const uint64_t leading = w < 32 ? UINT64_C(1) << w : 0;
    gf_t gf;
    if (!CHECK_INT(gf_init_hard(&gf, w, GF_MULT_SHIFT, 0, 0, poly | leading, 0, 0, NULL, NULL),
                   1))
        return;
    for (unsigned round = 0; round < check_effort(20); round++) {
        const struct gf_number a = gf_random_element(w), b = gf_random_element(w);
        check_at("w=%ld poly=%#lx a=%#lx b=%#lx", w, (long)poly, (long)a.low, (long)b.low);
        CHECK(gf_number_equal(multiply(&gf, w, a, b), gf_reference_product(&f, a, b)));
        const struct gf_number inverted = inverse(&gf, w, a);
        if (!is_zero(inverted))
            CHECK(gf_number_equal(gf_reference_product(&f, a, inverted), one));
        CHECK(gf_number_equal(divide(&gf, w, b, a), gf_reference_product(&f, b, inverted)));
    }
    gf_free(&gf, 0);
}

static void test_polynomials(int w)
{
    const uint64_t mask = w >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << w) - 1;
    if (!check_case("polynomials of w=%d", w))
        return;
    for (unsigned round = 0; round < check_effort(40); round++)
        check_polynomial(w, (check_random() & mask) | (round == 0));
    check_polynomial(w, mask);
}

/* A field has logarithms if and only if x is a unit of order 2^w - 1. */
static void test_logarithms(void)
{
    if (!check_case("polynomials with logarithms"))
        return;
    for (unsigned poly = 1; poly < 256; poly++) {
        const struct gf_field f = {8, poly, NULL};
        struct gf_number power = {0, 2};
        int order = 1;
        for (; order < 256 && !(power.high == 0 && power.low == 1); order++)
            power = gf_reference_product(&f, power, (struct gf_number){0, 2});
        gf_t gf;
        const int made =
            gf_init_hard(&gf, 8, GF_MULT_LOG_TABLE, 0, 0, poly | 0x100, 0, 0, NULL, NULL);
        check_at("poly=%#lx", (long)poly, 0, 0, 0);
        CHECK_INT(made, order == 255);
        if (made)
            gf_free(&gf, 0);
    }
}

/* ----------------------------------------------------------------------- bits -- */

/* The bits of an argument above bit w-1 make no difference. */
static void test_stray_bits(void)
{
    if (!check_case("bits above w"))
        return;
    for (int w = 1; w < 32; w++) {
        gf_t gf;
        const uint32_t stray = UINT32_MAX << w;
        CHECK_INT(gf_init_easy(&gf, w), 1);
        for (unsigned round = 0; round < 20; round++) {
            const uint32_t a = (uint32_t)gf_random_element(w).low;
            const uint32_t b = (uint32_t)gf_random_element(w).low;
            check_at("w=%ld a=%#lx b=%#lx", w, a, b, 0);
            CHECK_INT(gf.multiply.w32(&gf, a | stray, b | stray), gf.multiply.w32(&gf, a, b));
            CHECK_INT(gf.divide.w32(&gf, a | stray, b | stray), gf.divide.w32(&gf, a, b));
            CHECK_INT(gf.inverse.w32(&gf, a | stray), gf.inverse.w32(&gf, a));
        }
        gf_free(&gf, 0);
    }
}

/* -------------------------------------------------------------------- towers -- */

/* Composite fields over composite fields take the default s of their bases, and every element
   but 0 has an inverse. */
static void test_towers(void)
{
    if (!check_case("COMPOSITE over COMPOSITE"))
        return;
    for (int lowest = 4; lowest <= 32; lowest *= 2) {
        gf_t level[6];
        int w = lowest, top = 0;
        CHECK_INT(gf_init_easy(&level[0], w), 1);
        while (w < 128 && gf_init_hard(&level[top + 1], 2 * w, GF_MULT_COMPOSITE, 0, 0, 0, 2, 0,
                                       &level[top], NULL)) {
            top++;
            w *= 2;
            check_at("w=%ld from %ld", w, lowest, 0, 0);
            for (unsigned round = 0; round < 20; round++) {
                const struct gf_number a = gf_random_element(w);
                const struct gf_number b =
                    multiply(&level[top], w, a, inverse(&level[top], w, a));
                CHECK(is_zero(a) ? is_zero(b) : b.high == 0 && b.low == 1);
            }
        }
        /* There is no default s over pairs of nibbles.  The other towers end at w=128. */
        CHECK_INT(w, lowest == 4 ? 8 : 128);
        while (top >= 0)
            gf_free(&level[top--], 0);
    }
}

int main(int argc, char **argv)
{
    check_start("test_gf_fields", argc, argv);
    gf_each_w(test_default);
    gf_each_w(test_methods);
    gf_each_w(test_polynomials);
    test_logarithms();
    test_stray_bits();
    test_towers();
    return check_finish();
}
