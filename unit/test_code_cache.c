/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plans that a code keeps.  Their number is bounded, and the least recently used plan is
 * discarded first.  No plan is freed while a call applies it.  The plans are correct when
 * several threads share a code, and also in the state in which a forked child may find them.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "code.h"
#include "judge.h"
#include "kernels.h"
#include "plan_cache.h"
#include "stripe.h"

/* Borrows the plan that rebuilds the shards of `lost` from all the others. */
static struct pxr_plan_lease lease_for(const pxr_code *code, const bool *lost)
{
    struct pxr_plan_key key = {{{0}}, {{0}}};
    struct pxr_plan_lease lease = {NULL, NULL};
    for (unsigned i = 0; i < code->k + code->m; i++)
        pxr_set_add(lost[i] ? &key.wanted : &key.survivors, i);
    CHECK_INT(pxr_plan_borrow(code, &key, &lease), PXR_OK);
    return lease;
}

/* Returns the number of pairs of shards that can be lost. */
static unsigned pairs(const pxr_code *code)
{
    return (code->k + code->m) * (code->k + code->m - 1) / 2;
}

/* Borrows the plan that rebuilds the pair with this number. */
static struct pxr_plan_lease lease_pair(const pxr_code *code, unsigned number)
{
    unsigned total = code->k + code->m, a = 0;
    for (; number >= total - 1 - a; a++)
        number -= total - 1 - a;
    bool lost[PXR_MAX_SHARDS] = {false};
    lost[a] = lost[a + 1 + number] = true;
    return lease_for(code, lost);
}

/* Borrows a pair's plan and gives it back, as a call does that applies the plan.  The result is
   for comparison only, because the plan may have been freed. */
static const struct pxr_plan *use_pair(const pxr_code *code, unsigned number)
{
    const struct pxr_plan_lease lease = lease_pair(code, number);
    pxr_plan_give_back(&lease);
    return lease.plan;
}

/* Counts the plans in the cache, and checks the bytes that they take. */
static unsigned count_plans(const pxr_code *code)
{
    const struct pxr_plan_cache *cache = atomic_load(&code->cache);
    unsigned plans = 0;
    size_t bytes = 0;
    for (unsigned i = 0; i < PXR_PLANS_MAX; i++) {
        const struct pxr_plan *plan = atomic_load(&cache->slot[i].plan);
        plans += plan != NULL;
        bytes += plan ? plan->bytes : 0;
    }
    CHECK_INT((long long)atomic_load(&cache->bytes), (long long)bytes);
    CHECK(bytes <= PXR_PLAN_BYTES_MAX);
    return plans;
}

/* Whether no plan is pinned and no slot is claimed. */
static bool at_rest(const pxr_code *code)
{
    const struct pxr_plan_cache *cache = atomic_load(&code->cache);
    unsigned busy = 0;
    for (unsigned i = 0; i < PXR_PLANS_MAX; i++) {
        busy += atomic_load(&cache->slot[i].claimed);
        for (unsigned s = 0; s < PXR_PLAN_STRIPES; s++)
            busy += atomic_load(&cache->pins[s][i]);
    }
    return busy == 0;
}

/* Whether the cache has a plan at this address. */
static bool has(const pxr_code *code, const struct pxr_plan *plan)
{
    const struct pxr_plan_cache *cache = atomic_load(&code->cache);
    for (unsigned i = 0; i < PXR_PLANS_MAX; i++)
        if (atomic_load(&cache->slot[i].plan) == plan)
            return true;
    return false;
}

/* Checks that a plan's coefficients rebuild its targets.  The judge computes with them, not the
   library. */
