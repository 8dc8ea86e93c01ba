/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pxr_reconstruct(): every pattern of losses of small codes, random patterns of large codes,
 * and codes that are not MDS.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "judge.h"
#include "stripe.h"

/* One call: which shards are present, and which ones are wanted. */
struct request {
    bool have[PXR_MAX_SHARDS], want[PXR_MAX_SHARDS];
};

static unsigned count(const bool *set, unsigned total)
{
    unsigned n = 0;
    for (unsigned i = 0; i < total; i++)
        n += set[i];
    return n;
}

/* Makes the call, which gets only the shards that are present.  Checks that it has written the
   wanted shards and nothing else, or nothing if it had to fail. */
static void reconstruct_once(const pxr_code *code, const struct stripe *full,
                             const struct request *request, int status)
{
    struct stripe out = stripe_blank(full->k, full->m, full->len);
    uint8_t *have[PXR_MAX_SHARDS];
    uint8_t *want[PXR_MAX_SHARDS];
    unsigned total = full->k + full->m;
    for (unsigned i = 0; i < total; i++) {
        have[i] = request->have[i] ? full->shard[i] : NULL;
        want[i] = request->want[i] ? out.shard[i] : NULL;
    }
    CHECK_INT(pxr_reconstruct(code, full->len, have, want), status);
    for (unsigned i = 0; status == PXR_OK && i < total; i++)
        if (request->want[i])
            CHECK_BYTES(out.shard[i], full->shard[i], full->len);
    CHECK(stripe_intact(&out, status == PXR_OK ? request->want : NULL));
    stripe_free(&out);
}

/* Wants each lost shard with probability 1/chance. */
static void want_lost(struct request *request, unsigned total, unsigned chance)
{
    for (unsigned i = 0; i < total; i++)
        request->want[i] = !request->have[i] && check_below(chance) == 0;
}

/* --------------------------------------------------------- small codes -- */

static void test_every_pattern(unsigned k, unsigned m, enum pxr_matrix matrix)
{
    if (!check_case("every loss of %s %u+%u", pxr_matrix_name(matrix), k, m))
        return;
    pxr_code *code = stripe_code(k, m, matrix);
    struct stripe full = stripe_random(code, 37);
    for (unsigned pattern = 0; pattern < 1u << (k + m); pattern++) {
        struct request request;
        for (unsigned i = 0; i < k + m; i++)
            request.have[i] = pattern >> i & 1;
        int status = count(request.have, k + m) < k ? PXR_ETOOFEW : PXR_OK;
        check_at("have 0x%lx", pattern, 0, 0, 0);
        want_lost(&request, k + m, 1);
        reconstruct_once(code, &full, &request, status);
        want_lost(&request, k + m, 2);
        reconstruct_once(code, &full, &request, status);
    }
    stripe_free(&full);
    pxr_code_free(code);
}

/* --------------------------------------------------------- large codes -- */

static void test_random_patterns(unsigned k, unsigned m, enum pxr_matrix matrix, unsigned times)
{
    if (!check_case("random losses of %s %u+%u", pxr_matrix_name(matrix), k, m))
        return;
    pxr_code *code = stripe_code(k, m, matrix);
    for (unsigned trial = 0; trial < check_effort(times); trial++) {
        struct stripe full = stripe_random(code, check_below(300));
        struct request request;
        unsigned lost = 1 + (unsigned)check_below(m);
        stripe_choose(request.have, k + m, k + m - lost);
        want_lost(&request, k + m, trial % 3 + 1);
        check_at("trial %ld: %ld lost, len=%ld", trial, lost, (long)full.len, 0);
        reconstruct_once(code, &full, &request, PXR_OK);
        /* once more, when the code has already kept the plan */
        reconstruct_once(code, &full, &request, PXR_OK);
        stripe_free(&full);
    }
    pxr_code_free(code);
}

/* With m = k, all data shards may be lost.  The parity shards restore them. */
static void test_parity_only(void)
{
    if (!check_case("only parity survives"))
        return;
    for (unsigned k = 1; k <= 128; k += k < 127 ? 42 : 1) {
        pxr_code *code = stripe_code(k, k, PXR_ISAL_CAUCHY);
        struct stripe full = stripe_random(code, 100);
        struct request request;
        for (unsigned i = 0; i < 2 * k; i++) {
            request.have[i] = i >= k;
            request.want[i] = i < k;
        }
        check_at("k=m=%ld", k, 0, 0, 0);
        reconstruct_once(code, &full, &request, PXR_OK);
        stripe_free(&full);
        pxr_code_free(code);
    }
}

