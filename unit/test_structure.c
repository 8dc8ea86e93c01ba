/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structured encoding.  Its constants are compared with their definitions.  Its passes, with
 * every kernel set and of every shape, are compared with dot products by bitwise
 * multiplication.  Other cases test which matrices are found to have structure.
 */
#include "structure.h"

#include <string.h>

#include "check.h"
#include "encode.h"
#include "gf256.h"
#include "isal.h"
#include "judge.h"
#include "wide.h"
#include "permxor.h"

/* The first line is for a pass, and the second one for a code. */
enum { MOST_SOURCES = 40, MOST_OUTPUTS = 16, MOST_CONSTANTS = 1024 };
enum { MOST_SHARDS = PXR_MAX_SHARDS, MOST_BYTES = 5000 };

/* -------------------------------------------------------------- constants -- */

/* The product of x + v over all v below 2^levels.  If x is 0, it leaves out v = 0. */
static uint8_t product_of(unsigned levels, uint8_t x)
{
    uint8_t product = 1;
    for (unsigned v = x == 0; v < 1u << levels; v++)
        product = judge_mul(product, (uint8_t)(x ^ v));
    return product;
}

static void test_twiddles(void)
{
    for (unsigned levels = 0; levels <= PXR_MAX_LEVELS; levels++)
        if (check_case("twiddles of level %u", levels))
            for (unsigned x = 0; x < 256; x++) {
                const uint8_t unit = product_of(levels, (uint8_t)(1u << levels));
                const bool zero = x < 1u << levels; /* one of the factors is zero */
                CHECK_INT(judge_mul(pxr_twiddle[levels][x], unit),
                          zero ? 0 : product_of(levels, (uint8_t)x));
            }
}

/* ----------------------------------------------------------------- passes -- */

/* The matrix of a structure, and the constants by which it is computed. */
struct matrix {
    struct pxr_structure structure;
    unsigned k, row;
    uint8_t coefficients[MOST_OUTPUTS * MOST_SOURCES];
    uint8_t constants[MOST_CONSTANTS];
    _Alignas(8) uint8_t form[MOST_CONSTANTS * PXR_TABLE];
};

/* Fills in random coefficients for direct sources, and coefficients of the structure's form for
   the others.  Each group and coset has a w of its own, which is hardly ever zero. */
static void fill_matrix(struct matrix *m)
{
    const struct pxr_structure *s = &m->structure;
    const unsigned grouped = (unsigned)s->shape.groups << s->levels;
    uint8_t w[MOST_SOURCES][PXR_MAX_COSETS];
    check_fill(w, sizeof w);
    for (unsigned r = 0; r < s->shape.count; r++)
        for (unsigned j = 0; j < m->k; j++) {
            const unsigned coset = (s->shape.first + r) >> s->levels;
            const uint8_t apart = (uint8_t)((m->k + m->row + r) ^ j);
            m->coefficients[r * m->k + j] =
                j < grouped ? judge_mul(w[j >> s->levels][coset], pxr_inverse[apart])
                            : (uint8_t)check_random();
        }
}

static void expand_constants(struct matrix *m, enum pxr_form form)
{
    const size_t n = pxr_structure_constants(&m->structure);
    CHECK(n <= MOST_CONSTANTS);
    if (form == PXR_MATRICES)
        judge_matrices(n, m->constants, m->form);
    else
        judge_tables(n, m->constants, m->form);
}

