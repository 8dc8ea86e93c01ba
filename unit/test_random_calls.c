/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of random shapes with random machine records.  The other tests go through shapes
 * systematically, up to some KiB and with few records.  Here every choice is a draw, so that
 * long shards meet all ways of the record: streaming, prefetching, groups, columns, looks.
 *
 *   test_random_calls            some hundred calls
 *   make check-calls-long        fresh seeds, for as long as you like
 */
#include "check.h"
#include "judge.h"
#include "stripe.h"

#include "isa-l.h"
#include "permxor_raid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------- machine records -- */

static char record[8192];

/* Appends a word of a way to the record with the probability 1/odds. */
static void add_word(size_t odds, const char *word, size_t below)
{
    if (check_below(odds) != 0)
        return;
    strcat(record, word);
    if (below != 0)
        sprintf(record + strlen(record), "%zu", check_below(below));
}

static void add_way(void)
{
    const size_t begin = strlen(record);
    add_word(2, " sources ", 65);
    add_word(3, " into-l2", 0);
    add_word(2, " outputs ", 65);
    add_word(4, " groups ", 17);
    add_word(3, " stream", 0);
    add_word(4, " small-blocks", 0);
    add_word(4, " downwards", 0);
    add_word(12, " by-matrix", 0);
    if (record[begin] == '\0')
        strcat(record, " none");
}

/* The library refuses some values, for example by-matrix outside of structured passes. */
static void add_value(const char *name)
{
    const size_t begin = strlen(record);
    sprintf(record + begin, "%s =", name);
    if (strncmp(name, "way ", 4) == 0)
        add_way();
    else
        sprintf(record + strlen(record), " %zu", (size_t)1 << check_below(24));
    strcat(record, "\n");
    if (pxr_tune_apply(record) != PXR_OK)
        record[begin] = '\0';
}

/* Half of the values are drawn, and one record in four is that of this machine. */
static void draw_record(void)
{
    struct pxr_tune_setting setting;
    const bool own = check_below(4) == 0;
    record[0] = '\0';
    for (unsigned i = 0; pxr_tune_setting(i, &setting, sizeof setting) == PXR_OK; i++)
        if (!own && check_below(2) == 0 && strlen(record) + 200 < sizeof record)
            add_value(setting.name);
    CHECK_INT(pxr_tune_apply(record), PXR_OK);
}

/* ------------------------------------------------------------------ shapes -- */

#define MOST 120u                                /* sources, and outputs */
static const size_t most_work = (size_t)1 << 24; /* products of bytes */

static size_t draw_length(size_t products)
{
    static const size_t most[] = {100, 700, 5000, 5000, 40000, 400000};
    const size_t len = 1 + check_below(most[check_below(sizeof most / sizeof most[0])]);
    return len * products < most_work ? len : most_work / products;
}

static unsigned draw_count(void)
{
    static const unsigned most[] = {3, 6, 12, 20, 40, MOST};
    return 1 + (unsigned)check_below(most[check_below(sizeof most / sizeof most[0])]);
}

/* A matrix of any kind, or any coefficients where it is not MDS. */
static pxr_code *draw_code(void)
{
    static uint8_t rows[MOST * MOST];
    const unsigned k = draw_count(), m = draw_count();
    pxr_code *code;
    if (pxr_code_create(&code, k, m, (enum pxr_matrix)check_below(PXR_CUSTOM), NULL) == PXR_OK)
        return code;
    check_fill(rows, (size_t)k * m);
    CHECK_INT(pxr_code_create_custom(&code, k, m, rows, PXR_ASSUME_MDS, NULL), PXR_OK);
    return code;
}

/* Moves all shards to the same place of their pages, as in one allocation that is split. */
static void line_up(struct stripe *s)
{
    const size_t offset = check_below(64);
    uint8_t *bytes = malloc(s->len);
    for (unsigned i = 0; CHECK(bytes != NULL) && i < s->k + s->m; i++) {
        memcpy(bytes, s->shard[i], s->len);
        s->shard[i] = check_from_start(&s->guard[i], s->len, offset);
        memcpy(s->shard[i], bytes, s->len);
    }
    free(bytes);
}