/* For long shards, the library reads and writes memory in other ways than for short ones. */
static void test_long_shards(void)
{
    if (!check_case("long shards"))
        return;
    pxr_code *code = stripe_code(6, 3, PXR_JERASURE_VAN);
    struct stripe full = stripe_random(code, (1u << 20) + 13);
    struct request request = {.have = {0, 1, 1, 0, 1, 1, 1, 1, 0},
                              .want = {1, 0, 0, 1, 0, 0, 0, 0, 1}};
    reconstruct_once(code, &full, &request, PXR_OK);
    stripe_free(&full);
    pxr_code_free(code);
}

/* ------------------------------------------------------------- not MDS -- */

/* Whether the present shards determine the data, that is, whether their rows of the generator
   matrix have rank k.  Computed by Gaussian elimination. */
static bool determined(const uint8_t *rows, unsigned k, unsigned m, const bool *have)
{
    uint8_t a[16][8] = {{0}};
    unsigned n = 0, rank = 0;
    for (unsigned i = 0; i < k + m; i++) {
        for (unsigned j = 0; have[i] && j < k; j++)
            a[n][j] = i < k ? i == j : rows[(i - k) * k + j];
        n += have[i];
    }
    for (unsigned c = 0; c < k; c++) {
        unsigned pivot = rank;
        while (pivot < n && a[pivot][c] == 0)
            pivot++;
        if (pivot == n)
            continue;
        uint8_t row[8];
        memcpy(row, a[pivot], 8);
        memcpy(a[pivot], a[rank], 8);
        memcpy(a[rank], row, 8);
        for (unsigned i = rank + 1; i < n; i++)
            while (a[i][c] != 0) {
                /* Find by trial the factor x that clears the entry. */
                uint8_t x = 1;
                while (judge_mul(x, row[c]) != a[i][c])
                    x++;
                for (unsigned j = 0; j < k; j++)
                    a[i][j] ^= judge_mul(x, row[j]);
            }
        rank++;
    }
    return rank == k;
}

/* Both data shards are lost.  One parity row is a multiple of the other, so the pattern is
   singular.  With length 0 there is nothing to compute, and the call succeeds. */
static void test_singular_of_no_length(void)
{
    if (!check_case("a singular pattern with length 0"))
        return;
    static const uint8_t rows[] = {1, 1, 2, 2};
    pxr_code *code;
    CHECK_INT(pxr_code_create_custom(&code, 2, 2, rows, PXR_ASSUME_MDS, NULL), PXR_OK);
    struct stripe full = stripe_random(code, 9);
    struct request request = {.have = {0, 0, 1, 1}, .want = {1, 1, 0, 0}};
    reconstruct_once(code, &full, &request, PXR_ESINGULAR);
    full.len = 0;
    reconstruct_once(code, &full, &request, PXR_OK);
    stripe_free(&full);
    pxr_code_free(code);
}

static void test_not_mds(void)
{
    if (!check_case("codes that are not MDS"))
        return;
    unsigned seen[2] = {0, 0};
    for (unsigned trial = 0; trial < 6 + check_effort(54); trial++) {
        unsigned k = 2 + (unsigned)check_below(3), m = 2 + (unsigned)check_below(3);
        uint8_t rows[16];
        for (unsigned i = 0; i < sizeof rows; i++)
            rows[i] = (uint8_t)check_below(trial % 2 ? 2 : 4);
        pxr_code *code;
        CHECK_INT(pxr_code_create_custom(&code, k, m, rows, PXR_ASSUME_MDS, NULL), PXR_OK);
        struct stripe full = stripe_random(code, 21);
        for (unsigned pattern = 0; pattern < 1u << (k + m); pattern++) {
            struct request request;
            for (unsigned i = 0; i < k + m; i++)
                request.have[i] = pattern >> i & 1;
            want_lost(&request, k + m, 1);
            if (count(request.have, k + m) < k || count(request.want, k + m) == 0)
                continue;
            bool solvable = determined(rows, k, m, request.have);
            seen[solvable]++;
            check_at("trial %ld: k=%ld m=%ld have 0x%lx", trial, k, m, pattern);
            reconstruct_once(code, &full, &request, solvable ? PXR_OK : PXR_ESINGULAR);
        }
        stripe_free(&full);
        pxr_code_free(code);
    }
    CHECK(seen[0] > check_effort(100) && seen[1] > check_effort(100));
}

