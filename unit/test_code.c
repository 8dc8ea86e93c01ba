/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permxor.h: creating codes, the errors and messages for wrong arguments, encoding, updating.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "judge.h"
#include "stripe.h"

/* --------------------------------------------------------------- texts -- */

static void test_texts(void)
{
    if (!check_case("texts of statuses and of the version"))
        return;
    for (int i = PXR_OK; i <= PXR_EUNUSABLE; i++)
        for (int j = PXR_OK; j < i; j++)
            CHECK(strcmp(pxr_strerror(i), pxr_strerror(j)) != 0);
    CHECK_STR(pxr_strerror(PXR_OK), "success");
    CHECK_STR(pxr_strerror(PXR_EUNUSABLE + 1), "unknown status");
    CHECK_STR(pxr_strerror(-1), "unknown status");
    CHECK_STR(pxr_strerror(INT_MIN), "unknown status");

    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", PXR_VERSION_MAJOR, PXR_VERSION_MINOR,
             PXR_VERSION_PATCH);
    CHECK_STR(pxr_version(), version);
}

/* ------------------------------------------------------------- refusal -- */

/* A pointer that is neither NULL nor a code.  A call that fails must replace it by NULL. */
static pxr_code *nonsense(void)
{
    static char object;
    return (pxr_code *)(void *)&object;
}

static void test_create_refused(void)
{
    static const struct {
        unsigned k, m;
        int matrix, status;
        const char *text;
    } refused[] = {
        {0, 4, PXR_ISAL_CAUCHY, PXR_EINVAL, "k=0: at least one data shard is needed"},
        {0, 0, PXR_ISAL_VAND, PXR_EINVAL, "k=0: at least one data shard is needed"},
        {4, 0, PXR_ISAL_CAUCHY, PXR_EINVAL, "m=0: at least one parity shard is needed"},
        {255, 0, PXR_ISAL_CAUCHY, PXR_EINVAL, "m=0: at least one parity shard is needed"},
        {256, 1, PXR_ISAL_CAUCHY, PXR_EINVAL,
         "k=256, m=1: at most k+m=256 shards are possible"},
        {128, 129, PXR_JERASURE_VAN, PXR_EINVAL,
         "k=128, m=129: at most k+m=256 shards are possible"},
        {UINT_MAX, UINT_MAX, PXR_ISAL_VAND, PXR_EINVAL,
         "k=4294967295, m=4294967295: at most k+m=256 shards are possible"},
        {UINT_MAX, 2, PXR_ISAL_VAND, PXR_EINVAL,
         "k=4294967295, m=2: at most k+m=256 shards are possible"},
        {2, UINT_MAX, PXR_ISAL_VAND, PXR_EINVAL,
         "k=2, m=4294967295: at most k+m=256 shards are possible"},
        {4, 1, PXR_JERASURE_R6, PXR_EINVAL, "m=1: jerasure_r6 needs m=2"},
        {4, 3, PXR_JERASURE_R6, PXR_EINVAL, "m=3: jerasure_r6 needs m=2"},
        {4, 2, PXR_CUSTOM, PXR_EINVAL,
         "a custom matrix needs its rows; use pxr_code_create_custom()"},
        {4, 2, PXR_CUSTOM_BITS + 1, PXR_EINVAL, "matrix=12: there is no such matrix"},
        {4, 2, -1, PXR_EINVAL, "matrix=-1: there is no such matrix"},
        {22, 4, PXR_ISAL_VAND, PXR_ENOTMDS,
         "isal_vand with k=22, m=4 is not MDS; use m <= 3, or isal_cauchy"},
        {10, 5, PXR_ISAL_VAND, PXR_ENOTMDS,
         "isal_vand with k=10, m=5 is not MDS; use m <= 4, or isal_cauchy"},
        {5, 6, PXR_ISAL_VAND, PXR_ENOTMDS,
         "isal_vand with k=5, m=6 is not MDS; use m <= 5, or isal_cauchy"},
        {4, 22, PXR_ISAL_VAND, PXR_ENOTMDS,
         "isal_vand with k=4, m=22 is not MDS; use m <= 21, or isal_cauchy"},
    };
    if (!check_case("pxr_code_create refuses wrong arguments"))
        return;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        enum pxr_matrix matrix = (enum pxr_matrix)refused[i].matrix;
        pxr_code *code = nonsense();
        struct pxr_error why = {""};
        check_at("row %ld", (long)i, 0, 0, 0);
        CHECK_INT(pxr_code_create(&code, refused[i].k, refused[i].m, matrix, &why),
                  refused[i].status);
        CHECK(code == NULL);
        CHECK_STR(why.text, refused[i].text);
        code = nonsense();
        CHECK_INT(pxr_code_create(&code, refused[i].k, refused[i].m, matrix, NULL),
                  refused[i].status);
        CHECK(code == NULL);
    }
    struct pxr_error why = {""};
    CHECK_INT(pxr_code_create(NULL, 4, 2, PXR_ISAL_CAUCHY, &why), PXR_EINVAL);
    CHECK_STR(why.text, "code is NULL: there is no place for the result");
    CHECK_INT(pxr_code_create(NULL, 4, 2, PXR_ISAL_CAUCHY, NULL), PXR_EINVAL);
    pxr_code_free(NULL);
}