/* Makes a structure of so many levels and cosets.  Everything else is random. */
static void make_matrix(struct matrix *m, unsigned levels, unsigned cosets, enum pxr_form form)
{
    const unsigned size = 1u << levels, most = MOST_SOURCES / size;
    struct pxr_structure *s = &m->structure;
    *s = (struct pxr_structure){.levels = levels, .cosets = cosets};
    s->shape.groups = (uint16_t)(1 + check_below(most < 6 ? most : 6));
    s->shape.direct = (uint16_t)check_below(MOST_SOURCES - s->shape.groups * size + 1);
    if (check_below(2))
        s->shape.direct = 0;
    m->k = s->shape.groups * size + s->shape.direct;
    m->row = (unsigned)check_below(100);
    s->shape.first = (uint16_t)((m->k + m->row) % size);
    const unsigned most_rows = cosets * size - s->shape.first;
    const unsigned least_rows = most_rows > size ? most_rows - size + 1 : 1;
    s->shape.count = (uint16_t)(least_rows + check_below(most_rows - least_rows + 1));
    fill_matrix(m);
    pxr_structure_fill(s, m->k, m->row, m->coefficients, m->constants);
    expand_constants(m, form);
}

/* The buffers of all passes. */
static struct {
    struct check_guard sources[MOST_SHARDS], outputs[MOST_SHARDS];
    uint8_t *src[MOST_SHARDS], *dst[MOST_SHARDS];
    uint8_t before[MOST_SHARDS][MOST_BYTES], expected[MOST_SHARDS][MOST_BYTES];
} room;

static void place(unsigned k, unsigned count, size_t len, bool in_place)
{
    for (unsigned j = 0; j < k; j++) {
        room.src[j] = check_place(&room.sources[j], len, CHECK_ANYWHERE);
        check_fill(room.src[j], len);
        memcpy(room.before[j], room.src[j], len);
    }
    for (unsigned r = 0; r < count; r++) {
        room.dst[r] = in_place && r < k
                          ? room.src[k - 1 - r]
                          : check_place(&room.outputs[r], len, (enum check_placement)(r % 3));
        memcpy(room.expected[r], room.dst[r], len);
    }
}

/* Computes what the first `done` bytes of the outputs must be. */
static void judge_rows(unsigned k, unsigned count, const uint8_t *coefficients, size_t done)
{
    const uint8_t *before[MOST_SHARDS];
    for (unsigned j = 0; j < k; j++)
        before[j] = room.before[j];
    for (unsigned r = 0; r < count; r++) {
        memset(room.expected[r], 0, done);
        judge_dot(done, k, coefficients + (size_t)r * k, before, room.expected[r]);
    }
}

static size_t run(const struct pxr_kernels *set, const struct matrix *m, size_t len,
                  uint32_t flags)
{
    const struct pxr_structure *s = &m->structure;
    return set->structured[s->levels][s->cosets](
        len, s->shape, m->form, (const uint8_t *const *)room.src, room.dst, flags);
}

static uint32_t some_flags(void)
{
    const uint32_t ahead =
        PXR_AHEAD_SOURCES(check_below(9)) | PXR_AHEAD_OUTPUTS(check_below(5));
    const uint32_t all = PXR_STREAM | PXR_DOWNWARDS | PXR_SMALL_BLOCKS | PXR_AHEAD_L2 | ahead;
    return check_below(2) ? 0 : (uint32_t)check_random() & all;
}

/* A pass must write whole blocks from the beginning, and nothing behind them. */
static void check_pass(const struct pxr_kernels *set, struct matrix *m, size_t len)
{
    const unsigned count = m->structure.shape.count;
    place(m->k, count, len, check_below(4) == 0);
    const size_t done = run(set, m, len, some_flags());
    CHECK(done <= len && len - done < set->step);
    judge_rows(m->k, count, m->coefficients, done);
    for (unsigned r = 0; r < count; r++)
        CHECK_BYTES(room.dst[r], room.expected[r], len);
    for (unsigned r = m->k; r < count; r++)
        CHECK_UNTOUCHED(&room.outputs[r], room.dst[r], len);
}

/* Whether all lanes are outputs, and no group is multiplied by zero. */
static bool all_count(const struct matrix *m)
{
    const struct pxr_structure *s = &m->structure;
    for (unsigned j = 0; j < (unsigned)s->shape.groups << s->levels; j++)
        for (unsigned r = 0; r < s->shape.count; r++)
            if (m->coefficients[r * m->k + j] == 0)
                return false;
    return s->shape.count == s->cosets << s->levels;
}

