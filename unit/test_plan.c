/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans of permxor.h: what they read and write, that their results are right with every matrix
 * and kernel set, that they depend neither on the code nor on the selected kernel set, and
 * which arguments are refused.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "judge.h"
#include "stripe.h"

/* Which shards are there, and which are asked for. */
struct request {
    uint8_t have[PXR_MAX_SHARDS], want[PXR_MAX_SHARDS];
};

static pxr_plan *make_plan(const pxr_code *code, const struct request *request)
{
    pxr_plan *plan = NULL;
    struct pxr_error why = {""};
    if (!CHECK_INT(pxr_plan_create(&plan, code, request->have, request->want, &why), PXR_OK))
        CHECK_STR(why.text, "");
    return plan;
}

/* Loses `lost` shards at random, and wants each of them with probability 1/chance. */
static struct request random_request(unsigned total, unsigned lost, unsigned chance)
{
    struct request request = {{0}, {0}};
    bool chosen[PXR_MAX_SHARDS];
    stripe_choose(chosen, total, lost);
    for (unsigned i = 0; i < total; i++) {
        /* any value except 0 means yes */
        request.have[i] = chosen[i] ? 0 : (uint8_t)(1 + check_below(255));
        request.want[i] = chosen[i] && check_below(chance) == 0 ? 0x80 : 0;
    }
    return request;
}

/* Applies a plan to a stripe.  The plan gets only the shards that it says it reads. */
static void apply_once(const pxr_plan *plan, const struct stripe *full)
{
    struct stripe out = stripe_blank(full->k, full->m, full->len);
    uint8_t *have[PXR_MAX_SHARDS] = {NULL}, *want[PXR_MAX_SHARDS] = {NULL};
    const uint16_t *reads, *writes;
    bool written[PXR_MAX_SHARDS] = {false};
    const unsigned sources = pxr_plan_reads(plan, &reads);
    const unsigned targets = pxr_plan_writes(plan, &writes);
    for (unsigned i = 0; i < sources; i++)
        have[reads[i]] = full->shard[reads[i]];
    for (unsigned i = 0; i < targets; i++) {
        want[writes[i]] = out.shard[writes[i]];
        written[writes[i]] = true;
    }
    CHECK_INT(pxr_plan_apply(plan, full->len, have, want), PXR_OK);
    for (unsigned i = 0; i < targets; i++)
        CHECK_BYTES(out.shard[writes[i]], full->shard[writes[i]], full->len);
    CHECK(stripe_intact(&out, written));
    stripe_free(&out);
}

/* Checks that both lists ascend, that the shards which are read are there, and that the shards
   which are written are the wanted ones. */
static void check_lists(const pxr_code *code, const pxr_plan *plan,
                        const struct request *request)
{
    const uint16_t *reads, *writes;
    const unsigned sources = pxr_plan_reads(plan, &reads);
    const unsigned targets = pxr_plan_writes(plan, &writes);
    unsigned wanted = 0;
    CHECK_INT(pxr_plan_reads(plan, NULL), sources);
    CHECK_INT(pxr_plan_writes(plan, NULL), targets);
    CHECK(sources <= pxr_code_k(code));
    for (unsigned i = 0; i < sources; i++)
        CHECK(request->have[reads[i]] && (i == 0 || reads[i - 1] < reads[i]));
    for (unsigned i = 0; i < pxr_code_k(code) + pxr_code_m(code); i++)
        if (request->want[i])
            CHECK(wanted < targets && writes[wanted++] == i);
    CHECK_INT(wanted, targets);
}

/* Checks that a change of any shard that is read changes a shard that is written. */
static void check_all_matter(const pxr_code *code, const pxr_plan *plan)
{
    const uint16_t *reads, *writes;
    uint8_t *have[PXR_MAX_SHARDS] = {NULL}, *want[PXR_MAX_SHARDS] = {NULL};
    uint8_t in[PXR_MAX_SHARDS] = {0}, out[PXR_MAX_SHARDS];
    const unsigned sources = pxr_plan_reads(plan, &reads);
    const unsigned targets = pxr_plan_writes(plan, &writes);
    for (unsigned i = 0; i < pxr_code_k(code) + pxr_code_m(code); i++) {
        have[i] = &in[i];
        want[i] = &out[i];
    }
    for (unsigned i = 0; i < sources; i++) {
        bool changed = false;
        in[reads[i]] = 1;
        CHECK_INT(pxr_plan_apply(plan, 1, have, want), PXR_OK);
        for (unsigned t = 0; t < targets; t++)
            changed |= out[writes[t]] != 0;
        CHECK(changed);
        in[reads[i]] = 0;
    }
}