static uint8_t many_rows[128 * 128];

static void test_custom_refused(void)
{
    static const uint8_t zero[] = {1, 2, 3, 4, 0, 6};
    /* 2*6 = 3*4, so the submatrix of rows 1, 2 and columns 1, 2 is singular. */
    static const uint8_t dependent[] = {1, 1, 1, 1, 2, 3, 3, 4, 6};
    static const struct {
        unsigned k, m;
        const uint8_t *rows;
        unsigned flags;
        int status;
        const char *text;
    } refused[] = {
        {0, 2, zero, 0, PXR_EINVAL, "k=0: at least one data shard is needed"},
        {3, 0, zero, 0, PXR_EINVAL, "m=0: at least one parity shard is needed"},
        {200, 57, many_rows, PXR_ASSUME_MDS, PXR_EINVAL,
         "k=200, m=57: at most k+m=256 shards are possible"},
        {3, 2, NULL, 0, PXR_EINVAL, "rows is NULL: a custom matrix needs its rows"},
        {3, 2, zero, 2, PXR_EINVAL, "flags=0x2: unknown bits are set"},
        {3, 2, zero, ~0u, PXR_EINVAL, "flags=0xffffffff: unknown bits are set"},
        {3, 2, zero, 0, PXR_ENOTMDS,
         "custom matrix with k=3, m=2 is not MDS: a singular 1 by 1 submatrix ends in row 1, "
         "column 1"},
        {3, 3, dependent, 0, PXR_ENOTMDS,
         "custom matrix with k=3, m=3 is not MDS: a singular 2 by 2 submatrix ends in row 2, "
         "column 2"},
        {128, 128, many_rows, 0, PXR_EUNPROVEN,
         "custom matrix with k=128, m=128 has too many square submatrices to test; "
         "use PXR_ASSUME_MDS to skip the test"},
    };
    if (!check_case("pxr_code_create_custom refuses wrong arguments"))
        return;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        pxr_code *code = nonsense();
        struct pxr_error why = {""};
        check_at("row %ld", (long)i, 0, 0, 0);
        CHECK_INT(pxr_code_create_custom(&code, refused[i].k, refused[i].m, refused[i].rows,
                                         refused[i].flags, &why),
                  refused[i].status);
        CHECK(code == NULL);
        CHECK_STR(why.text, refused[i].text);
        code = nonsense();
        CHECK_INT(pxr_code_create_custom(&code, refused[i].k, refused[i].m, refused[i].rows,
                                         refused[i].flags, NULL),
                  refused[i].status);
        CHECK(code == NULL);
    }
    CHECK_INT(pxr_code_create_custom(NULL, 3, 2, zero, 0, NULL), PXR_EINVAL);
}

static void test_custom_taken(void)
{
    if (!check_case("pxr_code_create_custom copies its rows"))
        return;
    uint8_t rows[] = {1, 1, 1, 1, 2, 4}, kept[sizeof rows];
    memcpy(kept, rows, sizeof rows);
    pxr_code *code;
    CHECK_INT(pxr_code_create_custom(&code, 3, 2, rows, 0, NULL), PXR_OK);
    memset(rows, 0xff, sizeof rows);
    CHECK_BYTES(pxr_code_coefficients(code), kept, sizeof kept);
    CHECK_INT(pxr_code_matrix(code), PXR_CUSTOM);
    pxr_code_free(code);

    /* With PXR_ASSUME_MDS no matrix is tested: neither one that is too large to be tested, nor
       one of zeros, which is not MDS. */
    check_fill(many_rows, sizeof many_rows);
    CHECK_INT(pxr_code_create_custom(&code, 128, 128, many_rows, PXR_ASSUME_MDS, NULL), PXR_OK);
    CHECK_BYTES(pxr_code_coefficients(code), many_rows, sizeof many_rows);
    pxr_code_free(code);
    memset(rows, 0, sizeof rows);
    CHECK_INT(pxr_code_create_custom(&code, 3, 2, rows, PXR_ASSUME_MDS, NULL), PXR_OK);
    pxr_code_free(code);
}