static void check_plan(const pxr_code *code, const struct pxr_plan *plan)
{
    struct stripe full = stripe_random(code, 40);
    for (unsigned t = 0; t < plan->targets; t++) {
        uint8_t coefficients[PXR_MAX_SHARDS], got[40] = {0};
        const uint8_t *src[PXR_MAX_SHARDS];
        for (unsigned i = 0; i < plan->sources; i++) {
            coefficients[i] = pxr_row_tables(&plan->map.rows, t)[i * PXR_TABLE + 1];
            src[i] = full.shard[plan->shard[i]];
        }
        judge_dot(40, plan->sources, coefficients, src, got);
        CHECK_BYTES(got, full.shard[pxr_plan_targets(plan)[t]], 40);
    }
    stripe_free(&full);
}

/* ------------------------------------------------------------- sharing -- */

static void test_sharing(void)
{
    if (!check_case("equal patterns share a plan"))
        return;
    pxr_code *code = stripe_code(6, 4, PXR_ISAL_CAUCHY);
    CHECK(atomic_load(&code->cache) == NULL); /* a code that only encodes has no cache */
    struct pxr_plan_key key = {{{0x3fd}}, {{2}}};
    struct pxr_plan_lease lease[4];
    CHECK_INT(pxr_plan_borrow(code, &key, &lease[0]), PXR_OK);
    CHECK_INT(pxr_plan_borrow(code, &key, &lease[1]), PXR_OK);
    CHECK(lease[0].plan == lease[1].plan);
    CHECK(lease[0].pin == lease[1].pin);
    CHECK_INT(atomic_load(lease[0].pin), 2);
    /* Without the last parity shard, which the plan does not read, the plan is the same. */
    key.survivors.word[0] = 0x1fd;
    CHECK_INT(pxr_plan_borrow(code, &key, &lease[2]), PXR_OK);
    CHECK(lease[0].plan == lease[2].plan);
    /* Without the first parity shard, which the plan reads, there is another plan. */
    key.survivors.word[0] = 0x3bd;
    CHECK_INT(pxr_plan_borrow(code, &key, &lease[3]), PXR_OK);
    CHECK(lease[0].plan != lease[3].plan);
    CHECK_INT(count_plans(code), 2);
    for (unsigned i = 0; i < 4; i++)
        pxr_plan_give_back(&lease[i]);
    CHECK(at_rest(code));
    pxr_code_free(code);
}

/* All losses of one to four shards of 8+4. */
static void test_room(void)
{
    if (!check_case("room for all patterns of 8+4"))
        return;
    pxr_code *code = stripe_code(8, 4, PXR_ISAL_CAUCHY);
    static const struct pxr_plan *plan[1 << 12];
    unsigned patterns = 0;
    for (unsigned round = 0; round < 2; round++)
        for (unsigned pattern = 1; pattern < 1 << 12; pattern++) {
            if (__builtin_popcount(pattern) > 4)
                continue;
            bool lost[PXR_MAX_SHARDS];
            for (unsigned i = 0; i < 12; i++)
                lost[i] = pattern >> i & 1;
            const struct pxr_plan_lease lease = lease_for(code, lost);
            check_at("lost 0x%lx", pattern, 0, 0, 0);
            CHECK(lease.pin != NULL);
            CHECK(round == 0 || lease.plan == plan[pattern]);
            plan[pattern] = lease.plan;
            patterns += round == 0;
            pxr_plan_give_back(&lease);
        }
    CHECK_INT(patterns, 793);
    CHECK_INT(count_plans(code), 793);
    pxr_code_free(code);
}

/* --------------------------------------------------------- replacement -- */