/* ------------------------------------------------------- every matrix -- */

static void test_every_pattern(unsigned k, unsigned m, enum pxr_matrix matrix)
{
    if (!check_case("every loss of %s %u+%u", pxr_matrix_name(matrix), k, m))
        return;
    pxr_code *code = stripe_code(k, m, matrix);
    struct stripe full = stripe_random(code, 37);
    for (unsigned pattern = 1; pattern < 1u << (k + m); pattern++) {
        if ((unsigned)__builtin_popcount(pattern) > m)
            continue;
        for (unsigned part = 0; part < 2; part++) {
            struct request request = {{0}, {0}};
            for (unsigned i = 0; i < k + m; i++) {
                request.have[i] = !(pattern >> i & 1);
                request.want[i] = !request.have[i] && (part == 0 || check_random() & 1);
            }
            check_at("lost 0x%lx", pattern, 0, 0, 0);
            pxr_plan *plan = make_plan(code, &request);
            check_lists(code, plan, &request);
            check_all_matter(code, plan);
            apply_once(plan, &full);
            /* in an MDS code, each lost shard depends on k others */
            if (pxr_plan_writes(plan, NULL) > 0)
                CHECK_INT(pxr_plan_reads(plan, NULL), k);
            pxr_plan_free(plan);
        }
    }
    stripe_free(&full);
    pxr_code_free(code);
}

static void test_random_patterns(unsigned k, unsigned m, enum pxr_matrix matrix, unsigned times)
{
    if (!check_case("random losses of %s %u+%u", pxr_matrix_name(matrix), k, m))
        return;
    pxr_code *code = stripe_code(k, m, matrix);
    for (unsigned trial = 0; trial < check_effort(times); trial++) {
        const unsigned lost = 1 + (unsigned)check_below(m);
        const struct request request = random_request(k + m, lost, trial % 3 + 1);
        pxr_plan *plan = make_plan(code, &request);
        check_at("trial %ld: %ld lost", trial, lost, 0, 0);
        check_lists(code, plan, &request);
        check_all_matter(code, plan);
        for (unsigned stripe = 0; stripe < 3; stripe++) {
            struct stripe full = stripe_random(code, check_below(stripe ? 300 : 5000));
            apply_once(plan, &full);
            stripe_free(&full);
        }
        pxr_plan_free(plan);
    }
    pxr_code_free(code);
}

/* ------------------------------------------------------ codes that are not MDS -- */

/* The shards from which lost shards of a local code must be rebuilt; 99 ends a list. */
struct repair {
    uint8_t lost[5], want[5];
    uint16_t reads[13];
};

static void repair_all(const uint8_t rows[4][12], const struct repair *repairs, unsigned count)
{
    pxr_code *code;
    CHECK_INT(pxr_code_create_custom(&code, 12, 4, rows[0], PXR_ASSUME_MDS, NULL), PXR_OK);
    struct stripe full = stripe_random(code, 777);
    for (unsigned n = 0; n < count; n++) {
        struct request request = {{0}, {0}};
        memset(request.have, 1, 16);
        for (unsigned i = 0; repairs[n].lost[i] != 99; i++)
            request.have[repairs[n].lost[i]] = 0;
        for (unsigned i = 0; repairs[n].want[i] != 99; i++)
            request.want[repairs[n].want[i]] = 1;
        check_at("repair %ld", n, 0, 0, 0);
        pxr_plan *plan = make_plan(code, &request);
        const uint16_t *reads;
        unsigned expected = 0;
        while (repairs[n].reads[expected] != 99)
            expected++;
        if (CHECK_INT(pxr_plan_reads(plan, &reads), expected))
            CHECK_BYTES(reads, repairs[n].reads, expected * sizeof *reads);
        check_lists(code, plan, &request);
        check_all_matter(code, plan);
        apply_once(plan, &full);

        /* pxr_reconstruct() must not read the other shards, even if they are there */
        uint8_t *want[16], out[4][777];
        uint8_t *have[16];
        for (unsigned i = 0, t = 0; i < 16; i++) {
            static uint8_t never_read[1];
            have[i] = request.have[i] ? never_read : NULL;
            want[i] = request.want[i] ? out[t++] : NULL;
        }
        for (unsigned i = 0; i < expected; i++)
            have[reads[i]] = full.shard[reads[i]];
        CHECK_INT(pxr_reconstruct(code, 777, have, want), PXR_OK);
        for (unsigned i = 0; i < 16; i++)
            if (want[i])
                CHECK_BYTES(want[i], full.shard[i], 777);
        pxr_plan_free(plan);
    }
    stripe_free(&full);
    pxr_code_free(code);
}