/* ------------------------------------------------------------- refusal -- */

static void test_refused(void)
{
    if (!check_case("reconstruct refuses wrong arguments"))
        return;
    pxr_code *code = stripe_code(4, 3, PXR_ISAL_CAUCHY);
    struct stripe full = stripe_random(code, 50), out = stripe_blank(4, 3, 50);
    uint8_t *have[7] = {full.shard[0], NULL,          full.shard[2], NULL,
                        full.shard[4], full.shard[5], NULL};
    uint8_t *want[7] = {NULL, out.shard[1], NULL, NULL, NULL, NULL, out.shard[6]};
    CHECK_INT(pxr_reconstruct(NULL, 50, have, want), PXR_EINVAL);
    CHECK_INT(pxr_reconstruct(code, 50, NULL, want), PXR_EINVAL);
    CHECK_INT(pxr_reconstruct(code, 50, have, NULL), PXR_EINVAL);

    /* A shard must not be both present and wanted.  This error comes before that of too few
       shards.  Both errors are also found with length 0. */
    want[5] = out.shard[5];
    CHECK_INT(pxr_reconstruct(code, 50, have, want), PXR_EINVAL);
    CHECK_INT(pxr_reconstruct(code, 0, have, want), PXR_EINVAL);
    have[4] = NULL;
    CHECK_INT(pxr_reconstruct(code, 50, have, want), PXR_EINVAL);
    want[5] = NULL;
    CHECK_INT(pxr_reconstruct(code, 50, have, want), PXR_ETOOFEW);
    CHECK_INT(pxr_reconstruct(code, 0, have, want), PXR_ETOOFEW);
    uint8_t *nothing[7] = {NULL};
    CHECK_INT(pxr_reconstruct(code, 50, have, nothing), PXR_ETOOFEW);

    /* No shard is wanted, or the length is 0: there is nothing to do. */
    have[4] = full.shard[4];
    CHECK_INT(pxr_reconstruct(code, 50, have, nothing), PXR_OK);
    CHECK_INT(pxr_reconstruct(code, 0, have, want), PXR_OK);
    CHECK(stripe_intact(&out, NULL));
    stripe_free(&full);
    stripe_free(&out);
    pxr_code_free(code);
}

int main(int argc, char **argv)
{
    check_start("test_code_reconstruct", argc, argv);
    judge_start();
    check_forced_kernels();
    for (int matrix = PXR_ISAL_VAND; matrix < PXR_CUSTOM; matrix++) {
        test_every_pattern(4, 2, (enum pxr_matrix)matrix);
        test_random_patterns(9, 2, (enum pxr_matrix)matrix, 30);
    }
    test_every_pattern(1, 3, PXR_JERASURE_VAN);
    test_every_pattern(5, 3, PXR_KLAUSPOST_VAND);
    test_every_pattern(2, 5, PXR_ISAL_CAUCHY);
    test_every_pattern(5, 1, PXR_ISAL_VAND);
    test_random_patterns(10, 4, PXR_ISAL_CAUCHY, 150);
    test_random_patterns(12, 4, PXR_ISAL_VAND, 100);
    test_random_patterns(20, 10, PXR_KLAUSPOST_VAND, 60);
    test_random_patterns(200, 20, PXR_ISAL_CAUCHY, 12);
    test_random_patterns(200, 55, PXR_JERASURE_VAN, 8);
    test_random_patterns(128, 128, PXR_KLAUSPOST_VAND, 4);
    test_random_patterns(3, 252, PXR_ISAL_VAND, 4);
    test_parity_only();
    test_long_shards();
    test_not_mds();
    test_singular_of_no_length();
    test_refused();
    return check_finish();
}
