/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the plans of all arithmetics have in common: which survivors matter, in which order
 * parity shards are used, and what a plan holds.
 */
#include <stdlib.h>
#include <string.h>

#include "arithmetic.h"

int pxr_plan_make(const struct pxr_code *code, const struct pxr_plan_key *key,
                  struct pxr_plan **plan)
{
    return code->map.arithmetic->solve(code, key, plan);
}

unsigned pxr_set_list(const struct pxr_shard_set *set, unsigned total, uint16_t *list)
{
    unsigned n = 0;
    for (unsigned i = 0; i < total; i++)
        if (pxr_set_has(set, i))
            list[n++] = (uint16_t)i;
    return n;
}

static void copy_key(struct pxr_plan_key *to, const struct pxr_plan_key *from, unsigned total)
{
    for (unsigned i = 0; i < pxr_set_words(total); i++) {
        to->survivors.word[i] = from->survivors.word[i];
        to->wanted.word[i] = from->wanted.word[i];
    }
}

struct pxr_plan *pxr_plan_allocate(const struct pxr_code *code, const struct pxr_plan_key *key,
                                   unsigned sources, const uint16_t *source, unsigned targets,
                                   size_t room)
{
    const unsigned total = code->k + code->m;
    const size_t lists = (sources + targets) * sizeof *source;
    const size_t before = (sizeof(struct pxr_plan) + lists + 7) / 8 * 8;
    struct pxr_plan *const plan = malloc(before + room);
    if (!plan)
        return NULL;
    *plan = (struct pxr_plan){.bytes = before + room, .sources = sources, .targets = targets};
    copy_key(&plan->key, key, total);
    memcpy(plan->shard, source, sources * sizeof *source);
    pxr_set_list(&key->wanted, total, plan->shard + sources);
    plan->room = (uint64_t *)plan + before / sizeof(uint64_t);
    plan->map = (struct pxr_map){
        .arithmetic = code->map.arithmetic,
        .k = sources,
        .count = targets,
        .unit = code->map.unit,
        .w = code->map.w,
        .packetsize = code->map.packetsize,
    };
    return plan;
}

/* Insertion sort, because it keeps the order of equal weights. */
unsigned pxr_list_helpers(const struct pxr_code *code, const struct pxr_shard_set *survivors,
                          pxr_weight_fn *weight, uint16_t *list)
{
    unsigned weights[PXR_MAX_SHARDS], n = 0;
    for (unsigned i = code->k; i < code->k + code->m; i++) {
        if (!pxr_set_has(survivors, i))
            continue;
        const unsigned w = code->mds ? code->k : weight(code, i);
        unsigned at = n++;
        for (; at > 0 && weights[at - 1] > w; at--) {
            weights[at] = weights[at - 1];
            list[at] = list[at - 1];
        }
        weights[at] = w;
        list[at] = (uint16_t)i;
    }
    return n;
}

/* Returns the bits of a set's word `index` that stand for shards below n. */
static uint64_t below(unsigned n, unsigned index)
{
    if (n <= 64 * index)
        return 0;
    return n >= 64 * (index + 1) ? UINT64_MAX : (UINT64_C(1) << n % 64) - 1;
}

/* Works on whole words, because every call of pxr_reconstruct() comes here. */
void pxr_plan_relevant(const struct pxr_code *code, const struct pxr_plan_key *key,
                       struct pxr_plan_key *relevant)
{
    const unsigned words = pxr_set_words(code->k + code->m);
    unsigned lost = 0;
    for (unsigned i = 0; i < words; i++) {
        uint64_t gaps = below(code->k, i) & ~key->survivors.word[i];
        for (; gaps; gaps &= gaps - 1)
            lost++;
    }
    unsigned most = code->mds || lost == 0 ? lost : code->m;
    for (unsigned i = 0; i < words; i++) {
        const uint64_t data = below(code->k, i);
        uint64_t parity = key->survivors.word[i] & ~data;
        uint64_t survivors = key->survivors.word[i] & data;
        for (; parity && most > 0; parity &= parity - 1, most--)
            survivors |= parity & -parity;
        relevant->survivors.word[i] = survivors;
        relevant->wanted.word[i] = key->wanted.word[i];
    }
}