/* Twelve data shards in two groups of six.  Each group has a parity shard, and two more parity
   shards cover all data.  This is the shape of Azure's local reconstruction code. */
static void test_local_groups(void)
{
    static const uint8_t rows[4][12] = {{1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0},
                                        {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1},
                                        {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13},
                                        {4, 5, 16, 17, 20, 21, 64, 65, 68, 69, 80, 81}};
    static const struct repair repairs[] = {
        {{3, 99}, {3, 99}, {0, 1, 2, 4, 5, 12, 99}},
        {{11, 99}, {11, 99}, {6, 7, 8, 9, 10, 13, 99}},
        {{12, 99}, {12, 99}, {0, 1, 2, 3, 4, 5, 99}},
        {{0, 13, 99}, {0, 99}, {1, 2, 3, 4, 5, 12, 99}},
        {{0, 6, 99}, {6, 99}, {7, 8, 9, 10, 11, 13, 99}},
        {{0, 6, 99}, {0, 6, 99}, {1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 99}},
        {{0, 1, 99}, {0, 99}, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 99}},
        {{0, 1, 6, 99}, {6, 99}, {7, 8, 9, 10, 11, 13, 99}},
        {{0, 12, 99}, {0, 99}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 99}},
        {{14, 99}, {14, 99}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 99}},
    };
    if (check_case("a shard of a local group is rebuilt from its group"))
        repair_all(rows, repairs, sizeof repairs / sizeof repairs[0]);

    /* the same code, with the parity shards of all data first, as shards 12 and 13 */
    static const uint8_t global_first[4][12] = {{2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13},
                                                {4, 5, 16, 17, 20, 21, 64, 65, 68, 69, 80, 81},
                                                {1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0},
                                                {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}};
    static const struct repair global_repairs[] = {
        {{3, 99}, {3, 99}, {0, 1, 2, 4, 5, 14, 99}},
        {{0, 6, 99}, {6, 99}, {7, 8, 9, 10, 11, 15, 99}},
        {{0, 1, 99}, {0, 99}, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 99}},
    };
    if (check_case("a shard of a local group, with the groups' rows last"))
        repair_all(global_first, global_repairs,
                   sizeof global_repairs / sizeof global_repairs[0]);
}

/* Small random matrices; half of them have only zeros and ones.  There must be a plan exactly
   where pxr_reconstruct() can rebuild. */