static void test_oldest_goes_first(uint32_t start)
{
    if (!check_case("the least recently used goes first, from time %lx", (unsigned long)start))
        return;
    pxr_code *code = stripe_code(60, 4, PXR_ISAL_CAUCHY);
    const struct pxr_plan *kept = use_pair(code, 0);
    struct pxr_plan_cache *cache = atomic_load(&code->cache);
    atomic_store(&cache->now, start);
    use_pair(code, 0);
    use_pair(code, 1);
    unsigned most = 0, recent = 0;
    for (unsigned i = 2; i < pairs(code); i++) {
        use_pair(code, i);
        CHECK(use_pair(code, 0) == kept);
        const unsigned plans = i % 16 ? 0 : count_plans(code);
        most = plans > most ? plans : most;
    }
    /* The last 100 of some 2000 plans are still there: a plan may be in two buckets of 16, so
       it is next to certain that these have room for it.  The time counts new plans. */
    const uint32_t now = atomic_load(&cache->now);
    for (unsigned i = pairs(code) - 100; i < pairs(code); i++) {
        use_pair(code, i);
        recent += atomic_load(&cache->now) == now;
    }
    CHECK_INT(recent, 100);
    use_pair(code, 1);
    CHECK_INT(atomic_load(&cache->now), now + 1); /* the unused plan is gone, and made anew */
    CHECK(most > PXR_PLANS_MAX - 50);
    CHECK(at_rest(code));
    pxr_code_free(code);
}

/* A plan stays in the cache while a call applies it.  Meanwhile the others are replaced. */
static void test_applied_stays(void)
{
    if (!check_case("a plan in use stays in the cache"))
        return;
    pxr_code *code = stripe_code(60, 4, PXR_ISAL_CAUCHY);
    const struct pxr_plan_lease lease = lease_pair(code, 5);
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = 6; i < pairs(code); i++)
            use_pair(code, i);
    CHECK(has(code, lease.plan));
    CHECK(use_pair(code, 5) == lease.plan);
    check_plan(code, lease.plan);
    pxr_plan_give_back(&lease);
    for (unsigned i = 6; i < pairs(code); i++)
        use_pair(code, i);
    CHECK(count_plans(code) > PXR_PLANS_MAX - 50);
    CHECK(at_rest(code));
    pxr_code_free(code);
}

/* More plans are in use at once than the cache has room for. */
static void test_exhaustion(void)
{
    if (!check_case("more plans in use than the cache has room for"))
        return;
    pxr_code *code = stripe_code(60, 4, PXR_ISAL_CAUCHY);
    static struct pxr_plan_lease lease[2016];
    unsigned kept = 0;
    for (unsigned i = 0; i < pairs(code); i++) {
        lease[i] = lease_pair(code, i);
        kept += lease[i].pin != NULL;
    }
    CHECK_INT(count_plans(code), kept);
    CHECK(kept <= PXR_PLANS_MAX);
    CHECK(kept > PXR_PLANS_MAX - 50);
    for (unsigned i = 0; i < pairs(code); i += 10) {
        CHECK_INT(has(code, lease[i].plan), lease[i].pin != NULL);
        check_plan(code, lease[i].plan);
    }
    for (unsigned i = 0; i < pairs(code); i++)
        pxr_plan_give_back(&lease[i]);
    CHECK(at_rest(code));
    pxr_code_free(code);
}

static struct pxr_plan_lease lease_widest(const pxr_code *code)
{
    bool lost[PXR_MAX_SHARDS];
    stripe_choose(lost, 255, 127);
    const struct pxr_plan_lease lease = lease_for(code, lost);
    CHECK_INT(lease.plan->targets, 127);
    return lease;
}

/* How many plans of 127 rows fit in PXR_PLAN_BYTES_MAX.  Each plan has 40 bytes for every
   coefficient, in both forms together, and the constants of its structure. */
#define FIT 11

static void test_bytes_are_bounded(void)
{
    if (!check_case("the bytes of the plans are bounded"))
        return;
    pxr_code *code = stripe_code(128, 127, PXR_ISAL_CAUCHY);
    struct pxr_plan_lease lease[20];
    for (unsigned trial = 0; trial < 20; trial++) {
        lease[0] = lease_widest(code);
        CHECK(lease[0].pin != NULL);
        pxr_plan_give_back(&lease[0]);
        CHECK(count_plans(code) <= FIT);
    }
    CHECK_INT(count_plans(code), FIT);
    /* While all plans in the cache are in use, any further plan is not kept. */
    unsigned kept = 0;
    for (unsigned i = 0; i < 20; i++) {
        lease[i] = lease_widest(code);
        kept += lease[i].pin != NULL;
        CHECK(count_plans(code) <= FIT);
    }
    CHECK_INT(kept, FIT);
    for (unsigned i = 0; i < 20; i++)
        pxr_plan_give_back(&lease[i]);
    CHECK(at_rest(code));
    pxr_code_free(code);
}