/* -------------------------------------------------------------- encode -- */

static void encode_once(const pxr_code *code, size_t len)
{
    struct stripe want = stripe_random(code, len), got = stripe_blank(want.k, want.m, len);
    bool written[PXR_MAX_SHARDS] = {false};
    memset(written + want.k, true, want.m);
    check_at("k=%ld m=%ld len=%ld", want.k, want.m, (long)len, 0);
    CHECK_INT(pxr_encode(code, len, stripe_in(&want), stripe_parity(&got)), PXR_OK);
    for (unsigned r = want.k; r < want.k + want.m; r++)
        CHECK_BYTES(got.shard[r], want.shard[r], len);
    CHECK(stripe_intact(&got, written));
    stripe_free(&want);
    stripe_free(&got);
}

static void test_encode(enum pxr_matrix matrix)
{
    static const struct {
        unsigned k, m;
    } shapes[] = {{1, 1}, {2, 1}, {1, 3}, {4, 2}, {6, 3}, {10, 4}, {12, 4}, {5, 2}};
    if (!check_case("encode %s", pxr_matrix_name(matrix)))
        return;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        unsigned k = shapes[i].k, m = matrix == PXR_JERASURE_R6 ? 2 : shapes[i].m;
        pxr_code *code = stripe_code(k, m, matrix);
        for (size_t len = 0; len < 70; len++)
            encode_once(code, len);
        encode_once(code, 1000 + check_below(3000));
        pxr_code_free(code);
    }
}

static void test_encode_wide(void)
{
    static const struct {
        unsigned k, m;
    } shapes[] = {{200, 56}, {1, 255}, {255, 1}, {40, 13}, {128, 128}};
    if (!check_case("encode with wide codes"))
        return;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        pxr_code *code = stripe_code(shapes[i].k, shapes[i].m, PXR_KLAUSPOST_VAND);
        encode_once(code, 1 + check_below(300));
        pxr_code_free(code);
    }
}

/* Passes NULL for each shard in turn.  The lengths lie on both sides of the thresholds by which
   a call chooses how it works. */
static void refuse_holes(const pxr_code *code)
{
    enum { K = 5, MOST = 7, LONGEST = 5000 };
    const unsigned k = pxr_code_k(code), m = pxr_code_m(code);
    struct stripe in = stripe_random(code, LONGEST), out = stripe_blank(k, m, LONGEST);
    for (size_t len = 0; len <= LONGEST; len += len < 300 ? 1 : 107)
        for (unsigned i = 0; i < k + m; i++) {
            uint8_t *data[K];
            uint8_t *parity[MOST];
            memcpy(data, in.shard, k * sizeof *data);
            memcpy(parity, out.shard + k, m * sizeof *parity);
            if (i < k)
                data[i] = NULL;
            else
                parity[i - k] = NULL;
            check_at("len %ld, shard %ld", (long)len, i, 0, 0);
            CHECK_INT(pxr_encode(code, len, data, parity), PXR_EINVAL);
        }
    CHECK(stripe_intact(&out, NULL));
    stripe_free(&in);
    stripe_free(&out);
}

static void test_encode_refused(void)
{
    static const unsigned shapes[][2] = {{1, 1}, {4, 3}, {5, 2}, {5, 6}, {3, 7}};
    if (!check_case("encode refuses NULL"))
        return;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        pxr_code *code = stripe_code(shapes[i][0], shapes[i][1], PXR_ISAL_CAUCHY);
        refuse_holes(code);
        struct stripe in = stripe_random(code, 100);
        CHECK_INT(pxr_encode(NULL, 100, stripe_in(&in), stripe_parity(&in)), PXR_EINVAL);
        CHECK_INT(pxr_encode(code, 100, NULL, stripe_parity(&in)), PXR_EINVAL);
        CHECK_INT(pxr_encode(code, 100, stripe_in(&in), NULL), PXR_EINVAL);
        stripe_free(&in);
        pxr_code_free(code);
    }
}

/* -------------------------------------------------------------- update -- */

/* Updates the parity of `old` to that of `new`, one data shard after the other.  Parity shards
   that skipped[] marks are passed as NULL, and must not change. */