static void test_not_mds(void)
{
    if (!check_case("codes that are not MDS"))
        return;
    unsigned seen[2] = {0, 0};
    for (unsigned trial = 0; trial < 6 + check_effort(54); trial++) {
        const unsigned k = 2 + (unsigned)check_below(3), m = 2 + (unsigned)check_below(3);
        uint8_t rows[16];
        for (unsigned i = 0; i < sizeof rows; i++)
            rows[i] = (uint8_t)check_below(trial % 2 ? 2 : 4);
        pxr_code *code;
        CHECK_INT(pxr_code_create_custom(&code, k, m, rows, PXR_ASSUME_MDS, NULL), PXR_OK);
        struct stripe full = stripe_random(code, 21);
        for (unsigned round = 0; round < 40; round++) {
            const struct request request =
                random_request(k + m, 1 + (unsigned)check_below(m), 1);
            struct stripe out = stripe_blank(k, m, 21);
            uint8_t *have[8];
            uint8_t *want[8];
            for (unsigned i = 0; i < k + m; i++) {
                have[i] = request.have[i] ? full.shard[i] : NULL;
                want[i] = request.want[i] ? out.shard[i] : NULL;
            }
            const int status = pxr_reconstruct(code, 21, have, want);
            stripe_free(&out);
            check_at("trial %ld: k=%ld m=%ld", trial, k, m, 0);
            pxr_plan *plan = NULL;
            CHECK_INT(pxr_plan_create(&plan, code, request.have, request.want, NULL), status);
            CHECK_INT(plan != NULL, status == PXR_OK);
            seen[plan != NULL]++;
            if (plan) {
                check_lists(code, plan, &request);
                check_all_matter(code, plan);
                apply_once(plan, &full);
            }
            pxr_plan_free(plan);
        }
        stripe_free(&full);
        pxr_code_free(code);
    }
    CHECK(seen[0] > check_effort(100) && seen[1] > check_effort(100));
}

/* A parity shard that depends on no data. */
static void test_nothing_read(void)
{
    if (!check_case("a parity shard that depends on no data"))
        return;
    static const uint8_t rows[] = {0, 0, 0, 1, 2, 3};
    pxr_code *code;
    CHECK_INT(pxr_code_create_custom(&code, 3, 2, rows, PXR_ASSUME_MDS, NULL), PXR_OK);
    const struct request request = {{1, 1, 1, 0, 1}, {0, 0, 0, 1, 0}};
    pxr_plan *plan = make_plan(code, &request);
    CHECK_INT(pxr_plan_reads(plan, NULL), 0);
    for (size_t len = 0; len < 700; len += 1 + len / 3) {
        struct stripe full = stripe_random(code, len);
        apply_once(plan, &full);
        stripe_free(&full);
    }
    pxr_plan_free(plan);
    pxr_code_free(code);
}

/* ---------------------------------------------------------- on its own -- */

/* Calls `use` with each usable kernel set selected, or only with the forced set. */
static void with_each_set(void (*use)(const pxr_plan *, const struct stripe *),
                          const pxr_plan *plan, const struct stripe *full)
{
    const char *forced = getenv("PERMXOR_KERNELS");
    struct pxr_kernel_info info;
    for (unsigned i = 0; pxr_kernel_info(i, &info, sizeof info) == PXR_OK; i++) {
        if (!info.usable || (forced && *forced && strcmp(info.name, forced) != 0))
            continue;
        CHECK_INT(pxr_kernel_select(info.name), PXR_OK);
        use(plan, full);
    }
    CHECK_INT(pxr_kernel_select(NULL), PXR_OK);
}

/* Makes a plan with one set selected, frees the code, and applies the plan with every set. */
static void test_changed_selection(void)
{
    if (!check_case("a plan is applied with other kernel sets, after its code was freed"))
        return;
    struct pxr_kernel_info info;
    static const struct {
        unsigned k, m;
        enum pxr_matrix matrix;
    } codes[] = {{10, 4, PXR_ISAL_CAUCHY},
                 {6, 3, PXR_JERASURE_VAN},
                 {5, 2, PXR_JERASURE_R6},
                 {30, 20, PXR_KLAUSPOST_VAND}};
    for (unsigned i = 0; pxr_kernel_info(i, &info, sizeof info) == PXR_OK; i++) {
        if (!info.usable)
            continue;
        for (unsigned c = 0; c < sizeof codes / sizeof codes[0]; c++) {
            CHECK_INT(pxr_kernel_select(info.name), PXR_OK);
            pxr_code *code = stripe_code(codes[c].k, codes[c].m, codes[c].matrix);
            struct stripe full = stripe_random(code, 2500 + check_below(100));
            const struct request request =
                random_request(codes[c].k + codes[c].m, codes[c].m, 1);
            pxr_plan *plan = make_plan(code, &request);
            pxr_code_free(code);
            with_each_set(apply_once, plan, &full);
            pxr_plan_free(plan);
            stripe_free(&full);
        }
    }
}

