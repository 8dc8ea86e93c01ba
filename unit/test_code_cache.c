/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cache of reconstruction plans: bounded, least recently used out first,
 * correct when several threads share a code.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "code.h"
#include "judge.h"
#include "kernels.h"
#include "stripe.h"

static struct pxr_shard_set set_of(const bool *chosen, unsigned total)
{
    struct pxr_shard_set set = {{0}};
    for (unsigned i = 0; i < total; i++)
        if (chosen[i])
            pxr_set_add(&set, i);
    return set;
}

/* The plan for losing exactly the shards of `lost` and wanting them all. */
static struct pxr_plan *plan_for(const pxr_code *code, const bool *lost)
{
    unsigned total = code->k + code->m;
    bool have[PXR_MAX_SHARDS];
    for (unsigned i = 0; i < total; i++)
        have[i] = !lost[i];
    struct pxr_shard_set survivors = set_of(have, total), wanted = set_of(lost, total);
    struct pxr_plan *plan = NULL;
    CHECK_INT(pxr_plan_get(code, &survivors, &wanted, &plan), PXR_OK);
    return plan;
}

/* The `number`th way to lose two of the shards. */
static struct pxr_plan *pair_plan(const pxr_code *code, unsigned number)
{
    unsigned total = code->k + code->m, a = 0;
    for (; number >= total - 1 - a; a++)
        number -= total - 1 - a;
    bool lost[PXR_MAX_SHARDS] = {false};
    lost[a] = lost[a + 1 + number] = true;
    return plan_for(code, lost);
}

static void check_bounds(const struct pxr_plan_cache *cache)
{
    unsigned plans = 0;
    size_t bytes = 0;
    for (const struct pxr_plan *plan = cache->newest; plan; plan = plan->older) {
        plans++;
        bytes += plan->bytes;
    }
    CHECK_INT(cache->plans, plans);
    CHECK_INT((long long)cache->bytes, (long long)bytes);
    CHECK(plans <= PXR_PLANS_MAX);
    CHECK(bytes <= PXR_PLAN_BYTES_MAX);
}

/* ------------------------------------------------------------- sharing -- */

static void test_sharing(void)
{
    if (!check_case("equal patterns share a plan"))
        return;
    pxr_code *code = stripe_code(6, 4, PXR_ISAL_CAUCHY);
    struct pxr_shard_set survivors = {{0x3fd}}, wanted = {{2}};
    struct pxr_plan *first, *second, *third, *other;
    CHECK_INT(pxr_plan_get(code, &survivors, &wanted, &first), PXR_OK);
    CHECK_INT(pxr_plan_get(code, &survivors, &wanted, &second), PXR_OK);
    CHECK(first == second);
    CHECK_INT(atomic_load(&first->users), 3);
    /* the last parity shard makes no difference */
    survivors.word[0] = 0x1fd;
    CHECK_INT(pxr_plan_get(code, &survivors, &wanted, &third), PXR_OK);
    CHECK(first == third);
    /* the first one does */
    survivors.word[0] = 0x3bd;
    CHECK_INT(pxr_plan_get(code, &survivors, &wanted, &other), PXR_OK);
    CHECK(first != other);
    CHECK_INT(code->cache->plans, 2);
    pxr_plan_release(first);
    pxr_plan_release(second);
    pxr_plan_release(third);
    pxr_plan_release(other);
    pxr_code_free(code);
}

/* ------------------------------------------------------------ eviction -- */

/* Rebuilds by a plan, on the side of the cache. */
static void check_plan(const pxr_code *code, const struct pxr_plan *plan)
{
    struct stripe full = stripe_random(code, 40);
    for (unsigned t = 0; t < plan->targets; t++) {
        uint8_t coefficients[PXR_MAX_SHARDS], got[40] = {0};
        const uint8_t *src[PXR_MAX_SHARDS];
        for (unsigned i = 0; i < code->k; i++) {
            coefficients[i] =
                plan->rows.form[PXR_TABLES][((size_t)t * code->k + i) * PXR_TABLE + 1];
            src[i] = full.shard[plan->source[i]];
        }
        judge_dot(40, code->k, coefficients, src, got);
        CHECK_BYTES(got, full.shard[plan->target[t]], 40);
    }
    stripe_free(&full);
}

