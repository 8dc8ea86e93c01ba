/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rebuilding shards: plans as objects of the caller, and pxr_reconstruct(), which takes its
 * plans from the code's cache.
 */
#include <stdlib.h>

#include "arithmetic.h"
#include "call.h"
#include "plan_cache.h"

/* What a caller asks for. */
struct request {
    struct pxr_plan_key key;
    unsigned present, wanted; /* how many */
};

static int check_request(const struct pxr_code *code, const struct request *request,
                         struct pxr_error *why)
{
    for (unsigned i = 0; i < code->k + code->m; i += 64) {
        const struct pxr_plan_key *key = &request->key;
        const uint64_t both = key->survivors.word[i / 64] & key->wanted.word[i / 64];
        if (both) {
            pxr_explain(why, "shard %u is in both have and want",
                        i + (unsigned)__builtin_ctzll(both));
            return PXR_EINVAL;
        }
    }
    if (request->present < code->k) {
        pxr_explain(why, "only %u shards are in have, but a code of %u+%u needs %u",
                    request->present, code->k, code->m, code->k);
        return PXR_ETOOFEW;
    }
    return PXR_OK;
}

/* Returns false, and writes nothing, when a shard is NULL.  The caller provides room for all
   addresses. */
static inline bool apply_in(const struct pxr_plan *plan, size_t len, uint8_t *const *have,
                            uint8_t *const *want, uint8_t **address)
{
    const uint16_t *const target = pxr_plan_targets(plan);
    uint8_t **const dst = address + plan->sources;
    bool missing = false;
    for (unsigned i = 0; i < plan->sources; i++)
        missing |= !(address[i] = have[plan->shard[i]]);
    for (unsigned i = 0; i < plan->targets; i++)
        missing |= !(dst[i] = want[target[i]]);
    if (missing)
        return false;
    pxr_map_apply(&plan->map, len, pxr_read_only(address), dst);
    return true;
}

static __attribute__((noinline)) bool apply_wide(const struct pxr_plan *plan, size_t len,
                                                 uint8_t *const *have, uint8_t *const *want)
{
    uint8_t *address[PXR_MAX_ANY_SHARDS];
    return apply_in(plan, len, have, want, address);
}

/* There are two sizes of room, so that calls of ordinary codes take little of the stack. */
static bool apply(const struct pxr_plan *plan, size_t len, uint8_t *const *have,
                  uint8_t *const *want)
{
    uint8_t *address[PXR_MAX_SHARDS];
    if (plan->sources + plan->targets > PXR_MAX_SHARDS)
        return apply_wide(plan, len, have, want);
    return apply_in(plan, len, have, want, address);
}

/* ---------------------------------------------------------------- plans -- */

static void read_flags(unsigned total, const uint8_t *have, const uint8_t *want,
                       struct request *request)
{
    pxr_key_clear(&request->key, total);
    request->present = request->wanted = 0;
    for (unsigned i = 0; i < total; i++) {
        if (have[i])
            pxr_set_add(&request->key.survivors, i);
        if (want[i])
            pxr_set_add(&request->key.wanted, i);
        request->present += have[i] != 0;
        request->wanted += want[i] != 0;
    }
}

int pxr_plan_create(pxr_plan **plan, const pxr_code *code, const uint8_t *have,
                    const uint8_t *want, struct pxr_error *why)
{
    if (plan)
        *plan = NULL;
    if (!plan || !code || !have || !want) {
        pxr_explain(why, "plan, code, have or want is NULL");
        return PXR_EINVAL;
    }
    struct request request;
    read_flags(code->k + code->m, have, want, &request);
    int status = check_request(code, &request, why);
    if (status != PXR_OK)
        return status;
    status = pxr_plan_make(code, &request.key, plan);
    if (status != PXR_OK)
        pxr_explain(why, "%s", pxr_strerror(status));
    return status;
}

void pxr_plan_free(pxr_plan *plan)
{
    free(plan);
}

unsigned pxr_plan_reads(const pxr_plan *plan, const uint16_t **shards)
{
    if (shards)
        *shards = plan->shard;
    return plan->sources;
}

unsigned pxr_plan_writes(const pxr_plan *plan, const uint16_t **shards)
{
    if (shards)
        *shards = pxr_plan_targets(plan);
    return plan->targets;
}

int pxr_plan_apply(const pxr_plan *plan, size_t len, pxr_inputs have, uint8_t *const *want)
{
    return plan && have && want && pxr_whole_units(&plan->map, len) &&
                   apply(plan, len, have, want)
               ? PXR_OK
               : PXR_EINVAL;
}

/* ---------------------------------------------------------- reconstruct -- */

/* Handles a word of the sets at a time, without a branch for any shard, because both are
   noticeable in short calls. */
static void survey(unsigned total, uint8_t *const *have, uint8_t *const *want,
                   struct request *request)
{
    unsigned present = 0, wanted = 0;
    for (unsigned first = 0; first < total; first += 64) {
        const unsigned n = total - first < 64 ? total - first : 64;
        uint64_t there = 0, asked = 0;
        for (unsigned i = 0; i < n; i++) {
            const bool has = have[first + i], wants = want[first + i];
            there |= (uint64_t)has << i;
            asked |= (uint64_t)wants << i;
            present += has;
            wanted += wants;
        }
        request->key.survivors.word[first / 64] = there;
        request->key.wanted.word[first / 64] = asked;
    }
    request->present = present;
    request->wanted = wanted;
}

/* Borrows the plan for the request, which must be given back after use.  The plan is NULL when
   there is nothing to rebuild. */
static inline int borrow(const pxr_code *code, size_t len, const struct request *request,
                         struct pxr_plan_lease *lease)
{
    lease->plan = NULL;
    const int status = check_request(code, request, NULL);
    if (status != PXR_OK || request->wanted == 0 || len == 0)
        return status;
    return pxr_plan_borrow(code, &request->key, lease);
}

int pxr_reconstruct(const pxr_code *code, size_t len, pxr_inputs have, uint8_t *const *want)
{
    if (!code || !have || !want || !pxr_whole_units(&code->map, len))
        return PXR_EINVAL;
    struct request request;
    struct pxr_plan_lease lease;
    survey(code->k + code->m, have, want, &request);
    const int status = borrow(code, len, &request, &lease);
    if (status != PXR_OK || !lease.plan)
        return status;
    apply(lease.plan, len, have, want);
    pxr_plan_give_back(&lease);
    return PXR_OK;
}

int pxr_reconstruct_iov(const pxr_code *code, size_t len, const struct pxr_iov *have,
                        const struct pxr_iov *want)
{
    uint8_t there[PXR_MAX_ANY_SHARDS], asked[PXR_MAX_ANY_SHARDS];
    if (!code || !have || !want || !pxr_whole_units(&code->map, len))
        return PXR_EINVAL;
    for (unsigned i = 0; i < code->k + code->m; i++) {
        there[i] = have[i].iovcnt > 0;
        asked[i] = want[i].iovcnt > 0;
    }
    struct request request;
    struct pxr_plan_lease lease;
    read_flags(code->k + code->m, there, asked, &request);
    int status = borrow(code, len, &request, &lease);
    if (status != PXR_OK || !lease.plan)
        return status;
    status = pxr_plan_apply_iov(lease.plan, len, have, want);
    pxr_plan_give_back(&lease);
    return status;
}
