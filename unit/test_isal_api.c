/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ISA-L's coding functions compared with judge.h: any length, alignment, number of sources and
 * number of rows, outputs in place of sources, and calls that must do nothing.
 */
#include "call.h"
#include "check.h"
#include "cpu.h"
#include "isal_functions.h"
#include "judge.h"

#include "isa-l.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define MOST 255
#define MOST_BYTES (16 * 1024)

static struct {
    struct check_guard sources[MOST], outputs[MOST], tables;
    uint8_t *src[MOST], *dst[MOST], *tbl;
    uint8_t src_before[MOST][MOST_BYTES], expected[MOST][MOST_BYTES];
    uint8_t coefficients[MOST * MOST], tbl_before[MOST * MOST * 32];
} room;

static void make_room(void)
{
    for (unsigned i = 0; i < MOST; i++) {
        room.sources[i] = check_guard_new(MOST_BYTES);
        room.outputs[i] = check_guard_new(MOST_BYTES);
    }
    room.tables = check_guard_new(MOST * MOST * 32);
}

struct trial {
    unsigned len, k, rows;
    enum check_placement placement;
    bool in_place;
};

/* ---------------------------------------------------------------- trial -- */

/* Makes rows of every kind that a plan may treat in its own way: ones, powers of 2, a single
   one, a single zero, and random coefficients. */
static void make_row(uint8_t *row, unsigned k)
{
    const size_t kind = check_below(8);
    uint8_t power = 1;
    check_fill(row, k);
    for (unsigned j = 0; j < k; j++, power = judge_mul(2, power)) {
        if (kind == 0)
            row[j] = 1;
        else if (kind == 1)
            row[j] = power;
        else if (kind == 2)
            row[j] = 0;
    }
    if (kind == 2)
        row[check_below(k)] = 1;
    if (kind == 3)
        row[check_below(k)] = 0;
}

static void prepare_inputs(const struct trial *trial)
{
    const size_t coefficients = (size_t)trial->rows * trial->k;
    for (unsigned j = 0; j < trial->k; j++) {
        room.src[j] = check_place(&room.sources[j], trial->len, trial->placement);
        check_fill(room.src[j], trial->len);
        memcpy(room.src_before[j], room.src[j], trial->len);
    }
    for (unsigned r = 0; r < trial->rows && trial->k > 0; r++)
        make_row(room.coefficients + (size_t)r * trial->k, trial->k);
    room.tbl = check_place(&room.tables, coefficients * 32, trial->placement);
    judge_tables(coefficients, room.coefficients, room.tbl);
    memcpy(room.tbl_before, room.tbl, coefficients * 32);
}

/* With in_place, output r is source 2r, if that source exists.  The other sources stay as they
   are, and the other outputs have buffers of their own. */
static bool aliased(const struct trial *trial, unsigned r)
{
    return trial->in_place && 2 * r < trial->k;
}

static void prepare_outputs(const struct trial *trial)
{
    for (unsigned r = 0; r < trial->rows; r++) {
        if (aliased(trial, r)) {
            room.dst[r] = room.src[2 * r];
            continue;
        }
        room.dst[r] = check_place(&room.outputs[r], trial->len, trial->placement);
        check_fill(room.dst[r], trial->len);
    }
}

static void judge_outputs(const struct isal_function *function, const struct trial *trial,
                          unsigned index)
{
    const uint8_t *before[MOST];
    for (unsigned j = 0; j < trial->k; j++)
        before[j] = room.src_before[j];
    for (unsigned r = 0; r < trial->rows; r++) {
        const uint8_t *row = room.coefficients + (size_t)r * trial->k;
        if (isal_accumulates(function)) {
            memcpy(room.expected[r], room.dst[r], trial->len);
            judge_dot(trial->len, 1, row + index, before + index, room.expected[r]);
        } else {
            memset(room.expected[r], 0, trial->len);
            judge_dot(trial->len, trial->k, row, before, room.expected[r]);
        }
    }
}

