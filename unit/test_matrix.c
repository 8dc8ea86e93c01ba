/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generator matrices and the inversion of matrices, by ISA-L's functions and by matrix.h.
 */
#include "check.h"
#include "judge.h"
#include "matrix.h"
#include "reference.h"

#include "isa-l/erasure_code.h"

#include <string.h>

#define MOST 255

/* ----------------------------------------------------------- generators -- */

/* Entry j of row r in the parity part of ISA-L's two matrices, by definition. */
static uint8_t rs_entry(unsigned r, unsigned j, unsigned k)
{
    static uint8_t power_of_two[255];
    (void)k;
    if (power_of_two[0] == 0)
        for (unsigned e = 0; e < 255; e++)
            power_of_two[e] = reference_pow(2, e);
    return power_of_two[r * j % 255];
}

static uint8_t cauchy_entry(unsigned r, unsigned j, unsigned k)
{
    static uint8_t inverse[256];
    if (inverse[1] == 0)
        for (unsigned a = 0; a < 256; a++)
            inverse[a] = reference_inv((uint8_t)a);
    return inverse[(k + r) ^ j];
}

struct generator {
    const char *name;
    void (*isal)(uint8_t *a, int m, int k);
    void (*rows)(uint8_t *a, unsigned rows, unsigned k);
    uint8_t (*entry)(unsigned r, unsigned j, unsigned k);
    unsigned most_shards;
};

static const struct generator generators[] = {
    {"rs", gf_gen_rs_matrix, pxr_matrix_rs, rs_entry, 255},
    {"cauchy", gf_gen_cauchy1_matrix, pxr_matrix_cauchy, cauchy_entry, 256},
};

/* The largest matrix has 256 x 256 entries. */
static uint8_t expected[256 * 256];

static void try_generator(const struct generator *generator, struct check_guard *guard,
                          unsigned m, unsigned k)
{
    const size_t size = (size_t)m * k, identity = (size_t)k * k;
    check_at("m=%ld k=%ld", m, k, 0, 0);
    memset(expected, 0, identity);
    for (unsigned j = 0; j < k; j++)
        expected[(size_t)j * k + j] = 1;
    for (unsigned r = 0; r < m - k; r++)
        for (unsigned j = 0; j < k; j++)
            expected[identity + (size_t)r * k + j] = generator->entry(r, j, k);

    uint8_t *a = check_to_end(guard, size, 0);
    memset(a, 0xA5, size);
    generator->isal(a, (int)m, (int)k);
    CHECK_BYTES(a, expected, size);
    CHECK_UNTOUCHED(guard, a, size);

    uint8_t *rows = check_from_start(guard, size - identity, 0);
    memset(rows, 0xA5, size - identity);
    generator->rows(rows, m - k, k);
    CHECK_BYTES(rows, expected + identity, size - identity);
    CHECK_UNTOUCHED(guard, rows, size - identity);
}

static void test_generator(const struct generator *generator)
{
    struct check_guard guard = check_guard_new(sizeof expected);
    if (check_case("gf_gen_%s matrix", generator->name)) {
        for (unsigned m = 1; m <= 24; m++)
            for (unsigned k = 1; k <= m; k++)
                try_generator(generator, &guard, m, k);
        for (unsigned k = 1; k <= MOST; k++)
            try_generator(generator, &guard, MOST, k);
        try_generator(generator, &guard, generator->most_shards, 200);
        try_generator(generator, &guard, generator->most_shards, generator->most_shards);
    }
    check_guard_free(&guard);
}

/* ------------------------------------------------------------ inversion -- */

static uint8_t original[MOST * MOST], product[MOST * MOST];