/* Then every constant matters: a changed one must give other bytes. */
static void check_mutants(const struct pxr_kernels *set, struct matrix *m)
{
    const unsigned size = 1u << m->structure.levels, lanes = size * m->structure.cosets;
    const size_t n = pxr_structure_constants(&m->structure);
    const size_t len = set->step;
    for (size_t i = 0; i < n; i++) {
        const bool unread = i < size - 1 && m->constants[i] == 0; /* in the first group */
        place(m->k, lanes, len, false);
        m->constants[i] ^= (uint8_t)(1 + check_below(255));
        expand_constants(m, set->form);
        const size_t done = run(set, m, len, 0);
        judge_rows(m->k, lanes, m->coefficients, done);
        bool differs = false;
        for (unsigned r = 0; r < lanes; r++)
            differs |= memcmp(room.dst[r], room.expected[r], done) != 0;
        CHECK(differs || unread);
        pxr_structure_fill(&m->structure, m->k, m->row, m->coefficients, m->constants);
    }
}

static void test_set(const struct pxr_kernels *set)
{
    static struct matrix m;
    for (unsigned levels = 1; levels <= PXR_PASS_LEVELS; levels++)
        for (unsigned cosets = PXR_LEAST_COSETS_OF(levels);
             cosets <= PXR_MOST_COSETS_OF(levels); cosets++) {
            if (!check_case("%s: %u levels, %u cosets", set->name, levels, cosets))
                continue;
            for (unsigned round = 0; round < check_effort(60); round++) {
                make_matrix(&m, levels, cosets, set->form);
                check_at("groups=%ld direct=%ld first=%ld count=%ld", m.structure.shape.groups,
                         m.structure.shape.direct, m.structure.shape.first,
                         m.structure.shape.count);
                check_pass(set, &m, check_below(round % 8 ? 4 * set->step : MOST_BYTES));
            }
            do
                make_matrix(&m, levels, cosets, set->form);
            while (!all_count(&m));
            check_mutants(set, &m);
        }
}

/* ---------------------------------------------------- separate transforms -- */

/* A 32 by 32 matrix with random scales.  `shared` of its outputs lie in a coset of sources. */
enum { WIDE = 32 };
static struct {
    struct pxr_wide_matrix matrix;
    struct pxr_wide wide;
    uint16_t points[2][WIDE];
    uint8_t coefficients[WIDE * WIDE];
    uint8_t constants[PXR_MOST_WIDE_CONSTANTS];
    _Alignas(8) uint8_t forms[PXR_FORMS][PXR_MOST_WIDE_CONSTANTS * PXR_TABLE];
} wide;

static void make_wide(unsigned shared)
{
    uint8_t a[WIDE], b[WIDE];
    for (unsigned i = 0; i < WIDE; i++) {
        wide.points[0][i] = (uint16_t)(64 + i);
        wide.points[1][i] = (uint16_t)(i < shared ? 64 + WIDE + i : 128 + i);
        a[i] = (uint8_t)(1 + check_below(255));
        b[i] = (uint8_t)(1 + check_below(255));
    }
    for (unsigned i = 0; i < shared; i++) /* sources that move into this coset */
        wide.points[0][WIDE - 1 - i] = (uint16_t)(64 + WIDE + 7 - i);
    for (unsigned r = 0; r < WIDE; r++)
        for (unsigned j = 0; j < WIDE; j++)
            wide.coefficients[r * WIDE + j] = judge_mul(
                judge_mul(a[j], b[r]), pxr_inverse[wide.points[0][j] ^ wide.points[1][r]]);
    wide.matrix =
        (struct pxr_wide_matrix){WIDE, WIDE, wide.coefficients, wide.points[0], wide.points[1]};
}

static void expand_wide(void)
{
    const size_t n = pxr_wide_constants(&wide.wide);
    CHECK(n <= PXR_MOST_WIDE_CONSTANTS);
    judge_tables(n, wide.constants, wide.forms[PXR_TABLES]);
    judge_matrices(n, wide.constants, wide.forms[PXR_MATRICES]);
    for (unsigned form = 0; form < PXR_FORMS; form++)
        wide.wide.constants[form] = wide.forms[form];
}