/* ------------------------------------------------------------- refusal -- */

static void refuse(const pxr_code *code, const uint8_t *have, const uint8_t *want, int status,
                   const char *text)
{
    static char object;
    pxr_plan *plan = (pxr_plan *)(void *)&object;
    struct pxr_error why = {"untouched"};
    CHECK_INT(pxr_plan_create(&plan, code, have, want, &why), status);
    CHECK(plan == NULL);
    CHECK_STR(why.text, text);
    CHECK_INT(pxr_plan_create(&plan, code, have, want, NULL), status);
}

static void test_refused(void)
{
    if (!check_case("pxr_plan_create refuses"))
        return;
    pxr_code *code = stripe_code(4, 3, PXR_ISAL_CAUCHY);
    static const char null[] = "plan, code, have or want is NULL";
    const uint8_t have[] = {1, 0, 1, 0, 1, 1, 0}, want[] = {0, 1, 0, 0, 0, 0, 1};
    struct pxr_error why;
    CHECK_INT(pxr_plan_create(NULL, code, have, want, &why), PXR_EINVAL);
    CHECK_STR(why.text, null);
    refuse(NULL, have, want, PXR_EINVAL, null);
    refuse(code, NULL, want, PXR_EINVAL, null);
    refuse(code, have, NULL, PXR_EINVAL, null);
    refuse(code, have, (const uint8_t[]){0, 1, 0, 0, 0, 1, 1}, PXR_EINVAL,
           "shard 5 is in both have and want");
    /* the same error if too few shards are left */
    const uint8_t few[] = {1, 0, 1, 0, 0, 1, 0};
    refuse(code, few, (const uint8_t[]){0, 0, 0, 0, 0, 7, 1}, PXR_EINVAL,
           "shard 5 is in both have and want");
    refuse(code, few, want, PXR_ETOOFEW,
           "only 3 shards are in have, but a code of 4+3 needs 4");
    refuse(code, few, (const uint8_t[7]){0}, PXR_ETOOFEW,
           "only 3 shards are in have, but a code of 4+3 needs 4");
    pxr_code_free(code);

    code = stripe_code(100, 50, PXR_ISAL_CAUCHY);
    struct request request = {{0}, {0}};
    memset(request.have, 1, 150);
    request.want[149] = 1;
    refuse(code, request.have, request.want, PXR_EINVAL, "shard 149 is in both have and want");
    pxr_code_free(code);

    static const uint8_t rows[] = {1, 1, 2, 2};
    CHECK_INT(pxr_code_create_custom(&code, 2, 2, rows, PXR_ASSUME_MDS, NULL), PXR_OK);
    refuse(code, (const uint8_t[]){0, 0, 1, 1}, (const uint8_t[]){1, 0, 0, 0}, PXR_ESINGULAR,
           "these shards are not enough to restore the data: the matrix is not MDS");
    pxr_code_free(code);
    pxr_plan_free(NULL);
}