/* Whether elimination with the judge's products finds no pivot for some column. */
static bool is_singular(unsigned n, const uint8_t *matrix)
{
    static uint8_t a[MOST * MOST];
    memcpy(a, matrix, (size_t)n * n);
    for (unsigned column = 0; column < n; column++) {
        unsigned pivot = column;
        while (pivot < n && a[(size_t)pivot * n + column] == 0)
            pivot++;
        if (pivot == n)
            return true;
        for (unsigned j = 0; j < n && pivot != column; j++) {
            uint8_t swapped = a[(size_t)pivot * n + j];
            a[(size_t)pivot * n + j] = a[(size_t)column * n + j];
            a[(size_t)column * n + j] = swapped;
        }
        const uint8_t scale = reference_inv(a[(size_t)column * n + column]);
        for (unsigned row = column + 1; row < n; row++) {
            const uint8_t factor = judge_mul(a[(size_t)row * n + column], scale);
            for (unsigned j = column; j < n && factor != 0; j++)
                a[(size_t)row * n + j] ^= judge_mul(factor, a[(size_t)column * n + j]);
        }
    }
    return false;
}

/* Inverts a matrix while both matrices lie at guard pages, and checks the return value and the
   inverse. */
static void try_inversion(unsigned n, const uint8_t *matrix, struct check_guard guards[2],
                          bool at_end)
{
    const size_t size = (size_t)n * n;
    uint8_t *in = at_end ? check_to_end(&guards[0], size, 0)
                         : check_from_start(&guards[0], size, check_below(64));
    uint8_t *out = at_end ? check_to_end(&guards[1], size, 0)
                          : check_from_start(&guards[1], size, check_below(64));
    memcpy(in, matrix, size);
    memset(out, 0xA5, size);
    const int result = gf_invert_matrix(in, out, (int)n);
    CHECK_INT(result, is_singular(n, matrix) ? -1 : 0);
    CHECK_UNTOUCHED(&guards[0], in, size);
    CHECK_UNTOUCHED(&guards[1], out, size);
    if (result != 0)
        return;
    judge_matrix_product(n, matrix, out, product);
    CHECK(judge_identity(n, product));
    judge_matrix_product(n, out, matrix, product);
    CHECK(judge_identity(n, product));
}

typedef void make_fn(unsigned n, uint8_t *a);

static void make_random(unsigned n, uint8_t *a)
{
    check_fill(a, (size_t)n * n);
}

/* Half of the entries are zero, so pivots are often missing. */
static void make_sparse(unsigned n, uint8_t *a)
{
    check_fill(a, (size_t)n * n);
    for (size_t i = 0; i < (size_t)n * n; i++)
        if (check_random() & 1)
            a[i] = 0;
}

/* The diagonal is zero, so no entry of it can be the first pivot. */
static void make_zero_diagonal(unsigned n, uint8_t *a)
{
    check_fill(a, (size_t)n * n);
    for (unsigned i = 0; i < n; i++)
        a[(size_t)i * n + i] = 0;
}

static void make_identity(unsigned n, uint8_t *a)
{
    memset(a, 0, (size_t)n * n);
    for (unsigned i = 0; i < n; i++)
        a[(size_t)i * n + i] = 1;
}

/* One entry in each row and in each column, in a random order. */
static void make_permutation(unsigned n, uint8_t *a)
{
    uint8_t order[MOST];
    for (unsigned i = 0; i < n; i++)
        order[i] = (uint8_t)i;
    for (unsigned i = n; i > 1; i--) {
        const size_t other = check_below(i);
        const uint8_t swapped = order[i - 1];
        order[i - 1] = order[other];
        order[other] = swapped;
    }
    memset(a, 0, (size_t)n * n);
    for (unsigned i = 0; i < n; i++)
        a[(size_t)i * n + order[i]] = (uint8_t)(1 + check_below(255));
}

/* A unit matrix in which rows of the Cauchy matrix replace some rows.  Decoders invert such
   matrices. */
static void make_decoding(unsigned n, uint8_t *a)
{
    make_identity(n, a);
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n && i % 3 == 0 && n <= 128; j++)
            a[(size_t)i * n + j] = cauchy_entry(i, j, n);
}

/* One row is a combination of two others. */
static void make_dependent_rows(unsigned n, uint8_t *a)
{
    check_fill(a, (size_t)n * n);
    const size_t victim = check_below(n), one = (victim + 1) % n, two = (victim + n - 1) % n;
    for (unsigned j = 0; j < n; j++)
        a[victim * n + j] = n == 1 ? 0 : judge_mul(3, a[one * n + j]);
    for (unsigned j = 0; j < n && two != one && two != victim; j++)
        a[victim * n + j] ^= judge_mul(0x9d, a[two * n + j]);
}