static void check_outcome(const struct trial *trial)
{
    const size_t table_bytes = (size_t)trial->rows * trial->k * 32;
    for (unsigned r = 0; r < trial->rows; r++) {
        CHECK_BYTES(room.dst[r], room.expected[r], trial->len);
        if (!aliased(trial, r))
            CHECK_UNTOUCHED(&room.outputs[r], room.dst[r], trial->len);
    }
    for (unsigned j = 0; j < trial->k; j++) {
        CHECK_UNTOUCHED(&room.sources[j], room.src[j], trial->len);
        if (j % 2 == 1 || !aliased(trial, j / 2) || j / 2 >= trial->rows)
            CHECK_BYTES(room.src[j], room.src_before[j], trial->len);
    }
    CHECK_BYTES(room.tbl, room.tbl_before, table_bytes);
    CHECK_UNTOUCHED(&room.tables, room.tbl, table_bytes);
}

static struct isal_call arguments(const struct trial *trial, unsigned index)
{
    return (struct isal_call){(int)trial->len, (int)trial->k, (int)trial->rows, (int)index,
                              room.tbl,        room.src,      room.dst};
}

static void attempt(const struct isal_function *function, struct trial trial)
{
    if (function->rows != 0)
        trial.rows = (unsigned)function->rows;
    if (function->kind == ISAL_MUL) {
        trial.k = 1;
        trial.len = trial.len / 32 * 32;
    }
    const unsigned index = trial.k > 0 ? (unsigned)check_below(trial.k) : 0;
    check_at("len=%ld k=%ld rows=%ld placement=%ld", (long)trial.len, trial.k, trial.rows,
             trial.placement + 10L * trial.in_place);
    prepare_inputs(&trial);
    prepare_outputs(&trial);
    judge_outputs(function, &trial, index);
    const struct isal_call call = arguments(&trial, index);
    CHECK_INT(isal_call(function, function->ours, &call), 0);
    check_outcome(&trial);
}

/* --------------------------------------------------------------- sweeps -- */

static void sweep_lengths(const struct isal_function *function)
{
    for (unsigned len = 0; len <= 260; len++)
        for (enum check_placement placement = 0; placement < CHECK_PLACEMENTS; placement++)
            if (check_border(len, 64) || check_sampled())
                attempt(function,
                        (struct trial){len, 1 + (unsigned)check_below(6),
                                       1 + (unsigned)check_below(9), placement, false});
    for (unsigned round = 0; round < check_effort(10); round++)
        attempt(function, (struct trial){(unsigned)check_below(MOST_BYTES - 64),
                                         1 + (unsigned)check_below(12),
                                         1 + (unsigned)check_below(6), CHECK_ANYWHERE, false});
}

static void sweep_shapes(const struct isal_function *function)
{
    static const unsigned wide[] = {14, 31, 32, 33, 64, 100, 128, 254, 255};
    for (unsigned k = 1; k <= 12; k++)
        for (unsigned rows = 1; rows <= 14; rows++)
            if (check_sampled())
                attempt(function, (struct trial){(unsigned)check_below(400), k, rows,
                                                 (k + rows) % CHECK_PLACEMENTS, false});
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        attempt(function, (struct trial){97, wide[i], 4, i % CHECK_PLACEMENTS, false});
        attempt(function, (struct trial){97, 4, wide[i], i % CHECK_PLACEMENTS, false});
    }
    attempt(function, (struct trial){70, MOST, MOST, CHECK_AT_END, false});
}

/* Also tries more rows than one pass over the sources computes.  An output must not be written
   while a later pass still reads the source that it replaces. */
