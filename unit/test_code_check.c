/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pxr_verify() and pxr_locate(), compared with their definitions.
 */
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "check.h"
#include "judge.h"
#include "stripe.h"

/* Shards that are damaged, and the code's parity rows. */
struct damaged {
    const uint8_t *rows;
    struct stripe s;
};

static struct damaged sound(const pxr_code *code, size_t len)
{
    return (struct damaged){pxr_code_coefficients(code), stripe_random(code, len)};
}

static void damage(struct damaged *d, unsigned shard, size_t offset)
{
    d->s.shard[shard][offset] ^= (uint8_t)(1 + check_below(255));
}

/* Returns the syndrome of row r: the stored parity shard xor the parity of the data.  It has
   len bytes.  Call free() on it. */
static uint8_t *syndrome(const struct damaged *d, unsigned r)
{
    uint8_t *bytes = malloc(d->s.len + 1);
    memcpy(bytes, d->s.shard[d->s.k + r], d->s.len);
    judge_dot(d->s.len, d->s.k, d->rows + (size_t)r * d->s.k, pxr_read_only(stripe_in(&d->s)),
              bytes);
    return bytes;
}

/* -------------------------------------------------------------- verify -- */

/* Verifies with and without `first`, and checks that no shard changed.  Parity shards that
   skipped[] marks are passed as NULL. */
static void check_verify(const pxr_code *code, const struct damaged *d, const bool *skipped)
{
    const struct stripe *s = &d->s;
    struct stripe before = stripe_copy(s);
    uint8_t *shards[PXR_MAX_SHARDS];
    size_t first[PXR_MAX_SHARDS], want[PXR_MAX_SHARDS];
    int status = PXR_OK;
    memcpy(shards, s->shard, sizeof shards);
    for (unsigned r = 0; r < s->m; r++) {
        first[r] = SIZE_MAX;
        want[r] = s->len;
        if (skipped[r]) {
            shards[s->k + r] = NULL;
            continue;
        }
        uint8_t *bytes = syndrome(d, r);
        want[r] = 0;
        while (want[r] < s->len && bytes[want[r]] == 0)
            want[r]++;
        status = want[r] < s->len ? PXR_EMISMATCH : status;
        free(bytes);
    }
    CHECK_INT(pxr_verify(code, s->len, shards, NULL), status);
    CHECK_INT(pxr_verify(code, s->len, shards, first), status);
    CHECK_BYTES(first, want, s->m * sizeof *first);
    memset(first, 0, sizeof first);
    uint8_t *const tables = malloc((size_t)32 * s->k * s->m);
    judge_tables((size_t)s->k * s->m, d->rows, tables);
    CHECK_INT(pxr_verify_tables(s->len, s->k, s->m, tables, shards, shards + s->k, first),
              status);
    CHECK_BYTES(first, want, s->m * sizeof *first);
    free(tables);
    CHECK(stripe_equal(s, &before));
    stripe_free(&before);
}

static void test_verify(unsigned k, unsigned m, enum pxr_matrix matrix)
{
    static const size_t lengths[] = {0, 1, 63, 1000, 4095, 4096, 4097, 12300};
    if (!check_case("verify %s %u+%u", pxr_matrix_name(matrix), k, m))
        return;
    pxr_code *code = stripe_code(k, m, matrix);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct damaged d = sound(code, lengths[i]);
        bool skipped[PXR_MAX_SHARDS] = {false};
        check_at("len=%ld", (long)d.s.len, 0, 0, 0);
        check_verify(code, &d, skipped);
        for (unsigned trial = 0; d.s.len > 0 && trial < 3; trial++) {
            stripe_choose(skipped, m, (unsigned)check_below(m + 1));
            damage(&d, (unsigned)check_below(k + m), check_below(d.s.len));
            check_verify(code, &d, skipped);
        }
        stripe_free(&d.s);
    }
    pxr_code_free(code);
}

/* One damaged byte at the ends of a shard, and at the ends of the chunks in which pxr_verify()
   reads it. */
