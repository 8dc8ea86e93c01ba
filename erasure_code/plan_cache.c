/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A set-associative table without locks.
 *
 * A thread that applies a plan pins the plan's slot: a counter above zero keeps the plan from
 * being freed.  A thread that replaces a plan frees the old one at once.  If the old one is
 * pinned, the thread leaves it where it is.  Let R pin slot i and W empty it:
 *
 *     R1  pins[s][i] += 1               W1  slot[i].plan = NULL
 *     R2  p = slot[i].plan              W2  read pins[s][i] for every s
 *     R3  apply p, unless NULL          W3  all zero: free the plan that was there
 *     R4  pins[s][i] -= 1                   else:     put it back
 *
 * R1, R2, W1 and W2 are sequentially consistent, so every thread sees them in the same order.
 * If W2 comes before R1 in this order, then W1 comes before R2.  So R finds NULL, or a plan
 * that was put there after W1, and not the plan that W frees.  If R1 comes before W2, W reads a
 * count that includes R, and frees nothing, unless R4 has been counted, too.  In that case W2
 * has read what R4 released, so everything that R did with the plan happened before W3.
 *
 * Only one thread at a time is in W1 to W3 of a slot, because it has claimed the slot by one
 * exchange.  A thread that finds a slot claimed, or the plan in it pinned, does not wait.  It
 * chooses another slot, or uses the plan that it has made once and frees it.
 *
 * No thread ever waits, so a forked child cannot wait either.  What the parent's other threads
 * had pinned or claimed stays so in the child, because these threads do not exist there.  For
 * each thread that was in a call, a plan is never replaced, or a slot is never filled.
 * pxr_plan_cache_free() ignores pins.
 */
#include "plan_cache.h"

#include <stdbool.h>
#include <stdlib.h>

#define NO_SLOT PXR_PLANS_MAX

/* The place of a key, and where this thread counts itself. */
struct place {
    unsigned words; /* of the key's sets */
    unsigned bucket[2];
    uint32_t tag;
    unsigned stripe;
};

/*
 * The hash.  Each of its bits depends on every shard: multiplying by an odd constant carries
 * bits upwards, and the shift carries them down again.  A key may be in two buckets, and the
 * emptier one is used.  So hardly any bucket is full before all are.
 */