/* Pointers that a plan uses must not be NULL, and all other pointers may be NULL. */
static void test_apply_refused(void)
{
    if (!check_case("pxr_plan_apply refuses"))
        return;
    pxr_code *code = stripe_code(4, 3, PXR_ISAL_CAUCHY);
    struct stripe full = stripe_random(code, 50), out = stripe_blank(4, 3, 50);
    const struct request request = {{1, 0, 1, 0, 1, 1, 1}, {0, 1, 0, 1, 0, 0, 0}};
    pxr_plan *plan = make_plan(code, &request);
    uint8_t *have[7] = {full.shard[0], NULL,          full.shard[2], NULL,
                        full.shard[4], full.shard[5], NULL};
    uint8_t *want[7] = {NULL, out.shard[1], NULL, out.shard[3], NULL, NULL, NULL};
    CHECK_INT(pxr_plan_apply(NULL, 50, have, want), PXR_EINVAL);
    CHECK_INT(pxr_plan_apply(plan, 50, NULL, want), PXR_EINVAL);
    CHECK_INT(pxr_plan_apply(plan, 50, have, NULL), PXR_EINVAL);
    for (size_t len = 0; len <= 50; len += 50)
        for (unsigned i = 0; i < 7; i++) {
            uint8_t *had = have[i];
            uint8_t *wanted = want[i];
            have[i] = NULL;
            want[i] = NULL;
            if (had || wanted)
                CHECK_INT(pxr_plan_apply(plan, len, have, want), PXR_EINVAL);
            have[i] = had;
            want[i] = wanted;
        }
    CHECK_INT(pxr_plan_apply(plan, 0, have, want), PXR_OK);
    CHECK(stripe_intact(&out, NULL));
    pxr_plan_free(plan);

    /* nothing is wanted, of a code that could not rebuild the lost shards */
    static const uint8_t rows[] = {1, 1, 2, 2};
    pxr_code *singular;
    CHECK_INT(pxr_code_create_custom(&singular, 2, 2, rows, PXR_ASSUME_MDS, NULL), PXR_OK);
    const struct request nothing = {{0, 0, 1, 1}, {0}};
    plan = make_plan(singular, &nothing);
    CHECK_INT(pxr_plan_reads(plan, NULL), 0);
    CHECK_INT(pxr_plan_writes(plan, NULL), 0);
    have[0] = NULL;
    CHECK_INT(pxr_plan_apply(plan, 50, have, want), PXR_OK);
    CHECK(stripe_intact(&out, NULL));
    pxr_plan_free(plan);
    pxr_code_free(singular);
    stripe_free(&full);
    stripe_free(&out);
    pxr_code_free(code);
}

/* -------------------------------------------------------------- threads -- */

#define THREADS 4

struct shared {
    const pxr_plan *plan;
    const struct stripe *full;
};

static void *apply_often(void *argument)
{
    const struct shared *shared = argument;
    for (unsigned i = 0; i < check_effort(300); i++)
        apply_once(shared->plan, shared->full);
    return NULL;
}

static void no_use(const pxr_plan *plan, const struct stripe *full)
{
    CHECK(pxr_plan_reads(plan, NULL) == full->k);
}

static void test_threads(void)
{
    if (!check_case("%d threads apply a plan while sets are selected", THREADS))
        return;
    pxr_code *code = stripe_code(10, 4, PXR_ISAL_CAUCHY);
    struct stripe full = stripe_random(code, 1500);
    const struct request request = random_request(14, 4, 1);
    pxr_plan *plan = make_plan(code, &request);
    struct shared shared = {plan, &full};
    pthread_t thread[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        if (!CHECK_INT(pthread_create(&thread[i], NULL, apply_often, &shared), 0))
            exit(2);
    pxr_code_free(code);
    for (unsigned i = 0; i < 20; i++)
        with_each_set(no_use, plan, &full);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    pxr_plan_free(plan);
    stripe_free(&full);
}

int main(int argc, char **argv)
{
    check_start("test_plan", argc, argv);
    judge_start();
    check_forced_kernels();
    for (int matrix = PXR_ISAL_VAND; matrix < PXR_CUSTOM; matrix++) {
        test_every_pattern(4, 2, (enum pxr_matrix)matrix);
        test_random_patterns(9, 2, (enum pxr_matrix)matrix, 20);
    }
    test_every_pattern(1, 3, PXR_JERASURE_VAN);
    test_every_pattern(5, 3, PXR_KLAUSPOST_VAND);
    test_every_pattern(2, 5, PXR_ISAL_CAUCHY);
    test_every_pattern(5, 1, PXR_ISAL_VAND);
    test_random_patterns(10, 4, PXR_ISAL_CAUCHY, 60);
    test_random_patterns(12, 4, PXR_ISAL_VAND, 40);
    test_random_patterns(20, 10, PXR_KLAUSPOST_VAND, 20);
    test_random_patterns(200, 20, PXR_ISAL_CAUCHY, 4);
    test_random_patterns(128, 128, PXR_JERASURE_VAN, 2);
    test_random_patterns(3, 253, PXR_ISAL_VAND, 2);
    test_local_groups();
    test_not_mds();
    test_nothing_read();
    test_changed_selection();
    test_refused();
    test_apply_refused();
    test_threads();
    return check_finish();
}