/* One column is a multiple of another. */
static void make_dependent_columns(unsigned n, uint8_t *a)
{
    check_fill(a, (size_t)n * n);
    const size_t victim = check_below(n), other = (victim + 1) % n;
    for (size_t i = 0; i < n; i++)
        a[i * n + victim] = n == 1 ? 0 : judge_mul(0x1b, a[i * n + other]);
}

static void make_zero(unsigned n, uint8_t *a)
{
    memset(a, 0, (size_t)n * n);
}

static const struct {
    const char *name;
    make_fn *make;
} makers[] = {
    {"random", make_random},
    {"sparse", make_sparse},
    {"zero diagonal", make_zero_diagonal},
    {"identity", make_identity},
    {"permutation", make_permutation},
    {"decoding", make_decoding},
    {"dependent rows", make_dependent_rows},
    {"dependent columns", make_dependent_columns},
    {"zero", make_zero},
};

static void test_inversion(make_fn *make)
{
    struct check_guard guards[2] = {check_guard_new(sizeof original),
                                    check_guard_new(sizeof original)};
    for (unsigned n = 1; n <= 64; n++)
        for (unsigned round = 0; round < check_effort(4); round++) {
            check_at("n=%ld", n, 0, 0, 0);
            make(n, original);
            try_inversion(n, original, guards, (n + round) & 1);
        }
    static const unsigned large[] = {100, 127, 128, 129, 200, 254, 255};
    const unsigned count = sizeof large / sizeof *large;
    const size_t first = check_below(count);
    for (unsigned i = 0; i < check_effort(count); i++) {
        const unsigned n = large[(first + i) % count];
        check_at("n=%ld", n, 0, 0, 0);
        make(n, original);
        try_inversion(n, original, guards, i & 1);
    }
    check_guard_free(&guards[0]);
    check_guard_free(&guards[1]);
}

/* Every 2 x 2 matrix of a few values and every 1 x 1 matrix, singular or not. */
static void test_small_inversions(void)
{
    static const uint8_t values[] = {0, 1, 2, 3, 0x1d, 0x8e, 0xff};
    const unsigned count = sizeof values;
    struct check_guard guards[2] = {check_guard_new(64), check_guard_new(64)};
    if (check_case("gf_invert_matrix, small matrices")) {
        for (unsigned i = 0; i < count * count * count * count; i++) {
            const uint8_t a[4] = {values[i % count], values[i / count % count],
                                  values[i / count / count % count],
                                  values[i / count / count / count]};
            check_at("%ld %ld / %ld %ld", a[0], a[1], a[2], a[3]);
            try_inversion(2, a, guards, i & 1);
        }
        for (unsigned a = 0; a < 256; a++) {
            const uint8_t one = (uint8_t)a;
            check_at("%ld", a, 0, 0, 0);
            try_inversion(1, &one, guards, a & 1);
        }
    }
    check_guard_free(&guards[0]);
    check_guard_free(&guards[1]);
}

static void test_nothing_to_invert(void)
{
    if (!check_case("gf_invert_matrix n=0"))
        return;
    uint8_t in[1] = {1}, out[1] = {0xA5};
    CHECK_INT(gf_invert_matrix(in, out, 0), 0);
    CHECK_INT(out[0], 0xA5);
    CHECK(pxr_matrix_invert(in, out, 0));
    CHECK_INT(out[0], 0xA5);
}

int main(int argc, char **argv)
{
    check_start("test_matrix", argc, argv);
    judge_start();
    check_forced_kernels();
    for (size_t i = 0; i < sizeof generators / sizeof *generators; i++)
        test_generator(&generators[i]);
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (check_case("gf_invert_matrix %s", makers[i].name))
            test_inversion(makers[i].make);
    test_small_inversions();
    test_nothing_to_invert();
    return check_finish();
}