/* -------------------------------------------------- as in a forked child -- */

/* Threads that no longer exist have pinned plans and claimed slots. */
static void test_left_behind(void)
{
    if (!check_case("pins and claims that are never released"))
        return;
    pxr_code *code = stripe_code(60, 4, PXR_ISAL_CAUCHY);
    use_pair(code, 0);
    struct pxr_plan_cache *cache = atomic_load(&code->cache);
    for (unsigned i = 1; i < pairs(code); i++)
        use_pair(code, i);
    static const struct pxr_plan *pinned[PXR_PLANS_MAX];
    for (unsigned i = 0; i < PXR_PLANS_MAX; i += 4) {
        pinned[i] = atomic_load(&cache->slot[i].plan);
        atomic_fetch_add(&cache->pins[i / 4 % PXR_PLAN_STRIPES][i], 1);
        atomic_store(&cache->slot[i + 1].claimed, 1);
        pinned[i + 1] = atomic_load(&cache->slot[i + 1].plan);
    }
    /* These plans are found, but never replaced.  The other plans are replaced. */
    const uint32_t before = atomic_load(&cache->now);
    for (unsigned i = 0; i < pairs(code); i++)
        check_plan(code, use_pair(code, i));
    CHECK(atomic_load(&cache->now) - before > 500);
    for (unsigned i = 0; i < PXR_PLANS_MAX; i++)
        if (i % 4 < 2)
            CHECK(atomic_load(&cache->slot[i].plan) == pinned[i]);

    /* With all slots claimed, no plan is replaced any more. */
    for (unsigned i = 0; i < PXR_PLANS_MAX; i++)
        atomic_store(&cache->slot[i].claimed, 1);
    const uint32_t last = atomic_load(&cache->now);
    unsigned found = 0;
    for (unsigned i = 0; i < pairs(code); i++) {
        const struct pxr_plan_lease lease = lease_pair(code, i);
        found += lease.pin != NULL;
        if (i % 10 == 0)
            check_plan(code, lease.plan);
        pxr_plan_give_back(&lease);
    }
    CHECK_INT(found, count_plans(code));
    CHECK_INT(atomic_load(&cache->now), last);
    pxr_code_free(code);
}

/* -------------------------------------------------------------- threads -- */

#define THREADS 4

struct shared {
    const pxr_code *code;
    const struct stripe *full;
    unsigned number, times;
};

/* Rebuilds random losses.  The codes have so few patterns of losses that threads use the same
   plans at the same time, or so many that the cache overflows. */
static void *rebuild(void *argument)
{
    const struct shared *shared = argument;
    const struct stripe *full = shared->full;
    unsigned total = full->k + full->m;
    check_stream(shared->number);
    struct stripe out = stripe_blank(full->k, full->m, full->len);
    for (unsigned trial = 0; trial < shared->times; trial++) {
        bool lost[PXR_MAX_SHARDS];
        uint8_t *have[PXR_MAX_SHARDS];
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
    CHECK(count_plans(code) > 0);
    CHECK(at_rest(code));
    stripe_free(&full);
    pxr_code_free(code);
}

int main(int argc, char **argv)
{
    check_start("test_code_cache", argc, argv);
    judge_start();
    check_forced_kernels();
    test_sharing();
    test_room();
    test_oldest_goes_first(1);
    test_oldest_goes_first(UINT32_MAX - 1000);
    test_oldest_goes_first(INT32_MAX - 1000);
    test_applied_stays();
    test_exhaustion();
    test_bytes_are_bounded();
    test_left_behind();
    test_threads(3, 2, check_effort(500));
    test_threads(8, 4, check_effort(1500));
    test_threads(120, 100, check_effort(12));
    return check_finish();
}
