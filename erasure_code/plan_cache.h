/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plans that a code keeps. pxr_reconstruct() and pxr_locate() rebuild shards by these
 * plans, so that a pattern of losses is solved once and not in every call.
 *
 * Nothing here waits for another thread.  So a child that was forked at any time never waits
 * either. plan_cache.c says how this works.
 */
#ifndef PXR_PLAN_CACHE_H
#define PXR_PLAN_CACHE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "code.h"

/*
 * Room for every pattern of up to four losses of 8+4, of which there are 793, or for 12 plans
 * of the largest codes of bytes: rows take at most m*k*40 bytes, which with k+m = 256 is 0.66
 * megabytes.  Plans of words take up to 16 times as much.  A plan that is larger than the whole
 * room is not kept.
 */
#define PXR_PLANS_MAX 1024
#define PXR_PLAN_BYTES_MAX ((size_t)8 << 20)

/* A plan is in one of two buckets of 16 slots.  The tags of a bucket take 64 bytes. */
#define PXR_PLAN_WAYS 16
#define PXR_PLAN_BUCKETS (PXR_PLANS_MAX / PXR_PLAN_WAYS)

/* Threads that apply the same plan count themselves in different cache lines. */
#define PXR_PLAN_STRIPES 16

_Static_assert(ATOMIC_POINTER_LOCK_FREE == 2 && ATOMIC_INT_LOCK_FREE == 2,
               "no call of the C library's that waits stands behind an atomic operation");

struct pxr_plan_slot {
    _Atomic(struct pxr_plan *) plan; /* NULL: empty */
    _Atomic uint32_t used;           /* the cache's time when it was last applied */
    _Atomic uint32_t claimed;        /* a thread is about to change `plan` */
};

struct pxr_plan_cache {
    _Atomic uint32_t tag[PXR_PLANS_MAX]; /* 32 bits of the hash of the plan's key */
    _Atomic uint32_t now;                /* counts the plans that were put in */
    _Atomic size_t bytes;                /* bytes of all plans in the cache */
    struct pxr_plan_slot slot[PXR_PLANS_MAX];
    _Atomic uint32_t pins[PXR_PLAN_STRIPES][PXR_PLANS_MAX]; /* how many calls apply the plan */
};

/* A plan in use.  It stays in memory until it is given back. */
struct pxr_plan_lease {
    const struct pxr_plan *plan;
    _Atomic uint32_t *pin; /* NULL when the plan is not in the cache */
};

/*
 * Takes the plan of this key from the code's cache, or makes a new plan, which the cache keeps
 * if it has room.  Returns PXR_OK, PXR_ESINGULAR or PXR_ENOMEM.  Give the plan back after use.
 */
int pxr_plan_borrow(const struct pxr_code *code, const struct pxr_plan_key *key,
                    struct pxr_plan_lease *lease);
void pxr_plan_give_back(const struct pxr_plan_lease *lease);

/* Frees the cache with all its plans.  NULL is allowed. */
void pxr_plan_cache_free(struct pxr_plan_cache *cache);

#endif