static void sweep_in_place(const struct isal_function *function)
{
    for (unsigned len = 0; len <= 200; len++)
        if (check_border(len, 64) || check_sampled())
            attempt(function, (struct trial){len, 10, 4, len % CHECK_PLACEMENTS, true});
    for (unsigned rows = 1; rows <= 20; rows++)
        for (unsigned round = 0; round < check_effort(4); round++)
            attempt(function,
                    (struct trial){(unsigned)check_below(2000), 1 + (unsigned)check_below(40),
                                   rows, (rows + round) % CHECK_PLACEMENTS, true});
    attempt(function, (struct trial){check_effort(9001), 18, 9, CHECK_ANYWHERE, true});
    attempt(function, (struct trial){check_effort(3001), MOST, 128, CHECK_ANYWHERE, true});
    attempt(function, (struct trial){check_effort(301), MOST, MOST, CHECK_ANYWHERE, true});
}

/* -------------------------------------------------------------- nothing -- */

/* Checks that a call does nothing: the outputs stay as they are, whatever the other arguments
   are. */
static void expect_nothing(const struct isal_function *function, struct isal_call call,
                           const char *what)
{
    const struct trial trial = {64, 3, 2, CHECK_AT_START, false};
    static uint8_t before[2][64];
    check_at(what, call.len, call.k, call.rows, call.index);
    for (unsigned r = 0; r < trial.rows; r++) {
        check_fill(room.expected[r], trial.len);
        memcpy(before[r], room.expected[r], trial.len);
        /* by the buffer's own address, since call.dst may be NULL */
        memcpy(room.outputs[r].room, before[r], trial.len);
    }
    isal_call(function, function->ours, &call);
    for (unsigned r = 0; r < trial.rows; r++)
        CHECK_BYTES(room.outputs[r].room, before[r], trial.len);
}

static void refuse(const struct isal_function *function)
{
    const struct trial trial = {64, 3, 2, CHECK_AT_START, false};
    static const int lengths[] = {0, -1, -32, -64, INT_MIN};
    prepare_inputs(&trial);
    prepare_outputs(&trial);
    const struct isal_call good = arguments(&trial, 1);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct isal_call call = good;
        call.len = lengths[i];
        expect_nothing(function, call, "len=%ld");
        call.tables = NULL;
        call.src = call.dst = NULL;
        expect_nothing(function, call, "len=%ld, all NULL");
    }
    struct isal_call call = good;
    call.tables = NULL;
    expect_nothing(function, call, "no tables");
    call = good;
    call.src = NULL;
    expect_nothing(function, call, "no sources");
    call = good;
    call.dst = NULL;
    expect_nothing(function, call, "no outputs");
    if (function->kind != ISAL_MUL) {
        call = good;
        call.k = -1;
        expect_nothing(function, call, "len=%ld k=%ld");
    }
    for (int rows = -1; rows <= 0 && function->rows == 0; rows++) {
        call = good;
        call.rows = rows;
        expect_nothing(function, call, "len=%ld k=%ld rows=%ld");
    }
}

/* One pointer of an array is NULL. */
static void refuse_holes(const struct isal_function *function, size_t len)
{
    const struct trial trial = {len, 3, 2, CHECK_AT_START, false};
    prepare_inputs(&trial);
    prepare_outputs(&trial);
    const struct isal_call good = arguments(&trial, 1);
    uint8_t *holes[MOST];
    for (unsigned at = 0; at < trial.k; at++) {
        struct isal_call call = good;
        memcpy(holes, room.src, sizeof holes);
        holes[at] = NULL;
        call.src = holes;
        if (isal_accumulates(function))
            call.index = (int)at;
        if (function->kind != ISAL_MUL || at == 0)
            expect_nothing(function, call, "a source is missing");
    }
    for (unsigned at = 0; at < (function->rows == 1 ? 1 : trial.rows); at++) {
        struct isal_call call = good;
        memcpy(holes, room.dst, sizeof holes);
        holes[at] = NULL;
        call.dst = holes;
        expect_nothing(function, call, "an output is missing");
    }
}