static void test_oldest_goes_first(void)
{
    if (!check_case("least recently used goes first"))
        return;
    /* 64 choose 2 pairs are 2016 patterns */
    pxr_code *code = stripe_code(60, 4, PXR_ISAL_CAUCHY);
    struct pxr_plan *kept = pair_plan(code, 0), *left = pair_plan(code, 1);
    unsigned most = 0;
    for (unsigned i = 2; i < 2016; i++) {
        pxr_plan_release(pair_plan(code, i));
        pxr_plan_release(pair_plan(code, 0)); /* in use all the time */
        most = code->cache->plans > most ? code->cache->plans : most;
    }
    check_bounds(code->cache);
    CHECK_INT(most, PXR_PLANS_MAX);

    /* What is in use is still there.  What was left alone is not, but whoever
       holds it can go on using it. */
    struct pxr_plan *again = pair_plan(code, 0), *anew = pair_plan(code, 1);
    CHECK(again == kept);
    CHECK(anew != left);
    CHECK_INT(atomic_load(&left->users), 1);
    check_plan(code, kept);
    check_plan(code, left);
    check_plan(code, anew);
    pxr_plan_release(kept);
    pxr_plan_release(left);
    pxr_plan_release(again);
    pxr_plan_release(anew);
    pxr_code_free(code);
}

static void test_bytes_are_bounded(void)
{
    if (!check_case("bytes are bounded"))
        return;
    pxr_code *code = stripe_code(128, 127, PXR_ISAL_CAUCHY);
    for (unsigned trial = 0; trial < 24; trial++) {
        bool lost[PXR_MAX_SHARDS];
        stripe_choose(lost, 255, 127);
        struct pxr_plan *plan = plan_for(code, lost);
        CHECK_INT(plan->targets, 127);
        pxr_plan_release(plan);
        check_bounds(code->cache);
    }
    CHECK(code->cache->plans < 24);
    CHECK(code->cache->plans > 10);
    pxr_code_free(code);
}

/* -------------------------------------------------------------- threads -- */

#define THREADS 4

struct shared {
    const pxr_code *code;
    const struct stripe *full;
    unsigned number, times;
};

/* Random losses, few enough kinds that threads meet, many enough that the
   cache overflows meanwhile. */
static void *rebuild(void *argument)
{
    const struct shared *shared = argument;
    const struct stripe *full = shared->full;
    unsigned total = full->k + full->m;
    check_stream(shared->number);
    struct stripe out = stripe_blank(full->k, full->m, full->len);
    for (unsigned trial = 0; trial < shared->times; trial++) {
        bool lost[PXR_MAX_SHARDS];
        const uint8_t *have[PXR_MAX_SHARDS];
        uint8_t *want[PXR_MAX_SHARDS];
        stripe_choose(lost, total, full->m);
        for (unsigned i = 0; i < total; i++) {
            have[i] = lost[i] ? NULL : full->shard[i];
            want[i] = lost[i] && check_random() % 4 ? out.shard[i] : NULL;
        }
        CHECK_INT(pxr_reconstruct(shared->code, full->len, have, want), PXR_OK);
        for (unsigned i = 0; i < total; i++)
            if (want[i])
                CHECK_BYTES(want[i], full->shard[i], full->len);
    }
    stripe_free(&out);
    return NULL;
}

static void test_threads(unsigned k, unsigned m, unsigned times)
{
    if (!check_case("%d threads rebuild with one code of %u+%u", THREADS, k, m))
        return;
    pxr_code *code = stripe_code(k, m, PXR_ISAL_CAUCHY);
    struct stripe full = stripe_random(code, 129);
    pthread_t thread[THREADS];
    struct shared shared[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        shared[i] = (struct shared){code, &full, i + 1, times};
        if (!CHECK_INT(pthread_create(&thread[i], NULL, rebuild, &shared[i]), 0))
            exit(2);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    check_bounds(code->cache);
    stripe_free(&full);
    pxr_code_free(code);
}

int main(int argc, char **argv)
{
    check_start("test_code_cache", argc, argv);
    judge_start();
    check_forced_kernels();
    test_sharing();
    test_oldest_goes_first();
    test_bytes_are_bounded();
    test_threads(3, 2, check_effort(500));
    test_threads(8, 4, check_effort(1500));
    test_threads(120, 100, check_effort(12));
    return check_finish();
}
