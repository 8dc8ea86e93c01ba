/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Our functions must write the same bytes as the functions of the real ISA-L (oracle.h), if
 * there is one.  The test calls them only as ISA-L documents them: dot products of 64 bytes and
 * more, and gf_vect_mul with multiples of 32 bytes in aligned buffers.
 */
#include "call.h"
#include "check.h"
#include "isal_functions.h"
#include "judge.h"
#include "oracle.h"

#include "isa-l/erasure_code.h"
#include "isa-l/gf_vect_mul.h"

#include <string.h>

#define MOST 255
#define MOST_BYTES (16 * 1024)

/* Whether the oracle makes nibble tables.  Since 2.31 it makes tables of another form on CPUs
   with GFNI, and then not all of its own functions take its tables. */
static bool oracle_has_nibbles;

typedef void init_tables_fn(int, int, uint8_t *, uint8_t *);
typedef void mul_init_fn(uint8_t, uint8_t *);

static void oracle_tables(const struct isal_function *function, int k, int rows, uint8_t *a,
                          uint8_t *tables)
{
    if (function->kind == ISAL_MUL)
        ((mul_init_fn *)oracle_find("gf_vect_mul_init"))(*a, tables);
    else
        ((init_tables_fn *)oracle_find("ec_init_tables"))(k, rows, a, tables);
}

/* ------------------------------------------------------------ functions -- */

static struct {
    struct check_guard sources[MOST], outputs[MOST];
    uint8_t *src[MOST], *dst[MOST];
    uint8_t ours[MOST][MOST_BYTES], before[MOST][MOST_BYTES];
    uint8_t coefficients[MOST * MOST];
    uint8_t tables[MOST * MOST * 32] __attribute__((aligned(64)));
    uint8_t their_tables[MOST * MOST * 32] __attribute__((aligned(64)));
} room;

static void make_room(void)
{
    for (unsigned i = 0; i < MOST; i++) {
        room.sources[i] = check_guard_new(MOST_BYTES + 64);
        room.outputs[i] = check_guard_new(MOST_BYTES + 64);
    }
}

static unsigned misalignment(const struct isal_function *function)
{
    return function->kind == ISAL_MUL ? 0 : (unsigned)check_below(64);
}

/* Prepares buffers, coefficients, and the tables of both libraries for these. */
static void prepare(const struct isal_function *function, const struct isal_call *call)
{
    const size_t len = (size_t)call->len;
    for (int j = 0; j < call->k; j++) {
        room.src[j] = check_from_start(&room.sources[j], len, misalignment(function));
        check_fill(room.src[j], len);
    }
    for (int r = 0; r < call->rows; r++) {
        room.dst[r] = check_from_start(&room.outputs[r], len, misalignment(function));
        check_fill(room.dst[r], len);
        memcpy(room.before[r], room.dst[r], len);
    }
    const size_t coefficients = (size_t)call->k * (size_t)call->rows;
    check_fill(room.coefficients, coefficients);
    if (check_below(2))
        memset(room.coefficients, 1, (size_t)call->k); /* most matrices have a row of ones */
    ec_init_tables(call->k, call->rows, room.coefficients, room.tables);
    oracle_tables(function, call->k, call->rows, room.coefficients, room.their_tables);
}

/* Whether the oracle's function computes the right result, with its own tables or with nibble
   tables.  judge.h decides this and not our library, so that our own errors never exclude a
   function from the comparison. */
static bool suits(const struct isal_function *function, isal_code *theirs, bool own_tables)
{
    enum { LEN = 992, INDEX = 2 };
    const int rows = function->rows != 0 ? function->rows : 7;
    const int k = function->kind == ISAL_MUL ? 1 : 5;
    const bool adds = isal_accumulates(function);
    struct isal_call call = {LEN, k, rows, adds ? INDEX : 0, NULL, room.src, room.dst};
    bool right = true;
    prepare(function, &call);
    judge_tables((size_t)k * (size_t)rows, room.coefficients, room.tables);
    call.tables = own_tables ? room.their_tables : room.tables;
    isal_call(function, theirs, &call);
    for (int r = 0; r < rows; r++) {
        const uint8_t *const row = room.coefficients + r * k;
        uint8_t *const expected = room.before[r];
        if (adds) {
            judge_dot(LEN, 1, row + INDEX, pxr_read_only(room.src + INDEX), expected);
        } else {
            memset(expected, 0, LEN);
            judge_dot(LEN, (unsigned)k, row, pxr_read_only(room.src), expected);
        }
        right = right && memcmp(room.dst[r], expected, LEN) == 0;
    }
    return right;
}

/* Whether both return values can be compared.  gf_vect_mul_base returns void in some versions,
   and skip_flaws() says why some lengths are left out for NEON. */