static void refuse_index(const struct isal_function *function)
{
    const struct trial trial = {64, 3, 2, CHECK_AT_START, false};
    static const int indexes[] = {-1, 3, 4, 255, INT_MAX, INT_MIN};
    prepare_inputs(&trial);
    prepare_outputs(&trial);
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++) {
        struct isal_call call = arguments(&trial, 1);
        call.index = indexes[i];
        expect_nothing(function, call, "len=%ld k=%ld rows=%ld index=%ld");
    }
}

/* A sum of no terms is zero. */
static void no_sources(const struct isal_function *function)
{
    for (unsigned len = 0; len <= 260; len += 13) {
        struct trial trial = {len, 0, function->rows ? (unsigned)function->rows : 9,
                              CHECK_AT_END, false};
        check_at("len=%ld k=0 rows=%ld", (long)len, trial.rows, 0, 0);
        prepare_inputs(&trial);
        prepare_outputs(&trial);
        struct isal_call call = arguments(&trial, 0);
        call.src = NULL;
        call.tables = NULL;
        isal_call(function, function->ours, &call);
        for (unsigned r = 0; r < trial.rows; r++)
            memset(room.expected[r], 0, len);
        check_outcome(&trial);
    }
}

/* Lengths that the documentation of gf_vect_mul calls wrong: it returns a non-zero value and
   writes nothing. */
static void mul_lengths(const struct isal_function *function)
{
    const struct trial trial = {64, 1, 1, CHECK_AT_START, false};
    prepare_inputs(&trial);
    prepare_outputs(&trial);
    for (int len = 1; len < 64; len++) {
        struct isal_call call = arguments(&trial, 0);
        if (len % 32 == 0)
            continue;
        call.len = len;
        check_at("len=%ld", len, 0, 0, 0);
        memcpy(room.expected[0], room.dst[0], trial.len);
        CHECK(isal_call(function, function->ours, &call) != 0);
        CHECK_BYTES(room.dst[0], room.expected[0], trial.len);
    }
    struct isal_call call = arguments(&trial, 0);
    call.len = 0;
    CHECK_INT(isal_call(function, function->ours, &call), 0);
}

/* ----------------------------------------------------------------- main -- */

static void test_function(const struct isal_function *function)
{
    const bool sums = !isal_accumulates(function) && function->kind != ISAL_MUL;
    if (check_case("%s lengths", function->name))
        sweep_lengths(function);
    if (check_case("%s shapes", function->name))
        sweep_shapes(function);
    if (!isal_accumulates(function) && check_case("%s in place", function->name))
        sweep_in_place(function);
    if (check_case("%s nothing to do", function->name)) {
        refuse(function);
        if (function->rows <= 2)
            for (size_t len = 64; len <= 8192; len *= 2)
                refuse_holes(function, len);
    }
    if (isal_accumulates(function) && check_case("%s bad index", function->name))
        refuse_index(function);
    if (sums && check_case("%s no sources", function->name))
        no_sources(function);
    if (function->kind == ISAL_MUL && check_case("%s bad lengths", function->name))
        mul_lengths(function);
}

/* The stripe is larger than the caches, so the call prefetches and writes around the caches.
   Output r begins off + r * apart bytes behind a line. */
