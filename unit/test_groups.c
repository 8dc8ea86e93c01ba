/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Coding in groups of sources: rows in both forms, with and without a row of ones, Cauchy
 * matrices, which have structure, and P and Q, in columns of every length.  Bitwise
 * multiplication tells what is right.  Another case counts the sources of each pass.
 */
#include "groups.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "encode.h"
#include "gf256.h"
#include "judge.h"
#include "permxor.h"

/* A column has at least 4 KiB, and one that is checked has 12 KiB. */
enum { MOST_SOURCES = 64, MOST_OUTPUTS = PXR_MAX_ROWS, MOST_BYTES = 30000 };

static struct {
    struct check_guard sources[MOST_SOURCES], outputs[MOST_OUTPUTS];
    uint8_t *src[MOST_SOURCES], *dst[MOST_OUTPUTS];
    uint8_t coefficients[MOST_OUTPUTS * MOST_SOURCES];
    uint8_t tables[PXR_TABLE * MOST_OUTPUTS * MOST_SOURCES];
    uint8_t expected[MOST_OUTPUTS][MOST_BYTES];
    uint64_t rows[(PXR_TABLE + 8) / 8 * MOST_OUTPUTS * MOST_SOURCES];
} room;

/* Makes the record send every call of `most + 1` sources or more through groups.  `ahead` is
   how the calls prefetch. */
static void set_groups(unsigned most, const char *ahead)
{
    char settings[400];
    snprintf(settings, sizeof settings,
             "l1 = 1K\nown = 1K\nshared = 1K\npiece = 1K\nahead-from = 1024\n"
             "look-from = 1024M\nwide-from = %u\nfar-wide-from = %u\n"
             "way dot-wide memory = groups %u stream %s\n"
             "way one-wide memory = groups %u\nway structured-wide memory = groups %u\n"
             "way p-wide memory = groups %u\nway pq-wide memory = groups %u %s\n",
             most + 1, most + 1, most, ahead, most, most, most, most, ahead);
    CHECK_INT(pxr_tune_apply(settings), PXR_OK);
}

/* Places the buffers, and computes what the outputs must be. */
static void place(unsigned k, unsigned count, size_t len, bool in_place)
{
    const uint8_t *src[MOST_SOURCES];
    for (unsigned j = 0; j < k; j++) {
        src[j] = room.src[j] = check_place(&room.sources[j], len, CHECK_ANYWHERE);
        check_fill(room.src[j], len);
    }
    for (unsigned r = 0; r < count; r++) {
        room.dst[r] = check_place(&room.outputs[r], len, (enum check_placement)(r % 3));
        memset(room.expected[r], 0, len);
        judge_dot(len, k, room.coefficients + r * k, src, room.expected[r]);
    }
    if (in_place)
        room.dst[count - 1] = room.src[check_below(k)];
}

static void check_outputs(unsigned count, size_t len)
{
    for (unsigned r = 0; r < count; r++)
        CHECK_BYTES(room.dst[r], room.expected[r], len);
}

static size_t some_length(void)
{
    return 1024 + check_below(MOST_BYTES - 1023);
}

/* Codes by rows that were expanded into all forms, or by tables alone. */
static void check_rows(const struct pxr_kernels *set, unsigned k, unsigned count)
{
    const size_t len = some_length();
    const bool by_tables = check_below(2);
    check_fill(room.coefficients, (size_t)k * count);
    if (check_below(2))
        memset(room.coefficients, 1, k);
    place(k, count, len, check_below(4) == 0);
    check_at("k=%ld count=%ld len=%ld by_tables=%ld", k, count, (long)len, by_tables);
    const struct pxr_rows rows = pxr_rows_expand(k, count, room.coefficients, room.rows);
    if (by_tables)
        pxr_encode_tables(set, len, k, count, rows.form[PXR_TABLES],
                          (const uint8_t *const *)room.src, room.dst);
    else
        pxr_encode_rows(set, len, &rows, (const uint8_t *const *)room.src, room.dst);
    check_outputs(count, len);
}

/* Tables of ISA-L's Cauchy matrix are recognised, and coded by its structure or in groups. */
static void check_cauchy(const struct pxr_kernels *set, unsigned k, unsigned count)
{
    const size_t len = some_length();
    for (unsigned r = 0; r < count; r++)
        for (unsigned j = 0; j < k; j++)
            room.coefficients[r * k + j] = pxr_inverse[(k + r) ^ j];
    judge_tables((size_t)k * count, room.coefficients, room.tables);
    place(k, count, len, check_below(4) == 0);
    check_at("k=%ld count=%ld len=%ld", k, count, (long)len, 0);
    pxr_encode_tables(set, len, k, count, room.tables, (const uint8_t *const *)room.src,
                      room.dst);
    check_outputs(count, len);
}

/* The coefficients of P and Q. */
static void set_powers(unsigned k)
{
    for (unsigned j = 0; j < k; j++) {
        room.coefficients[j] = 1;
        room.coefficients[k + j] = j == 0 ? 1 : judge_mul(room.coefficients[k + j - 1], 2);
    }
}

static void check_parity(const struct pxr_kernels *set, unsigned k)
{
    const size_t len = some_length();
    const enum pxr_special parity = check_below(2) ? PXR_SPECIAL_P : PXR_SPECIAL_PQ;
    set_powers(k);
    place(k, parity, len, check_below(4) == 0);
    check_at("k=%ld parities=%ld len=%ld", k, parity, (long)len, 0);
    pxr_parity(set, len, k, parity, (const uint8_t *const *)room.src, room.dst);
    check_outputs(parity, len);
}

