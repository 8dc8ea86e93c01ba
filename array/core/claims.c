/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Claims: which part may touch which rows.  Stripes are spread over the shards by their number,
 * and a shard has the claims of its stripes, held and waiting, in the order of arrival.  A
 * claim is held when no earlier one of its stripe conflicts with it.  So nobody is overtaken by
 * a later claim that conflicts with it, and whoever releases rows also wakes those who waited
 * for them, in the same call.
 *
 * All that a call touches is in one shard, so a driver with threads needs one lock for each
 * shard and none above them.  With the one thread that the core has now there is nothing to
 * lock.
 */
#include "config.h"

#include "internal.h"

static struct shard *shard_of(struct core *core, uint64_t stripe)
{
    return &core->shards[stripe % core->options.shards];
}

static bool conflict(const struct claim *a, const struct claim *b)
{
    return a->stripe == b->stripe && (a->rows & b->rows) != 0 && (a->exclusive || b->exclusive);
}

static bool is_free(const struct shard *shard, const struct claim *claim)
{
    for (const struct claim *other = shard->first; other != claim; other = other->next)
        if (conflict(other, claim))
            return false;
    return true;
}

void claim_take(struct core *core, struct claim *claim, struct task *task)
{
    struct shard *shard = shard_of(core, claim->stripe);
    struct claim **end = &shard->first;
    while (*end != NULL)
        end = &(*end)->next;
    *end = claim;
    claim->next = NULL;
    claim->task = task;
    claim->held = is_free(shard, claim);
    shard->claims++;
    if (claim->held)
        return;
    shard->contended++;
    shard->waiting++;
    task->pending++;
}

void claim_release(struct core *core, struct claim *claim)
{
    struct shard *shard = shard_of(core, claim->stripe);
    struct claim **at = &shard->first;
    while (*at != claim)
        at = &(*at)->next;
    *at = claim->next;
    claim->held = false;
    for (struct claim *other = *at; other != NULL && shard->waiting > 0; other = other->next) {
        if (other->held || !is_free(shard, other))
            continue;
        other->held = true;
        shard->waiting--;
        task_wake(core, other->task);
    }
}

const char *claims_check(const struct core *core)
{
    for (unsigned i = 0; i < core->options.shards; i++)
        for (const struct claim *claim = core->shards[i].first; claim != NULL;
             claim = claim->next)
            if (claim->held != is_free(&core->shards[i], claim))
                return claim->held ? "rows are claimed twice" : "free rows have a waiter";
    return NULL;
}
