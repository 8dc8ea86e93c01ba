/* SPDX-License-Identifier: BSD-3-Clause */
#include "rebuild.h"

#include <string.h>
#include <unistd.h>

unsigned rebuild_pairs(const struct stripe *full)
{
    return (full->k + full->m) * (full->k + full->m - 1) / 2;
}

/* The numbers of the two shards: 0 1, 0 2, ..., 1 2, ... */
static void choose_pair(const struct stripe *full, unsigned number, unsigned pair[2])
{
    unsigned after = full->k + full->m - 1; /* shards behind pair[0] */
    for (pair[0] = 0; number >= after; pair[0]++)
        number -= after--;
    pair[1] = pair[0] + 1 + number;
}

pxr_plan *rebuild_plan(const pxr_code *code, const struct stripe *full, unsigned number)
{
    uint8_t have[PXR_MAX_SHARDS], want[PXR_MAX_SHARDS] = {0};
    unsigned pair[2];
    pxr_plan *plan = NULL;
    choose_pair(full, number, pair);
    memset(have, 1, sizeof have);
    have[pair[0]] = have[pair[1]] = 0;
    want[pair[0]] = want[pair[1]] = 1;
    CHECK_INT(pxr_plan_create(&plan, code, have, want, NULL), PXR_OK);
    return plan;
}

/* Rebuilds by the plan or, if that is NULL, with the code. */
static bool rebuild(const pxr_code *code, const pxr_plan *plan, const struct stripe *full,
                    unsigned number)
{
    uint8_t out[2][REBUILD_LEN] = {{0}}, *want[PXR_MAX_SHARDS] = {NULL};
    uint8_t *have[PXR_MAX_SHARDS];
    unsigned pair[2];
    choose_pair(full, number, pair);
    for (unsigned i = 0; i < full->k + full->m; i++)
        have[i] = full->shard[i];
    for (unsigned i = 0; i < 2; i++) {
        have[pair[i]] = NULL;
        want[pair[i]] = out[i];
    }
    const int status = plan ? pxr_plan_apply(plan, full->len, have, want)
                            : pxr_reconstruct(code, full->len, have, want);
    return status == PXR_OK && memcmp(out[0], full->shard[pair[0]], full->len) == 0 &&
           memcmp(out[1], full->shard[pair[1]], full->len) == 0;
}

bool rebuild_pair(const pxr_code *code, const struct stripe *full, unsigned number)
{
    return rebuild(code, NULL, full, number);
}

bool rebuild_by_plan(const pxr_plan *plan, const struct stripe *full, unsigned number)
{
    return rebuild(NULL, plan, full, number);
}

bool rebuild_in_child(pxr_code *code, const pxr_plan *plan, const struct stripe *full,
                      unsigned first)
{
    alarm(60);
    bool right = rebuild_by_plan(plan, full, 0);
    for (unsigned i = 0; i < 200; i++)
        right &= rebuild_pair(code, full, (first + i % 100) % rebuild_pairs(full));
    unsigned index = 0;
    full->shard[3][full->len / 2] ^= 1;
    right &= pxr_locate(code, full->len, stripe_in(full), &index) == PXR_EMISMATCH;
    pxr_code_free(code);
    return right && index == 3;
}