static void update_once(const pxr_code *code, size_t len, bool from_nothing,
                        const bool *skipped)
{
    struct stripe new = stripe_random(code, len), old = stripe_random(code, len);
    struct stripe want = stripe_copy(&new);
    uint8_t *parity[PXR_MAX_SHARDS];
    if (from_nothing)
        for (unsigned i = 0; i < old.k + old.m; i++)
            memset(old.shard[i], 0, len);
    for (unsigned r = 0; r < old.m; r++) {
        parity[r] = skipped[r] ? NULL : old.shard[old.k + r];
        if (skipped[r])
            memcpy(want.shard[old.k + r], old.shard[old.k + r], len);
    }
    check_at("k=%ld m=%ld len=%ld", old.k, old.m, (long)len, 0);
    for (unsigned j = 0; j < old.k; j++) {
        CHECK_INT(
            pxr_update(code, len, j, from_nothing ? NULL : old.shard[j], new.shard[j], parity),
            PXR_OK);
        memcpy(old.shard[j], new.shard[j], len);
        /* An update from a shard to the same bytes changes nothing. */
        CHECK_INT(pxr_update(code, len, j, old.shard[j], old.shard[j], parity), PXR_OK);
    }
    CHECK(stripe_equal(&old, &want));
    bool all[PXR_MAX_SHARDS];
    memset(all, true, sizeof all);
    CHECK(stripe_intact(&old, all));
    stripe_free(&want);
    stripe_free(&old);
    stripe_free(&new);
}

static void test_update(void)
{
    static const struct {
        unsigned k, m;
        enum pxr_matrix matrix;
    } codes[] = {{4, 2, PXR_JERASURE_R6},
                 {10, 4, PXR_ISAL_VAND},
                 {1, 1, PXR_ISAL_CAUCHY},
                 {3, 9, PXR_KLAUSPOST_VAND},
                 {50, 7, PXR_JERASURE_VAN}};
    static const size_t lengths[] = {0, 1, 31, 64, 65, 1000, 4095, 4096, 4097, 8192, 8195};
    if (!check_case("update"))
        return;
    for (size_t c = 0; c < sizeof codes / sizeof codes[0]; c++) {
        pxr_code *code = stripe_code(codes[c].k, codes[c].m, codes[c].matrix);
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            bool skipped[PXR_MAX_SHARDS] = {false};
            update_once(code, lengths[i], false, skipped);
            update_once(code, lengths[i], true, skipped);
            stripe_choose(skipped, codes[c].m, (unsigned)check_below(codes[c].m + 1));
            update_once(code, lengths[i], false, skipped);
        }
        pxr_code_free(code);
    }
}

/* Changes `count` random data shards of a random stripe by one call.  For about a third of
   them, the call gets a difference instead of the old and the new bytes.  The parity must then
   be the one that pxr_encode() computes from the changed data. */
static void update_many_once(const pxr_code *code, size_t len, unsigned count, bool skips)
{
    const unsigned k = pxr_code_k(code), m = pxr_code_m(code);
    struct stripe stripe = stripe_random(code, len), other = stripe_random(code, len);
    uint8_t *parity[PXR_MAX_SHARDS];
    uint8_t *from[PXR_MAX_SHARDS], *to[PXR_MAX_SHARDS];
    unsigned index[PXR_MAX_SHARDS];
    bool changed[PXR_MAX_SHARDS] = {false};
    struct stripe expected = stripe_blank(k, m, len);
    stripe_choose(changed, k, count);
    for (unsigned j = 0, n = 0; j < k; j++) {
        memcpy(expected.shard[j], stripe.shard[j], len);
        if (!changed[j])
            continue;
        const bool difference = check_below(3) == 0;
        index[count - 1 - n] = j; /* in descending order */
        from[count - 1 - n] = difference ? NULL : stripe.shard[j];
        to[count - 1 - n++] = other.shard[j];
        for (size_t i = 0; i < len; i++)
            expected.shard[j][i] =
                difference ? stripe.shard[j][i] ^ other.shard[j][i] : other.shard[j][i];
    }
    CHECK_INT(pxr_encode(code, len, expected.shard, expected.shard + k), PXR_OK);
    for (unsigned r = 0; r < m; r++)
        parity[r] = skips && check_below(2) ? NULL : stripe.shard[k + r];
    CHECK_INT(pxr_update_many(code, len, count, index, from, to, parity), PXR_OK);
    for (unsigned r = 0; r < m; r++)
        if (parity[r])
            CHECK_BYTES(parity[r], expected.shard[k + r], len);
    stripe_free(&stripe);
    stripe_free(&other);
    stripe_free(&expected);
}