static bool returns_status(const struct isal_function *function, int len)
{
#if defined(__aarch64__)
    if (function->kind == ISAL_MUL && len % 128 == 0)
        return false;
#else
    (void)len;
#endif
    return function->kind == ISAL_MUL && strcmp(function->name, "gf_vect_mul_base") != 0;
}

/* A function of the oracle, and whether it takes the oracle's own tables. */
struct theirs {
    isal_code *code;
    bool own_tables;
};

/* Calls our function, keeps its outputs, and then calls the oracle's function on the same
   buffers. */
static void compare(const struct isal_function *function, const struct theirs *theirs, int len,
                    int k, int rows)
{
    if (function->rows != 0)
        rows = function->rows;
    if (function->kind == ISAL_MUL) {
        k = 1;
        len = (len + 31) / 32 * 32;
    }
    struct isal_call call = {len, k, rows, (int)check_below((size_t)k), NULL, NULL, NULL};
    check_at("len=%ld k=%ld rows=%ld index=%ld", len, k, rows, call.index);
    prepare(function, &call);
    if (oracle_has_nibbles)
        CHECK_BYTES(room.tables, room.their_tables, (size_t)k * (size_t)rows * 32);
    call.src = room.src;
    call.dst = room.dst;

    call.tables = room.tables;
    const int our_result = isal_call(function, function->ours, &call);
    for (int r = 0; r < rows; r++) {
        memcpy(room.ours[r], room.dst[r], (size_t)len);
        memcpy(room.dst[r], room.before[r], (size_t)len);
    }
    if (theirs->own_tables)
        call.tables = room.their_tables;
    const int their_result = isal_call(function, theirs->code, &call);
    if (returns_status(function, len))
        CHECK_INT(our_result, their_result);
    for (int r = 0; r < rows; r++)
        CHECK_BYTES(room.ours[r], room.dst[r], (size_t)len);
}

static int random_length(const struct isal_function *function)
{
    const int len = (int)check_below(check_below(8) ? 600 : MOST_BYTES - 64);
    switch (function->kind) {
    case ISAL_ENCODE:
    case ISAL_UPDATE:
        return 1 + len;
    default:
        return 64 + len;
    }
}

/* skip_flaws() says why VSX has a lower limit. */
#if defined(__powerpc64__)
#define ORACLE_SOURCES 127
#else
#define ORACLE_SOURCES MOST
#endif

static void compare_sizes(const struct isal_function *function, const struct theirs *theirs)
{
    static const int wide[] = {31, 32, 33, 64, 100, 128, 254};
    for (int k = 1; k <= 20; k++)
        for (int rows = 1; rows <= (function->rows ? 2 : 10); rows++)
            compare(function, theirs, random_length(function), k, rows);
    for (int len = 1; len < 260; len++)
        if ((function->kind == ISAL_ENCODE || function->kind == ISAL_UPDATE || len >= 64) &&
            (check_border((size_t)len, 64) || check_sampled()))
            compare(function, theirs, len, 1 + (int)check_below(12), 1 + (int)check_below(6));
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        if (wide[i] <= ORACLE_SOURCES)
            compare(function, theirs, 64 + (int)check_below(200), wide[i], 4);
        compare(function, theirs, 64 + (int)check_below(200), 3, wide[i]);
    }
    compare(function, theirs, 100, 127, 128);
}

static void test_function(const struct isal_function *function)
{
    struct theirs theirs = {oracle_find(function->name), true};
    const char *missing = oracle_lacks(function->name);
    if (theirs.code == NULL) {
        check_skip(function->name, "the oracle has no such function");
        return;
    }
    if (missing != NULL) {
        check_skip(function->name, "needs %s", missing);
        return;
    }
    if (!suits(function, theirs.code, true)) {
        theirs.own_tables = false;
        if (!suits(function, theirs.code, false)) {
            check_skip(function->name,
                       "the oracle's function is wrong with both forms of tables");
            return;
        }
        check_skip(function->name, "not with the oracle's own tables, which do not suit it");
    }
    if (check_case("%s", function->name))
        compare_sizes(function, &theirs);
}

/* --------------------------------------------------------------- set-up -- */

typedef uint8_t mul_fn(uint8_t, uint8_t);
typedef uint8_t inv_fn(uint8_t);
typedef void generate_fn(uint8_t *, int, int);
typedef int invert_fn(uint8_t *, uint8_t *, int);

static void test_scalars(void)
{
    if (!check_case("gf_mul, gf_inv"))
        return;
    mul_fn *mul = (mul_fn *)oracle_find("gf_mul");
    inv_fn *inv = (inv_fn *)oracle_find("gf_inv");
    for (unsigned a = 0; a < 256; a++) {
        check_at("a=%ld", a, 0, 0, 0);
        CHECK_INT(gf_inv((uint8_t)a), inv((uint8_t)a));
        for (unsigned b = 0; b < 256; b++)
            CHECK_INT(gf_mul((uint8_t)a, (uint8_t)b), mul((uint8_t)a, (uint8_t)b));
    }
}

