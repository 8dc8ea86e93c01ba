/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plans that a code keeps: those by which pxr_reconstruct() and pxr_locate() rebuild
 * shards, so that a pattern of losses is solved once and not in every call.
 *
 * Nothing here waits for another thread, so a child that was forked in the middle of
 * anything never does either.  plan_cache.c says how.
 */
#ifndef PXR_PLAN_CACHE_H
#define PXR_PLAN_CACHE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "code.h"

/*
 * Room for every pattern of up to four losses of 8+4, of which there are 793, or for 12
 * plans of the largest codes of bytes: rows take m*k*40 bytes at most, which with k+m = 256 is
 * 0.66 megabytes.  Those of words take up to 16 times as much, and a plan that is larger than
 * all of the room is not kept.
 */
#define PXR_PLANS_MAX 1024
#define PXR_PLAN_BYTES_MAX ((size_t)8 << 20)

/* A plan has its place in one of two buckets of 16 slots, whose tags take 64 bytes. */
#define PXR_PLAN_WAYS 16
#define PXR_PLAN_BUCKETS (PXR_PLANS_MAX / PXR_PLAN_WAYS)

/* Threads that apply the same plan count themselves in different cache lines. */
#define PXR_PLAN_STRIPES 16

_Static_assert(ATOMIC_POINTER_LOCK_FREE == 2 && ATOMIC_INT_LOCK_FREE == 2,
               "no call of the C library's that waits stands behind an atomic operation");

struct pxr_plan_slot {
    _Atomic(struct pxr_plan *) plan; /* NULL: empty */
    _Atomic uint32_t used;           /* the cache's time when it was last applied */
    _Atomic uint32_t claimed;        /* somebody is about to change `plan` */
};

struct pxr_plan_cache {
    _Atomic uint32_t tag[PXR_PLANS_MAX]; /* 32 bits of the hash of the plan's key */
    _Atomic uint32_t now;                /* counts the plans put in */
    _Atomic size_t bytes;                /* of the plans in it */
    struct pxr_plan_slot slot[PXR_PLANS_MAX];
    _Atomic uint32_t pins[PXR_PLAN_STRIPES][PXR_PLANS_MAX]; /* calls that apply the plan */
};

/* A plan in use: it stays until it is given back. */
struct pxr_plan_lease {
    const struct pxr_plan *plan;
    _Atomic uint32_t *pin; /* NULL where the plan is not in the cache */
};

/*
 * The plan of this key from the code's cache, or a new one, which the cache keeps if it has
 * room: PXR_OK, PXR_ESINGULAR or PXR_ENOMEM.  Give it back after use.
 */
int pxr_plan_borrow(const struct pxr_code *code, const struct pxr_plan_key *key,
                    struct pxr_plan_lease *lease);
void pxr_plan_give_back(const struct pxr_plan_lease *lease);

/* Frees it with all its plans; NULL is allowed. */
void pxr_plan_cache_free(struct pxr_plan_cache *cache);

#endif