static bool is_wide_right(const struct pxr_kernels *set, size_t len)
{
    bool right = true;
    place(WIDE, WIDE, len, false);
    pxr_wide_encode(set, len, &wide.wide, (const uint8_t *const *)room.src, room.dst);
    judge_rows(WIDE, WIDE, wide.coefficients, len);
    for (unsigned r = 0; r < WIDE; r++)
        right &= memcmp(room.dst[r], room.expected[r], len) == 0;
    return right;
}

/* The bytes must be right, and they must be wrong with any other constant.  If cosets are
   shared, only the constants of these are changed, because some lanes stay empty. */
static void test_wide(const struct pxr_kernels *set, unsigned shared)
{
    if (!check_case("%s: scaled matrix, %u outputs among sources", set->name, shared))
        return;
    make_wide(shared);
    pxr_wide_find(&wide.matrix, set->transform_levels, &wide.wide);
    if (!CHECK(wide.wide.levels > 0) ||
        !CHECK(wide.wide.scale_sources && wide.wide.scale_outputs))
        return;
    pxr_wide_fill(&wide.wide, &wide.matrix, wide.constants);
    expand_wide();
    for (unsigned round = 0; round < check_effort(20); round++)
        CHECK(is_wide_right(set, 1 + check_below(3000)));
    const size_t n = pxr_wide_constants(&wide.wide);
    CHECK_INT(wide.wide.direct > 0, shared > 0);
    for (size_t i = shared ? n - wide.wide.direct : 0; i < n; i++) {
        const uint8_t right = wide.constants[i];
        wide.constants[i] ^= (uint8_t)(1 + check_below(255));
        expand_wide();
        CHECK(!is_wide_right(set, 64));
        wide.constants[i] = right;
    }
}

/* ------------------------------------------------------------------ codes -- */

/* Checks pxr_encode() and ISA-L's call, with the same matrix. */
static void check_code(const struct pxr_kernels *set, unsigned k, unsigned m,
                       enum pxr_matrix matrix, size_t most)
{
    static uint8_t tables[MOST_SHARDS * MOST_SHARDS / 4 * PXR_TABLE];
    pxr_code *code;
    check_at("k=%ld m=%ld matrix=%ld", k, m, matrix, 0);
    if (!CHECK_INT(pxr_code_create(&code, k, m, matrix, NULL), PXR_OK))
        return;
    const uint8_t *rows = pxr_code_coefficients(code);
    judge_tables((size_t)k * m, rows, tables);
    for (unsigned call = 0; call < 2; call++) {
        const size_t end = call == 1 && most < 2600 ? 2600 : most;
        const size_t len = 100 + check_below(end - 100);
        place(k, m, len, check_below(4) == 0);
        if (call == 0)
            CHECK_INT(pxr_encode(code, len, room.src, room.dst), PXR_OK);
        else
            pxr_isal_encode(set, (int)len, (int)k, (int)m, tables, room.src, room.dst);
        judge_rows(k, m, rows, len);
        for (unsigned r = 0; r < m; r++)
            CHECK_BYTES(room.dst[r], room.expected[r], len);
    }
    pxr_code_free(code);
}

/* A Cauchy matrix still has structure when some of its rows become zeros. */
static void test_zero_rows(const struct pxr_kernels *set)
{
    enum { K = 32, M = 16, LENGTH = 1000 };
    uint8_t rows[K * M];
    if (!check_case("%s: Cauchy matrix with a row of zeros", set->name))
        return;
    for (unsigned zero = 0; zero < M; zero++) {
        pxr_code *code;
        check_at("zero=%ld", (long)zero, 0, 0, 0);
        for (unsigned i = 0; i < K * M; i++)
            rows[i] = i / K == zero ? 0 : pxr_inverse[(K + i / K) ^ (i % K)];
        if (!CHECK_INT(pxr_code_create_custom(&code, K, M, rows, PXR_ASSUME_MDS, NULL), PXR_OK))
            return;
        place(K, M, LENGTH, false);
        CHECK_INT(pxr_encode(code, LENGTH, room.src, room.dst), PXR_OK);
        judge_rows(K, M, rows, LENGTH);
        for (unsigned r = 0; r < M; r++)
            CHECK_BYTES(room.dst[r], room.expected[r], LENGTH);
        pxr_code_free(code);
    }
}

