/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables of ISA-L's Cauchy matrix: those that are, and those that differ from it in one
 * coefficient; codes that are met for the first time, that are known, and that are more than
 * can be kept; and threads that meet the same codes.  Bitwise multiplication tells what is
 * right.
 */
#include "cauchy_tables.h"

#include <pthread.h>
#include <string.h>

#include "check.h"
#include "encode.h"
#include "judge.h"
#include "permxor.h"
#include "registry.h"

enum { MOST_SOURCES = 36, MOST_OUTPUTS = 36, MOST_BYTES = 2700, THREADS = 4 };

struct stripe {
    unsigned k, count;
    size_t len;
    uint8_t coefficients[MOST_OUTPUTS * MOST_SOURCES];
    uint8_t tables[PXR_TABLE * MOST_OUTPUTS * MOST_SOURCES];
    uint8_t *src[MOST_SOURCES], *dst[MOST_OUTPUTS];
    uint8_t expected[MOST_OUTPUTS][MOST_BYTES];
    uint8_t bytes[MOST_SOURCES + MOST_OUTPUTS][MOST_BYTES];
};
static struct stripe stripes[THREADS];

/* The definition, with points k + r and j. */
static void set_cauchy(struct stripe *s, unsigned k, unsigned count)
{
    s->k = k;
    s->count = count;
    for (unsigned r = 0; r < count; r++)
        for (unsigned j = 0; j < k; j++) {
            uint8_t inverse = 1;
            while (judge_mul(inverse, (uint8_t)((k + r) ^ j)) != 1)
                inverse++;
            s->coefficients[r * k + j] = inverse;
        }
}

/* Fills the sources, and computes what the outputs must be.  With in_place, one or two outputs
   are sources. */
static void fill(struct stripe *s, size_t len, bool in_place)
{
    s->len = len;
    judge_tables((size_t)s->k * s->count, s->coefficients, s->tables);
    for (unsigned j = 0; j < s->k; j++) {
        s->src[j] = s->bytes[j] + check_below(64);
        check_fill(s->src[j], len);
    }
    for (unsigned r = 0; r < s->count; r++) {
        s->dst[r] = s->bytes[MOST_SOURCES + r] + check_below(64);
        memset(s->expected[r], 0, len);
        judge_dot(len, s->k, s->coefficients + r * s->k, (const uint8_t *const *)s->src,
                  s->expected[r]);
    }
    if (in_place) {
        s->dst[0] = s->src[check_below(s->k)];
        s->dst[s->count - 1] = s->dst[0] == s->src[0] ? s->src[s->k - 1] : s->src[0];
    }
}

static void check_stripe(const struct pxr_kernels *set, struct stripe *s)
{
    check_at("k=%ld count=%ld len=%ld", s->k, s->count, (long)s->len, 0);
    pxr_encode_tables(set, s->len, s->k, s->count, s->tables, (const uint8_t *const *)s->src,
                      s->dst);
    for (unsigned r = 0; r < s->count; r++)
        CHECK_BYTES(s->dst[r], s->expected[r], s->len);
}

/* Brief calls, longer ones, and whole blocks. */
static size_t some_length(void)
{
    const size_t len = 200 + check_below(2300);
    return check_below(4) ? len : len / 256 * 256 + 256;
}

/* ------------------------------------------------------------------ cases -- */

static bool is_known(const struct pxr_kernels *set, unsigned k, unsigned count)
{
    return pxr_cauchy_known(set, k, count) != NULL;
}

/* Without structure, by a pass of each kind, and by steps.  They are so few that all sets can
   keep theirs. */
static const struct {
    unsigned k, count;
} codes[] = {{9, 4}, {4, 4}, {10, 4}, {12, 6}, {8, 8}, {9, 7}, {16, 16}, {8, 24}};
enum { CODES = sizeof codes / sizeof *codes };

/* Each code is met several times. */
static void test_right(const struct pxr_kernels *set)
{
    struct stripe *const s = &stripes[0];
    if (!check_case("%s: tables of the matrix", set->name))
        return;
    for (unsigned i = 0; i < CODES; i++) {
        set_cauchy(s, codes[i].k, codes[i].count);
        for (unsigned call = 0; call < 1 + check_effort(20); call++) {
            fill(s, call == 0 ? 1024 : some_length(), call % 3 == 2);
            check_stripe(set, s);
        }
    }
}

/* Another coefficient at any place.  `known` says whether the codes are known. */
static void test_other(const struct pxr_kernels *set, bool known)
{
    struct stripe *const s = &stripes[0];
    if (!check_case("%s: one coefficient is not of the %s code", set->name,
                    known ? "known" : "new"))
        return;
    for (unsigned call = 0; call < check_effort(160); call++) {
        const unsigned i = call % CODES;
        set_cauchy(s, codes[i].k, codes[i].count);
        s->coefficients[check_below((size_t)s->k * s->count)] ^=
            (uint8_t)(1 + check_below(255));
        fill(s, some_length(), false);
        check_stripe(set, s);
    }
    CHECK_INT(is_known(set, 10, 4), known);
}

static void test_many(void)
{
    const struct pxr_kernels *const set = pxr_kernels();
    struct stripe *const s = &stripes[0];
    unsigned known = 0, all = 0;
    if (!check_case("more codes than are kept"))
        return;
    for (unsigned k = 8; k < MOST_SOURCES; k += 2)
        for (unsigned count = 5; count < 20; count++, all++) {
            set_cauchy(s, k, count);
            fill(s, 512, false);
            check_stripe(set, s);
            known += is_known(set, k, count);
        }
    CHECK(known < all);
}

static void *meet_codes(void *stripe)
{
    for (unsigned k = 8; k < 12; k++)
        for (unsigned count = 5; count < 9; count++) {
            set_cauchy(stripe, k, count);
            fill(stripe, 512 + check_below(300), false);
            check_stripe(&pxr_kernels_base, stripe);
        }
    return NULL;
}

static void test_threads(void)
{
    pthread_t threads[THREADS];
    if (!check_case("threads meet the same codes"))
        return;
    CHECK(!is_known(&pxr_kernels_base, 8, 5));
    for (unsigned i = 0; i < THREADS; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, meet_codes, &stripes[i]), 0);
    for (unsigned i = 0; i < THREADS; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    CHECK(is_known(&pxr_kernels_base, 8, 5));
    CHECK(is_known(&pxr_kernels_base, 11, 8));
}

static void test_each_set(const struct pxr_kernels *set)
{
    test_other(set, false);
    test_right(set);
    test_other(set, true);
}

int main(int argc, char **argv)
{
    check_start("test_cauchy_tables", argc, argv);
    judge_start();
    test_threads();
    check_each_kernel_set(test_each_set);
    test_many();
    return check_finish();
}