/* Whether a table is the nibble table of this coefficient. */
static bool is_nibbles(uint8_t coefficient, const uint8_t *table)
{
    uint8_t nibbles[32];
    judge_tables(1, &coefficient, nibbles);
    return memcmp(nibbles, table, sizeof nibbles) == 0;
}

static void test_table_form(void)
{
    mul_init_fn *init = (mul_init_fn *)oracle_find("gf_vect_mul_init");
    uint8_t table[32];
    init(0x53, table);
    if (!is_nibbles(0x53, table)) {
        check_skip("gf_vect_mul_init", "the oracle's tables are not nibble tables");
        return;
    }
    if (!check_case("gf_vect_mul_init"))
        return;
    for (unsigned c = 0; c < 256; c++) {
        uint8_t ours[32], theirs[32];
        check_at("c=%ld", c, 0, 0, 0);
        gf_vect_mul_init((uint8_t)c, ours);
        init((uint8_t)c, theirs);
        CHECK_BYTES(ours, theirs, sizeof ours);
    }
}

static void test_generator(const char *name, generate_fn *ours)
{
    generate_fn *theirs = (generate_fn *)oracle_find(name);
    static uint8_t our_matrix[MOST * MOST], their_matrix[MOST * MOST];
    if (!check_case("%s", name))
        return;
    for (int m = 1; m <= MOST; m++)
        for (int k = 1; k <= m; k += m <= 48 ? 1 : 1 + (int)check_below(48)) {
            const size_t size = (size_t)m * (size_t)k;
            check_at("m=%ld k=%ld", m, k, 0, 0);
            ours(our_matrix, m, k);
            theirs(their_matrix, m, k);
            CHECK_BYTES(our_matrix, their_matrix, size);
        }
}

/* Some of the matrices have many zeros, so that pivots are missing and some matrices are
   singular. */
static void test_inversion(void)
{
    static uint8_t matrix[MOST * MOST], in[MOST * MOST], ours[MOST * MOST], theirs[MOST * MOST];
    invert_fn *invert = (invert_fn *)oracle_find("gf_invert_matrix");
    unsigned singular = 0, regular = 0;
    if (!check_case("gf_invert_matrix"))
        return;
    for (int n = 0; n <= MOST; n += n < 64 ? 1 : 27)
        for (unsigned round = 0; round < check_effort(n < 20 ? 20 : 4); round++) {
            const size_t size = (size_t)n * (size_t)n;
            check_at("n=%ld round=%ld", n, round, 0, 0);
            check_fill(matrix, size);
            for (size_t i = 0; i < size && (round + (unsigned)n) % 2 == 1; i++)
                if (check_below(4) != 0)
                    matrix[i] = 0;
            memcpy(in, matrix, size);
            const int our_result = gf_invert_matrix(in, ours, n);
            memcpy(in, matrix, size);
            const int their_result = invert(in, theirs, n);
            CHECK_INT(our_result, their_result);
            if (our_result == 0 && their_result == 0)
                CHECK_BYTES(ours, theirs, size);
            *(our_result == 0 ? &regular : &singular) += 1;
        }
    CHECK(singular >= check_effort(10) && regular >= check_effort(100));
}

/* ---------------------------------------------------------------- start -- */

/* Names the results that 2.30 gets wrong.  They are not compared; test_isal_api judges our
   results for them. */
static void skip_flaws(void)
{
#if defined(__aarch64__)
    check_skip("gf_vect_mul's result for whole blocks of 128 bytes",
               "for NEON, 2.30 returns 1 after writing the right bytes");
#elif defined(__powerpc64__)
    check_skip("rows of 128 and more sources", "for VSX, 2.30 encodes some of them wrongly");
#endif
}

static void look_at_tables(void)
{
    uint8_t coefficient = 0x53, table[32];
    ((init_tables_fn *)oracle_find("ec_init_tables"))(1, 1, &coefficient, table);
    oracle_has_nibbles = is_nibbles(coefficient, table);
}

int main(int argc, char **argv)
{
    check_start("test_oracle", argc, argv);
    check_forced_kernels();
    judge_start();
    if (!oracle_open())
        return check_finish();
    look_at_tables();
    skip_flaws();
    make_room();
    for (const struct isal_function *function = isal_functions; function->name; function++)
        test_function(function);
    test_scalars();
    test_table_form();
    test_generator("gf_gen_rs_matrix", gf_gen_rs_matrix);
    test_generator("gf_gen_cauchy1_matrix", gf_gen_cauchy1_matrix);
    test_inversion();
    return check_finish();
}