static void test_update_many(void)
{
    static const unsigned shapes[][2] = {{1, 1}, {4, 2}, {10, 4}, {12, 9}, {100, 3}};
    static const size_t lengths[] = {0, 1, 63, 64, 65, 300, 1024, 4097, 9000};
    if (!check_case("update of several shards"))
        return;
    for (size_t c = 0; c < sizeof shapes / sizeof shapes[0]; c++) {
        pxr_code *code = stripe_code(shapes[c][0], shapes[c][1], PXR_ISAL_CAUCHY);
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
            for (unsigned round = 0; round < 3; round++) {
                const unsigned count =
                    round == 2 ? shapes[c][0] : (unsigned)check_below(shapes[c][0] + 1);
                check_at("code %ld len=%ld count=%ld", (long)c, (long)lengths[i], count, 0);
                update_many_once(code, lengths[i], count, round == 1);
            }
        pxr_code_free(code);
    }
}

static void test_update_many_refused(void)
{
    if (!check_case("update of several shards refuses wrong arguments"))
        return;
    pxr_code *code = stripe_code(4, 2, PXR_ISAL_CAUCHY);
    struct stripe in = stripe_random(code, 100), out = stripe_blank(4, 2, 100);
    uint8_t *const to[] = {in.shard[0], in.shard[1]}, *const missing[] = {to[0], NULL};
    uint8_t *const *parity = stripe_parity(&out);
    const unsigned index[] = {0, 3}, twice[] = {3, 3}, beyond[] = {0, 4};
    CHECK_INT(pxr_update_many(NULL, 100, 2, index, NULL, to, parity), PXR_EINVAL);
    CHECK_INT(pxr_update_many(code, 100, 2, NULL, NULL, to, parity), PXR_EINVAL);
    CHECK_INT(pxr_update_many(code, 100, 2, index, NULL, NULL, parity), PXR_EINVAL);
    CHECK_INT(pxr_update_many(code, 100, 2, index, NULL, to, NULL), PXR_EINVAL);
    CHECK_INT(pxr_update_many(code, 100, 2, index, NULL, missing, parity), PXR_EINVAL);
    CHECK_INT(pxr_update_many(code, 100, 2, twice, NULL, to, parity), PXR_EINVAL);
    CHECK_INT(pxr_update_many(code, 100, 2, beyond, NULL, to, parity), PXR_EINVAL);
    CHECK_INT(pxr_update_many(code, 100, 0, NULL, NULL, NULL, parity), PXR_OK);
    CHECK(stripe_intact(&out, NULL));
    stripe_free(&in);
    stripe_free(&out);
    pxr_code_free(code);
}

static void test_update_refused(void)
{
    if (!check_case("update refuses wrong arguments"))
        return;
    pxr_code *code = stripe_code(4, 2, PXR_ISAL_CAUCHY);
    struct stripe in = stripe_random(code, 100), out = stripe_blank(4, 2, 100);
    const uint8_t *from = in.shard[0], *to = in.shard[1];
    CHECK_INT(pxr_update(NULL, 100, 0, from, to, stripe_parity(&out)), PXR_EINVAL);
    CHECK_INT(pxr_update(code, 100, 4, from, to, stripe_parity(&out)), PXR_EINVAL);
    CHECK_INT(pxr_update(code, 100, UINT_MAX, from, to, stripe_parity(&out)), PXR_EINVAL);
    CHECK_INT(pxr_update(code, 100, 0, from, NULL, stripe_parity(&out)), PXR_EINVAL);
    CHECK_INT(pxr_update(code, 100, 0, NULL, NULL, stripe_parity(&out)), PXR_EINVAL);
    CHECK_INT(pxr_update(code, 100, 0, from, to, NULL), PXR_EINVAL);
    CHECK_INT(pxr_update(code, 0, 4, from, to, stripe_parity(&out)), PXR_EINVAL);
    CHECK_INT(pxr_update(code, 0, 0, from, to, stripe_parity(&out)), PXR_OK);
    CHECK(stripe_intact(&out, NULL));
    stripe_free(&in);
    stripe_free(&out);
    pxr_code_free(code);
}

int main(int argc, char **argv)
{
    check_start("test_code", argc, argv);
    judge_start();
    check_forced_kernels();
    test_texts();
    test_create_refused();
    test_custom_refused();
    test_custom_taken();
    for (int matrix = PXR_ISAL_VAND; matrix < PXR_CUSTOM; matrix++)
        test_encode((enum pxr_matrix)matrix);
    test_encode_wide();
    test_encode_refused();
    test_update();
    test_update_refused();
    test_update_many();
    test_update_many_refused();
    return check_finish();
}