static struct stripe draw_stripe(const pxr_code *code)
{
    struct stripe s =
        stripe_random(code, draw_length((size_t)pxr_code_k(code) * pxr_code_m(code)));
    check_at("%ld+%ld of %ld bytes", s.k, s.m, (long)s.len, 0);
    if (check_below(3) == 0)
        line_up(&s);
    return s;
}

/* The same shards, of which some are to be written: they hold other bytes. */
static struct stripe spoilt(const struct stripe *s, const bool *written)
{
    struct stripe copy = stripe_copy(s);
    for (unsigned i = 0; i < s->k + s->m; i++)
        if (written[i])
            check_fill(copy.shard[i], s->len);
    if (check_below(3) == 0)
        line_up(&copy);
    return copy;
}

static bool compare(const struct stripe *got, const struct stripe *want)
{
    bool equal = true;
    for (unsigned i = 0; i < want->k + want->m; i++) {
        equal &= CHECK_BYTES(got->shard[i], want->shard[i], want->len);
        equal &= CHECK_UNTOUCHED(&got->guard[i], got->shard[i], got->len);
    }
    return equal;
}

/* ------------------------------------------------------------------- calls -- */

/* Each of these says whether all was right. */
typedef bool trial(const pxr_code *code, const struct stripe *s);

static struct stripe without_parity(const struct stripe *s)
{
    bool written[PXR_MAX_SHARDS];
    for (unsigned i = 0; i < s->k + s->m; i++)
        written[i] = i >= s->k;
    return spoilt(s, written);
}

static bool try_encode(const pxr_code *code, const struct stripe *want)
{
    struct stripe got = without_parity(want);
    const int status = pxr_encode(code, want->len, stripe_in(&got), stripe_parity(&got));
    const bool right = CHECK_INT(status, PXR_OK) && compare(&got, want);
    stripe_free(&got);
    return right;
}

/* Some consecutive rows, through ISA-L's interface. */
static bool try_tables(const pxr_code *code, const struct stripe *want)
{
    static uint8_t coefficients[MOST * MOST], tables[32 * MOST * MOST];
    const unsigned rows = 1 + (unsigned)check_below(want->m);
    const unsigned first = (unsigned)check_below(want->m - rows + 1);
    struct stripe got = stripe_copy(want);
    uint8_t **parity = got.shard + want->k + first;
    for (unsigned r = 0; r < rows; r++)
        check_fill(parity[r], want->len);
    memcpy(coefficients, pxr_code_coefficients(code) + (size_t)first * want->k,
           (size_t)rows * want->k);
    ec_init_tables((int)want->k, (int)rows, coefficients, tables);
    ec_encode_data((int)want->len, (int)want->k, (int)rows, tables, got.shard, parity);
    const bool right = compare(&got, want);
    stripe_free(&got);
    return right;
}

/* Random coefficients may not determine the lost shards. */
static bool try_reconstruct(const pxr_code *code, const struct stripe *want)
{
    const unsigned total = want->k + want->m;
    const bool may_fail = pxr_code_matrix(code) == PXR_CUSTOM;
    bool lost[PXR_MAX_SHARDS];
    uint8_t *have[PXR_MAX_SHARDS] = {NULL}, *wanted[PXR_MAX_SHARDS] = {NULL};
    stripe_choose(lost, total, 1 + (unsigned)check_below(want->m));
    struct stripe got = spoilt(want, lost);
    for (unsigned i = 0; i < total; i++)
        *(lost[i] ? &wanted[i] : &have[i]) = got.shard[i];
    const int status = pxr_reconstruct(code, want->len, have, wanted);
    const bool right = (may_fail && status == PXR_ESINGULAR) ||
                       (CHECK_INT(status, PXR_OK) && compare(&got, want));
    stripe_free(&got);
    return right;
}