static struct place place_of(const struct pxr_code *code, const struct pxr_plan_key *key)
{
    const unsigned words = pxr_set_words(code->k + code->m);
    uint64_t hash = 0;
    for (unsigned i = 0; i < words; i++) {
        hash = (hash ^ key->survivors.word[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash = (hash ^ hash >> 32 ^ key->wanted.word[i]) * UINT64_C(0xd6e8feb86659fd93);
        hash ^= hash >> 32;
    }
    const unsigned first = hash % PXR_PLAN_BUCKETS;
    const unsigned apart = 1 + (hash >> 8) % (PXR_PLAN_BUCKETS - 1);

    /* The stacks of threads are more than a page apart.  A thread whose stack has grown may be
       counted in two stripes, and is still counted correctly. */
    const uint64_t page = (uint64_t)(uintptr_t)__builtin_frame_address(0) >> 12;
    return (struct place){
        .words = words,
        .bucket = {first, (first + apart) % PXR_PLAN_BUCKETS},
        .tag = (uint32_t)(hash >> 32),
        .stripe = (page * UINT64_C(0x9e3779b97f4a7c15) >> 32) % PXR_PLAN_STRIPES,
    };
}

/* -------------------------------------------------------------- reading -- */

static bool same_key(const struct pxr_plan_key *a, const struct pxr_plan_key *b, unsigned words)
{
    uint64_t different = 0;
    for (unsigned i = 0; i < words; i++)
        different |= (a->survivors.word[i] ^ b->survivors.word[i]) |
                     (a->wanted.word[i] ^ b->wanted.word[i]);
    return different == 0;
}

/* R1 and R2 of the comment above: pins the slot, and keeps it pinned if the plan of this key is
   in it. */
static const struct pxr_plan *pin(struct pxr_plan_cache *cache, unsigned slot,
                                  const struct pxr_plan_key *key, unsigned words,
                                  _Atomic uint32_t *count)
{
    atomic_fetch_add(count, 1);
    const struct pxr_plan *plan = atomic_load(&cache->slot[slot].plan);
    if (plan && same_key(&plan->key, key, words))
        return plan;
    atomic_fetch_sub_explicit(count, 1, memory_order_release);
    return NULL;
}

/* Notes for older() that the plan is in use.  A hit writes only when a plan was put in since
   the last hit. */
static void touch(struct pxr_plan_cache *cache, unsigned slot)
{
    const uint32_t now = atomic_load_explicit(&cache->now, memory_order_relaxed);
    _Atomic uint32_t *used = &cache->slot[slot].used;
    if (atomic_load_explicit(used, memory_order_relaxed) != now)
        atomic_store_explicit(used, now, memory_order_relaxed);
}

static bool find(struct pxr_plan_cache *cache, const struct place *place,
                 const struct pxr_plan_key *key, struct pxr_plan_lease *lease)
{
    for (unsigned b = 0; b < 2; b++) {
        const unsigned end = (place->bucket[b] + 1) * PXR_PLAN_WAYS;
        for (unsigned slot = end - PXR_PLAN_WAYS; slot < end; slot++) {
            if (atomic_load_explicit(&cache->tag[slot], memory_order_relaxed) != place->tag)
                continue;
            _Atomic uint32_t *count = &cache->pins[place->stripe][slot];
            const struct pxr_plan *plan = pin(cache, slot, key, place->words, count);
            if (!plan)
                continue;
            touch(cache, slot);
            *lease = (struct pxr_plan_lease){plan, count};
            return true;
        }
    }
    return false;
}

/* -------------------------------------------------------------- writing -- */

static bool claim(struct pxr_plan_cache *cache, unsigned slot)
{
    return atomic_exchange_explicit(&cache->slot[slot].claimed, 1, memory_order_acquire) == 0;
}

static void unclaim(struct pxr_plan_cache *cache, unsigned slot)
{
    atomic_store_explicit(&cache->slot[slot].claimed, 0, memory_order_release);
}

static bool pinned(struct pxr_plan_cache *cache, unsigned slot)
{
    uint32_t pins = 0;
    for (unsigned s = 0; s < PXR_PLAN_STRIPES; s++)
        pins |= atomic_load(&cache->pins[s][slot]);
    return pins != 0;
}

/* Claims a slot and empties it: W1 to W3 of the comment above.  Returns false when the slot is
   claimed or its plan is pinned. */
static bool take_slot(struct pxr_plan_cache *cache, unsigned slot)
{
    if (!claim(cache, slot))
        return false;
    struct pxr_plan *plan = atomic_load(&cache->slot[slot].plan);
    if (!plan)
        return true;
    atomic_store(&cache->slot[slot].plan, NULL);
    if (pinned(cache, slot)) {
        atomic_store(&cache->slot[slot].plan, plan);
        unclaim(cache, slot);
        return false;
    }
    atomic_fetch_sub(&cache->bytes, plan->bytes);
    free(plan);
    return true;
}

static bool is_claimed(struct pxr_plan_cache *cache, unsigned slot)
{
    return atomic_load_explicit(&cache->slot[slot].claimed, memory_order_relaxed);
}

/* Returns whether slot a was used before slot b.  The time may wrap around. */
static bool used_before(struct pxr_plan_cache *cache, unsigned a, unsigned b)
{
    return (int32_t)(atomic_load_explicit(&cache->slot[a].used, memory_order_relaxed) -
                     atomic_load_explicit(&cache->slot[b].used, memory_order_relaxed)) < 0;
}

/* Returns the least recently used plan of a bucket that no thread applies, or the slot `oldest`
   (which may be NO_SLOT) if that one was used earlier. */
static unsigned older(struct pxr_plan_cache *cache, unsigned bucket, unsigned oldest)
{
    const unsigned end = (bucket + 1) * PXR_PLAN_WAYS;
    for (unsigned slot = end - PXR_PLAN_WAYS; slot < end; slot++)
        if (atomic_load_explicit(&cache->slot[slot].plan, memory_order_relaxed) &&
            (oldest == NO_SLOT || used_before(cache, slot, oldest)) &&
            !is_claimed(cache, slot) && !pinned(cache, slot))
            oldest = slot;
    return oldest;
}

/* Chooses a slot for a new plan: the first empty slot of the emptier bucket, or else the slot
   of the least recently used plan of both buckets. */
static unsigned choose_slot(struct pxr_plan_cache *cache, const struct place *place)
{
    unsigned chosen = NO_SLOT, most = 0;
    for (unsigned b = 0; b < 2; b++) {
        const unsigned end = (place->bucket[b] + 1) * PXR_PLAN_WAYS;
        unsigned empty = NO_SLOT, count = 0;
        for (unsigned slot = end - PXR_PLAN_WAYS; slot < end; slot++) {
            if (atomic_load_explicit(&cache->slot[slot].plan, memory_order_relaxed) ||
                is_claimed(cache, slot))
                continue;
            if (count++ == 0)
                empty = slot;
        }
        if (count > most) {
            most = count;
            chosen = empty;
        }
    }
    if (chosen != NO_SLOT)
        return chosen;
    return older(cache, place->bucket[1], older(cache, place->bucket[0], NO_SLOT));
}

/*
 * Makes room for this many bytes by removing the least recently used plans of all.  A thread
 * puts its plan in only after it has seen a sum within the bound that includes its own plan.
 * So the plans in the cache never exceed the bound, in whatever order threads come.
 */
static bool reserve(struct pxr_plan_cache *cache, size_t bytes)
{
    atomic_fetch_add(&cache->bytes, bytes);
    while (atomic_load(&cache->bytes) > PXR_PLAN_BYTES_MAX) {
        unsigned oldest = NO_SLOT;
        for (unsigned bucket = 0; bucket < PXR_PLAN_BUCKETS; bucket++)
            oldest = older(cache, bucket, oldest);
        if (oldest == NO_SLOT || !take_slot(cache, oldest)) {
            atomic_fetch_sub(&cache->bytes, bytes);
            return false;
        }
        unclaim(cache, oldest);
    }
    return true;
}

/* Puts a plan in, pinned.  Returns false when there is no room for it.  A plan that would not
   fit into an empty cache replaces no other plan. */
static bool insert(struct pxr_plan_cache *cache, const struct place *place,
                   struct pxr_plan *plan, struct pxr_plan_lease *lease)
{
    if (plan->bytes > PXR_PLAN_BYTES_MAX)
        return false;
    const unsigned slot = choose_slot(cache, place);
    if (slot == NO_SLOT || !take_slot(cache, slot))
        return false;
    const bool room = reserve(cache, plan->bytes);
    if (room) {
        *lease = (struct pxr_plan_lease){plan, &cache->pins[place->stripe][slot]};
        atomic_fetch_add(lease->pin, 1);
        atomic_store_explicit(&cache->tag[slot], place->tag, memory_order_relaxed);
        atomic_store_explicit(&cache->slot[slot].used, atomic_fetch_add(&cache->now, 1) + 1,
                              memory_order_relaxed);
        atomic_store(&cache->slot[slot].plan, plan);
    }
    unclaim(cache, slot);
    return room;
}

/* ---------------------------------------------------------------- cache -- */

/* Returns the code's cache, which is made on the first call; NULL when memory ran out.  When
   several threads come at once, the cache of one of them is kept. */
static struct pxr_plan_cache *start(const struct pxr_code *code)
{
    struct pxr_plan_cache *cache = atomic_load(&code->cache), *made;
    if (cache || !(made = calloc(1, sizeof *made)))
        return cache;
    /* The cast is valid because no code is a constant: pxr_code_create() allocates them all. */
    if (atomic_compare_exchange_strong(&((struct pxr_code *)code)->cache, &cache, made))
        return made;
    free(made);
    return cache;
}

int pxr_plan_borrow(const struct pxr_code *code, const struct pxr_plan_key *key,
                    struct pxr_plan_lease *lease)
{
    struct pxr_plan_key relevant;
    pxr_plan_relevant(code, key, &relevant);
    const struct place place = place_of(code, &relevant);
    struct pxr_plan_cache *cache = atomic_load_explicit(&code->cache, memory_order_acquire);
    if (cache && find(cache, &place, &relevant, lease))
        return PXR_OK;

    struct pxr_plan *plan;
    const int status = pxr_plan_make(code, &relevant, &plan);
    if (status != PXR_OK)
        return status;
    cache = start(code);
    /* If another thread has put the same plan in meanwhile, this one is freed.  If two threads
       do so at the very same time, both plans stay; one of them is never found and grows old.
     */
    if (cache && find(cache, &place, &relevant, lease))
        free(plan);
    else if (!cache || !insert(cache, &place, plan, lease))
        *lease = (struct pxr_plan_lease){plan, NULL};
    return PXR_OK;
}

void pxr_plan_give_back(const struct pxr_plan_lease *lease)
{
    if (lease->pin)
        atomic_fetch_sub_explicit(lease->pin, 1, memory_order_release);
    else
        free((struct pxr_plan *)lease->plan);
}

void pxr_plan_cache_free(struct pxr_plan_cache *cache)
{
    for (unsigned slot = 0; cache && slot < PXR_PLANS_MAX; slot++)
        free(atomic_load(&cache->slot[slot].plan));
    free(cache);
}