static void test_verify_offsets(void)
{
    static const size_t offsets[] = {0, 4095, 4096, 8191, 8192, 9999};
    if (!check_case("verify finds a wrong byte at each offset"))
        return;
    pxr_code *code = stripe_code(3, 4, PXR_ISAL_CAUCHY);
    for (unsigned shard = 0; shard < 7; shard++)
        for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
            struct damaged d = sound(code, 10000);
            size_t first[4];
            damage(&d, shard, offsets[i]);
            check_at("shard %ld, offset %ld", shard, (long)offsets[i], 0, 0);
            CHECK_INT(pxr_verify(code, 10000, stripe_in(&d.s), first), PXR_EMISMATCH);
            for (unsigned r = 0; r < 4; r++)
                CHECK_INT((long long)first[r],
                          shard < 3 || shard - 3 == r ? (long long)offsets[i] : 10000);
            stripe_free(&d.s);
        }
    pxr_code_free(code);
}

static void test_verify_refused(void)
{
    if (!check_case("verify refuses wrong arguments"))
        return;
    pxr_code *code = stripe_code(3, 2, PXR_ISAL_CAUCHY);
    struct stripe s = stripe_random(code, 30);
    size_t first[2] = {77, 78};
    CHECK_INT(pxr_verify(NULL, 30, stripe_in(&s), first), PXR_EINVAL);
    CHECK_INT(pxr_verify(code, 30, NULL, first), PXR_EINVAL);
    for (unsigned j = 0; j < 3; j++) {
        uint8_t *shards[5];
        memcpy(shards, s.shard, sizeof shards);
        shards[j] = NULL;
        CHECK_INT(pxr_verify(code, 30, shards, first), PXR_EINVAL);
        CHECK_INT(pxr_verify(code, 0, shards, first), PXR_EINVAL);
    }
    CHECK(first[0] == 77 && first[1] == 78);
    stripe_free(&s);
    pxr_code_free(code);
}

static void test_tables_refused(void)
{
    if (!check_case("verify by tables refuses wrong arguments"))
        return;
    static const uint8_t tables[32 * 2 * 2];
    uint8_t shard[8] = {0};
    uint8_t *shards[4] = {shard, shard, shard, shard};
    uint8_t *const missing[2] = {shard, NULL};
    CHECK_INT(pxr_verify_tables(8, 2, 2, tables, shards, shards + 2, NULL), PXR_OK);
    CHECK_INT(pxr_verify_tables(8, 2, 2, tables, shards, missing, NULL), PXR_OK);
    CHECK_INT(pxr_verify_tables(8, 0, 2, tables, shards, shards + 2, NULL), PXR_EINVAL);
    CHECK_INT(pxr_verify_tables(8, 2, 0, tables, shards, shards + 2, NULL), PXR_EINVAL);
    CHECK_INT(pxr_verify_tables(8, PXR_MAX_SHARDS + 1, 2, tables, shards, shards, NULL),
              PXR_EINVAL);
    CHECK_INT(pxr_verify_tables(8, 2, PXR_MAX_SHARDS + 1, tables, shards, shards, NULL),
              PXR_EINVAL);
    CHECK_INT(pxr_verify_tables(8, 2, 2, NULL, shards, shards + 2, NULL), PXR_EINVAL);
    CHECK_INT(pxr_verify_tables(8, 2, 2, tables, NULL, shards + 2, NULL), PXR_EINVAL);
    CHECK_INT(pxr_verify_tables(8, 2, 2, tables, missing, shards + 2, NULL), PXR_EINVAL);
    CHECK_INT(pxr_verify_tables(8, 2, 2, tables, shards, NULL, NULL), PXR_EINVAL);
}

/* -------------------------------------------------------------- locate -- */

/* Whether some change of `shard` alone makes all shards agree.  Tries every change of every
   byte. */
static bool explains(const struct damaged *d, unsigned shard)
{
    unsigned k = d->s.k, m = d->s.m;
    uint8_t *s[PXR_MAX_SHARDS];
    bool all = true;
    for (unsigned r = 0; r < m; r++)
        s[r] = syndrome(d, r);
    for (size_t i = 0; all && i < d->s.len; i++) {
        bool any = false;
        for (unsigned e = 0; !any && e < 256; e++) {
            any = true;
            for (unsigned r = 0; any && r < m; r++) {
                uint8_t c = shard < k ? d->rows[r * k + shard] : shard == k + r;
                any = s[r][i] == judge_mul(c, (uint8_t)e);
            }
        }
        all = any;
    }
    for (unsigned r = 0; r < m; r++)
        free(s[r]);
    return all;
}