static bool try_update(const pxr_code *code, const struct stripe *old)
{
    uint8_t *from[PXR_MAX_SHARDS], *to[PXR_MAX_SHARDS];
    unsigned index[PXR_MAX_SHARDS];
    struct stripe new = stripe_blank(old->k, old->m, old->len), want = stripe_copy(old);
    struct stripe got = stripe_copy(old);
    for (unsigned j = 0; j < old->k; j++)
        check_fill(new.shard[j], old->len);
    const unsigned count =
        stripe_change(old, &new, 1 + (unsigned)check_below(old->k), &want, index, from, to);
    stripe_judge(code, &want);
    for (unsigned j = 0; j < old->k; j++) /* the call writes no data */
        memcpy(want.shard[j], old->shard[j], old->len);
    const int status =
        pxr_update_many(code, old->len, count, index, from, to, stripe_parity(&got));
    const bool right = CHECK_INT(status, PXR_OK) && compare(&got, &want);
    stripe_free(&got);
    stripe_free(&want);
    stripe_free(&new);
    return right;
}

static bool try_verify(const pxr_code *code, const struct stripe *s)
{
    size_t first[PXR_MAX_SHARDS];
    struct stripe copy = stripe_copy(s);
    bool right = CHECK_INT(pxr_verify(code, s->len, stripe_in(&copy), first), PXR_OK);
    const size_t row = check_below(s->m), at = check_below(s->len);
    copy.shard[s->k + row][at] ^= (uint8_t)(1 + check_below(255));
    right &= CHECK_INT(pxr_verify(code, s->len, stripe_in(&copy), first), PXR_EMISMATCH);
    for (size_t r = 0; r < s->m; r++)
        right &= CHECK(first[r] == (r == row ? at : s->len));
    stripe_free(&copy);
    return right;
}

/* jerasure's reed_sol_r6_op has the P and the Q of RAID-6. */
static bool try_raid(const pxr_code *r6, const struct stripe *want)
{
    const unsigned n = pxr_code_k(r6), lost[] = {(unsigned)check_below(n + 2), n + 1};
    const unsigned count = lost[0] <= n ? 2 : 1;
    struct stripe got = without_parity(want);
    uint8_t *p = got.shard[n], *q = got.shard[n + 1];
    bool right = CHECK_INT(pxr_raid_generate(n, want->len, stripe_in(&got), p, q), PXR_OK) &&
                 compare(&got, want);
    right &= CHECK_INT(pxr_raid_check(n, want->len, stripe_in(&got), p, q, NULL, 0), PXR_OK);
    for (unsigned i = 0; i < count; i++)
        check_fill(got.shard[lost[i]], want->len);
    right &=
        CHECK_INT(pxr_raid_recover(n, want->len, stripe_in(&got), p, q, count, lost), PXR_OK) &&
        compare(&got, want);
    stripe_free(&got);
    return right;
}

/* ------------------------------------------------------------------- draws -- */

/* Each draw has random numbers of its own, so each can be repeated alone. */
static void try_draw(const char *name, trial *try, unsigned draw, uint64_t stream)
{
    if (!check_case("%s, draw %u", name, draw))
        return;
    check_stream(stream);
    draw_record();
    for (unsigned i = 0; i < 4; i++) {
        pxr_code *code =
            try == try_raid ? stripe_code(draw_count(), 2, PXR_JERASURE_R6) : draw_code();
        struct stripe s = draw_stripe(code);
        if (!try(code, &s))
            printf("    with the record\n%s", record);
        stripe_free(&s);
        pxr_code_free(code);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        trial *try;
    } calls[] = {
        {"pxr_encode", try_encode},           {"ec_encode_data", try_tables},
        {"pxr_reconstruct", try_reconstruct}, {"pxr_update_many", try_update},
        {"pxr_verify", try_verify},           {"RAID", try_raid},
    };
    check_start("test_random_calls", argc, argv);
    judge_start();
    check_forced_kernels();
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        for (unsigned draw = 0; draw < check_effort(20); draw++)
            try_draw(calls[i].name, calls[i].try, draw, 100 * i + draw);
    return check_finish();
}