/* Rebuilds random losses of up to m shards. */
static void check_losses(unsigned k, unsigned m, enum pxr_matrix matrix)
{
    static uint8_t rebuilt[MOST_SHARDS][MOST_BYTES];
    uint8_t *have[MOST_SHARDS];
    uint8_t *want[MOST_SHARDS] = {NULL};
    const size_t len = 1 + check_below(1000);
    pxr_code *code;
    check_at("k=%ld m=%ld matrix=%ld len=%ld", k, m, matrix, (long)len);
    if (!CHECK_INT(pxr_code_create(&code, k, m, matrix, NULL), PXR_OK))
        return;
    place(k, m, len, false);
    CHECK_INT(pxr_encode(code, len, room.src, room.dst), PXR_OK);
    for (unsigned i = 0; i < k + m; i++)
        have[i] = i < k ? room.src[i] : room.dst[i - k];
    for (size_t losses = 1 + check_below(m); losses > 0;) {
        const size_t i = check_below(check_below(2) ? k + m : k < m ? m : k);
        losses -= have[i] != NULL;
        have[i] = NULL;
        want[i] = rebuilt[i];
    }
    CHECK_INT(pxr_reconstruct(code, len, have, want), PXR_OK);
    for (unsigned i = 0; i < k + m; i++)
        if (want[i] != NULL)
            CHECK_BYTES(want[i], i < k ? room.src[i] : room.dst[i - k], len);
    pxr_code_free(code);
}

/* All codes of few shards (fewer of them with less effort), and random codes of many shards. */
static void test_codes(const struct pxr_kernels *set, enum pxr_matrix matrix)
{
    if (check_case("%s: codes of matrix %s", set->name, pxr_matrix_name(matrix)))
        for (unsigned k = 1; k < MOST_SOURCES; k++)
            for (unsigned m = 1; k + m <= MOST_SOURCES; m++)
                if (k + m == MOST_SOURCES || check_sampled())
                    check_code(set, k, m, matrix, 1200);
    if (check_case("%s: wide codes of matrix %s", set->name, pxr_matrix_name(matrix)))
        for (unsigned round = 0; round < check_effort(30); round++) {
            const unsigned k = 16 + (unsigned)check_below(MOST_SHARDS - 31);
            const unsigned m = 9 + (unsigned)check_below(MOST_SHARDS - k - 8);
            check_code(set, k, m, matrix, round % 4 ? 600 : MOST_BYTES);
            check_losses(k, m, matrix);
        }
}

static void test_each_set(const struct pxr_kernels *set)
{
    static const enum pxr_matrix matrices[] = {PXR_ISAL_CAUCHY, PXR_KLAUSPOST_VAND};
    test_set(set);
    test_wide(set, 0);
    test_wide(set, 3);
    if (!CHECK_INT(pxr_kernel_select(set->name), PXR_OK))
        return;
    for (unsigned i = 0; i < sizeof matrices / sizeof *matrices; i++)
        test_codes(set, matrices[i]);
    test_zero_rows(set);
}

int main(int argc, char **argv)
{
    check_start("test_structure", argc, argv);
    judge_start();
    for (unsigned i = 0; i < MOST_SHARDS; i++) {
        room.sources[i] = check_guard_new(MOST_BYTES);
        room.outputs[i] = check_guard_new(MOST_BYTES);
    }
    test_twiddles();
    check_each_kernel_set(test_each_set);
    return check_finish();
}