/* The status and the index that pxr_locate() must return, by its definition. */
static int expected_location(const struct damaged *d, unsigned *index)
{
    unsigned total = d->s.k + d->s.m, explanations = 0;
    *index = total;
    bool agrees = true;
    for (unsigned r = 0; agrees && r < d->s.m; r++) {
        uint8_t *bytes = syndrome(d, r);
        for (size_t i = 0; i < d->s.len; i++)
            agrees &= bytes[i] == 0;
        free(bytes);
    }
    if (agrees)
        return PXR_OK;
    for (unsigned i = 0; i < total; i++)
        if (explains(d, i)) {
            explanations++;
            *index = i;
        }
    if (explanations == 1)
        return PXR_EMISMATCH;
    *index = total;
    return PXR_EAMBIGUOUS;
}

static void check_locate(const pxr_code *code, const struct damaged *d, int status,
                         unsigned where)
{
    struct stripe before = stripe_copy(&d->s);
    unsigned index = 999;
    CHECK_INT(pxr_locate(code, d->s.len, stripe_in(&d->s), &index), status);
    CHECK_INT(index, where);
    CHECK(stripe_equal(&d->s, &before));
    stripe_free(&before);
}

/* Damages each shard in turn: in one byte, in some bytes, in all bytes. */
static void test_locate(unsigned k, unsigned m, enum pxr_matrix matrix, size_t len)
{
    if (!check_case("locate in %s %u+%u", pxr_matrix_name(matrix), k, m))
        return;
    pxr_code *code = stripe_code(k, m, matrix);
    struct damaged d = sound(code, len);
    check_locate(code, &d, PXR_OK, k + m);
    for (unsigned shard = 0; shard < k + m; shard++) {
        uint8_t *kept = malloc(len);
        memcpy(kept, d.s.shard[shard], len);
        check_at("shard %ld", shard, 0, 0, 0);
        damage(&d, shard, check_below(len));
        check_locate(code, &d, PXR_EMISMATCH, shard);
        for (unsigned i = 0; i < 20; i++)
            damage(&d, shard, check_below(len));
        check_locate(code, &d, PXR_EMISMATCH, shard);
        for (size_t i = 0; i < len; i++)
            d.s.shard[shard][i] = kept[i] ^ (uint8_t)(1 + check_below(255));
        check_locate(code, &d, PXR_EMISMATCH, shard);
        memcpy(d.s.shard[shard], kept, len);
        free(kept);
    }
    stripe_free(&d.s);
    pxr_code_free(code);
}

/* Two shards are wrong, each in a byte where the other is right.  So no single shard explains
   the damage. */
static void test_locate_two(void)
{
    static const size_t at[][2] = {{0, 1}, {10, 5000}, {4096, 4095}, {9999, 0}};
    if (!check_case("locate tells two wrong shards from one"))
        return;
    pxr_code *code = stripe_code(5, 2, PXR_JERASURE_R6);
    for (unsigned a = 0; a < 7; a++)
        for (unsigned b = a + 1; b < 7; b++)
            for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
                struct damaged d = sound(code, 10000);
                damage(&d, a, at[i][0]);
                damage(&d, b, at[i][1]);
                check_at("shards %ld, %ld, row %ld", a, b, (long)i, 0);
                check_locate(code, &d, PXR_EAMBIGUOUS, 7);
                stripe_free(&d.s);
            }
    pxr_code_free(code);
}

/* Two shards are wrong in the byte at the same offset.  If a change of one shard explained
   this, that change and the two wrong bytes together would be a codeword, with at most three
   bytes that are not zero.  But an MDS code has at least m + 1 of them, here 4, in every
   codeword other than zero. */
static void test_locate_same_byte(void)
{
    if (!check_case("locate does not take two wrong shards for one, with m = 3"))
        return;
    pxr_code *code = stripe_code(6, 3, PXR_ISAL_VAND);
    for (unsigned a = 0; a < 9; a++)
        for (unsigned b = a + 1; b < 9; b++) {
            struct damaged d = sound(code, 70);
            size_t offset = check_below(70);
            damage(&d, a, offset);
            damage(&d, b, offset);
            check_at("shards %ld, %ld", a, b, 0, 0);
            check_locate(code, &d, PXR_EAMBIGUOUS, 9);
            stripe_free(&d.s);
        }
    pxr_code_free(code);
}