/* Right parity, and parity of which one byte was changed. */
static void check_check(const struct pxr_kernels *set, unsigned k)
{
    const size_t len = some_length(), at = check_below(len);
    const enum pxr_special parity = check_below(2) ? PXR_SPECIAL_P : PXR_SPECIAL_PQ;
    const uint8_t *const *const src = (const uint8_t *const *)room.src;
    set_powers(k);
    place(k, parity, len, false);
    for (unsigned r = 0; r < parity; r++)
        memcpy(room.dst[r], room.expected[r], len);
    check_at("k=%ld parities=%ld len=%ld at=%ld", k, parity, (long)len, (long)at);
    CHECK_INT(pxr_parity_check(set, len, k, parity, src, room.dst), len);
    if (check_below(2))
        room.src[check_below(k)][at] ^= 1;
    else
        room.dst[check_below(parity)][at] ^= 1;
    const size_t found = pxr_parity_check(set, len, k, parity, src, room.dst);
    CHECK(found <= at && at - found < set->step);
}

/* The sources of the passes of three rows, as a function of a kernel set saw them. */
static struct {
    pxr_dot_fn *dot;
    unsigned passes, most;
    uint32_t ahead; /* the flags of prefetching that every pass must have, and no others */
} seen;

static void dot_seen(size_t len, unsigned k, const uint8_t *rows, const uint8_t *const *src,
                     uint8_t *const *dst, uint32_t flags)
{
    seen.passes++;
    if (k > seen.most)
        seen.most = k;
    CHECK_INT(flags & ~(uint32_t)PXR_ACCUMULATE, seen.ahead);
    seen.dot(len, k, rows, src, dst, flags);
}

static void check_sizes(const struct pxr_kernels *set)
{
    enum { K = 23, COUNT = 3, COLUMNS = 2, LEN = 4096 * COLUMNS };
    struct pxr_kernels watched = *set;
    seen.dot = set->dot[PXR_SPECIAL_NONE][COUNT];
    watched.dot[PXR_SPECIAL_NONE][COUNT] = dot_seen;
    for (unsigned most = 1; most <= PXR_MOST_OF_GROUP; most++) {
        seen.passes = seen.most = 0;
        seen.ahead = most % 2 ? PXR_AHEAD_L2 | PXR_AHEAD_SOURCES(4) : 0;
        set_groups(most, most % 2 ? "into-l2 sources 4" : "sources 4"); /* into L1: ignored */
        check_fill(room.coefficients, K * COUNT);
        room.coefficients[0] = 2; /* no row of ones */
        place(K, COUNT, LEN, false);
        const struct pxr_rows rows = pxr_rows_expand(K, COUNT, room.coefficients, room.rows);
        pxr_encode_rows(&watched, LEN, &rows, (const uint8_t *const *)room.src, room.dst);
        check_outputs(COUNT, LEN);
        const unsigned groups = (K + most - 1) / most;
        CHECK_INT(seen.passes, COLUMNS * groups);
        CHECK_INT(seen.most, (K + groups - 1) / groups);
    }
}

/* From memory a call may be wide, and go in the way of wide calls, with fewer sources than it
   needs for groups. */
static void check_least(void)
{
    enum { MOST = 4, FAR_WIDE = 8, WIDE = 12, OUTPUTS = 3, LEN = 65536 };
    char settings[120];
    snprintf(settings, sizeof settings,
             "wide-from = %d\nfar-wide-from = %d\nway dot-wide memory = groups %d\n", WIDE,
             FAR_WIDE, MOST);
    CHECK_INT(pxr_tune_apply(settings), PXR_OK);
    for (unsigned k = FAR_WIDE - 1; k <= WIDE + 1; k++)
        CHECK_INT(pxr_sources_of_group(PXR_WORK_DOT, PXR_PLACE_MEMORY, LEN, k, OUTPUTS),
                  k < WIDE ? 0 : MOST);
}

static void test_set(const struct pxr_kernels *set)
{
    for (unsigned count = 1; count <= MOST_OUTPUTS; count++)
        if (check_case("%s: %u outputs", set->name, count))
            for (unsigned round = 0; round < check_effort(60); round++) {
                set_groups(1 + (unsigned)check_below(PXR_MOST_OF_GROUP), "into-l2 sources 4");
                check_rows(set, 1 + (unsigned)check_below(MOST_SOURCES), count);
                check_cauchy(set, 1 + (unsigned)check_below(MOST_SOURCES), count);
            }
    if (check_case("%s: P and Q", set->name))
        for (unsigned round = 0; round < check_effort(120); round++) {
            set_groups(1 + (unsigned)check_below(PXR_MOST_OF_GROUP), "into-l2 sources 4");
            check_parity(set, 1 + (unsigned)check_below(MOST_SOURCES));
            check_check(set, 1 + (unsigned)check_below(MOST_SOURCES));
        }
    if (check_case("%s: the sources of each pass", set->name))
        check_sizes(set);
    CHECK_INT(pxr_tune_apply(NULL), PXR_OK);
}

int main(int argc, char **argv)
{
    check_start("test_groups", argc, argv);
    judge_start();
    for (unsigned j = 0; j < MOST_SOURCES; j++)
        room.sources[j] = check_guard_new(MOST_BYTES);
    for (unsigned r = 0; r < MOST_OUTPUTS; r++)
        room.outputs[r] = check_guard_new(MOST_BYTES);
    check_each_kernel_set(test_set);
    if (check_case("the least number of sources for groups"))
        check_least();
    CHECK_INT(pxr_tune_apply(NULL), PXR_OK);
    return check_finish();
}