static void encode_large(unsigned k, unsigned rows, const uint8_t *matrix, size_t off,
                         size_t apart)
{
    enum { LARGE = 24 };
    const size_t len = 5 * CHECK_STREAM_BEYOND / (k + rows) + 77;
    uint8_t tables[LARGE * LARGE * 32], *src[LARGE], *dst[LARGE];
    struct check_guard guards[2 * LARGE], expected = check_guard_new(len);
    judge_tables(rows * k, matrix, tables);
    for (unsigned i = 0; i < k + rows; i++) {
        guards[i] = check_guard_new(len + 64);
        if (i < k)
            check_fill(src[i] = check_to_end(&guards[i], len, i), len);
        else
            dst[i - k] = check_from_start(&guards[i], len, off + apart * (i - k));
    }
    ec_encode_data((int)len, (int)k, (int)rows, tables, src, dst);
    for (unsigned r = 0; r < rows; r++) {
        check_at("row %ld, %ld bytes off a line", r, (long)off, 0, 0);
        memset(expected.room, 0, len);
        judge_dot(len, k, matrix + k * r, pxr_read_only(src), expected.room);
        CHECK_BYTES(dst[r], expected.room, len);
        CHECK_UNTOUCHED(&guards[k + r], dst[r], len);
    }
    for (unsigned i = 0; i < k + rows; i++)
        check_guard_free(&guards[i]);
    check_guard_free(&expected);
}

static void test_large(void)
{
    static const unsigned codes[][2] = {{8, 4}, {10, 4}, {12, 12}};
    const uint8_t matrix[3 * 5] = {1, 1, 1, 1, 1, 3, 0, 255, 7, 1, 1, 2, 4, 8, 16};
    check_stream_outputs();
    if (check_case("ec_encode_data, beyond the caches"))
        encode_large(5, 3, matrix, 5, 1);
    if (!check_case("ec_encode_data, beyond the caches, structured"))
        return;
    for (unsigned i = 0; i < sizeof codes / sizeof codes[0]; i++)
        for (size_t off = 0; off < 64; off += off < 2 ? 1 : 31) {
            uint8_t cauchy[24 * 12];
            const unsigned k = codes[i][0], rows = codes[i][1];
            gf_gen_cauchy1_matrix(cauchy, (int)(k + rows), (int)k);
            encode_large(k, rows, cauchy + k * k, off, 0);
        }
}

/* More sources than a code has shards, of a length at which a pass may prefetch. */
static void test_long_sum(void)
{
    enum { K = 300, LEN = 4097, BUFFERS = 3 };
    uint8_t coefficients[K], tables[K * 32], *src[K];
    struct check_guard guards[BUFFERS], result;
    if (!check_case("gf_vect_dot_prod of %d sources", K))
        return;
    result = check_guard_new(LEN + 64);
    for (unsigned i = 0; i < BUFFERS; i++) {
        guards[i] = check_guard_new(LEN + 64);
        check_fill(src[i] = check_to_end(&guards[i], LEN, i), LEN);
    }
    for (unsigned j = BUFFERS; j < K; j++)
        src[j] = src[j % BUFFERS];
    check_fill(coefficients, K);
    judge_tables(K, coefficients, tables);
    uint8_t *const dst = check_from_start(&result, LEN, 0), expected[LEN] = {0};
    gf_vect_dot_prod(LEN, K, tables, src, dst);
    judge_dot(LEN, K, coefficients, pxr_read_only(src), expected);
    CHECK_BYTES(dst, expected, LEN);
    CHECK_UNTOUCHED(&result, dst, LEN);
    for (unsigned i = 0; i < BUFFERS; i++)
        check_guard_free(&guards[i]);
    check_guard_free(&result);
}

static void test_version(void)
{
    char text[32];
    if (!check_case("isal_get_version"))
        return;
    CHECK_INT(isal_get_version(), ISAL_VERSION);
    CHECK_INT(isal_get_version() >> 16, ISAL_MAJOR_VERSION);
    snprintf(text, sizeof text, "%d.%d.%d", ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION,
             ISAL_PATCH_VERSION);
    CHECK_STR(ISAL_VERSION_STR, text);
    CHECK_STR(isal_get_version_str(), text);
}

int main(int argc, char **argv)
{
    check_start("test_isal_api", argc, argv);
    judge_start();
    make_room();
    check_forced_kernels();
    for (const struct isal_function *function = isal_functions; function->name; function++)
        test_function(function);
    test_large();
    test_long_sum();
    test_version();
    return check_finish();
}