/* Small codes with few different coefficients, some of which are zero.  So several shards, or
   none, may explain the damage. */
static void test_locate_random(void)
{
    if (!check_case("locate in codes that need not be MDS"))
        return;
    unsigned seen[PXR_EAMBIGUOUS + 1] = {0};
    for (unsigned trial = 0; trial < 40 + check_effort(560); trial++) {
        unsigned k = 1 + (unsigned)check_below(4), m = 2 + (unsigned)check_below(3);
        uint8_t rows[16];
        for (unsigned i = 0; i < sizeof rows; i++)
            rows[i] = (uint8_t)check_below(3 + 37 * trial % 200);
        pxr_code *code;
        CHECK_INT(pxr_code_create_custom(&code, k, m, rows, PXR_ASSUME_MDS, NULL), PXR_OK);
        struct damaged d = sound(code, 1 + check_below(60));
        size_t offset = check_below(d.s.len);
        for (size_t errors = check_below(4); errors > 0; errors--)
            damage(&d, (unsigned)check_below(k + m),
                   check_below(2) ? offset : check_below(d.s.len));
        unsigned where;
        int status = expected_location(&d, &where);
        check_at("trial %ld: k=%ld m=%ld", trial, k, m, 0);
        check_locate(code, &d, status, where);
        seen[status]++;
        stripe_free(&d.s);
        pxr_code_free(code);
    }
    const unsigned few = check_effort(20);
    CHECK(seen[PXR_OK] > few && seen[PXR_EMISMATCH] > few && seen[PXR_EAMBIGUOUS] > few);
}

static void test_locate_refused(void)
{
    if (!check_case("locate refuses wrong arguments"))
        return;
    pxr_code *code = stripe_code(3, 2, PXR_ISAL_CAUCHY),
             *single = stripe_code(3, 1, PXR_ISAL_VAND);
    struct stripe s = stripe_random(code, 30);
    unsigned index = 999;
    CHECK_INT(pxr_locate(NULL, 30, stripe_in(&s), &index), PXR_EINVAL);
    CHECK_INT(pxr_locate(single, 30, stripe_in(&s), &index), PXR_EINVAL);
    CHECK_INT(pxr_locate(code, 30, NULL, &index), PXR_EINVAL);
    CHECK_INT(pxr_locate(code, 30, stripe_in(&s), NULL), PXR_EINVAL);
    for (unsigned i = 0; i < 5; i++) {
        uint8_t *shards[5];
        memcpy(shards, s.shard, sizeof shards);
        shards[i] = NULL;
        CHECK_INT(pxr_locate(code, 30, shards, &index), PXR_EINVAL);
    }
    CHECK_INT(index, 999);
    CHECK_INT(pxr_locate(code, 0, stripe_in(&s), &index), PXR_OK);
    CHECK_INT(index, 5);
    stripe_free(&s);
    pxr_code_free(code);
    pxr_code_free(single);
}

int main(int argc, char **argv)
{
    check_start("test_code_check", argc, argv);
    judge_start();
    check_forced_kernels();
    for (int matrix = PXR_ISAL_VAND; matrix < PXR_CUSTOM; matrix++) {
        test_verify(7, 2, (enum pxr_matrix)matrix);
        test_locate(4, 2, (enum pxr_matrix)matrix, 4200);
    }
    test_verify(4, 1, PXR_ISAL_VAND);
    test_verify(3, 7, PXR_ISAL_CAUCHY);
    test_verify(10, 4, PXR_JERASURE_VAN);
    test_verify(2, 20, PXR_KLAUSPOST_VAND);
    test_verify(9, 13, PXR_ISAL_CAUCHY);
    test_verify_offsets();
    test_verify_refused();
    test_tables_refused();
    test_locate(10, 4, PXR_ISAL_CAUCHY, 4200);
    test_locate(1, 2, PXR_ISAL_VAND, 100);
    test_locate(3, 12, PXR_ISAL_VAND, 300);
    test_locate(40, 20, PXR_KLAUSPOST_VAND, 65);
    test_locate_two();
    test_locate_same_byte();
    test_locate_random();
    test_locate_refused();
    return check_finish();
}
