/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files behind permxor.h share: the code object, coding matrices,
 * and the plans by which shards are rebuilt from survivors.
 */
#ifndef PXR_CODE_H
#define PXR_CODE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "permxor.h"
#include "rows.h"

struct pxr_plan_cache;

struct pxr_code {
    unsigned k, m;
    enum pxr_matrix matrix;
    bool mds;                     /* known to be; false with PXR_ASSUME_MDS */
    uint8_t *rows;                /* m*k coefficients */
    uint64_t *room;               /* what `ready` refers to */
    struct pxr_rows ready;        /* the rows, to be multiplied with */
    struct pxr_plan_cache *cache; /* the one part that changes */
};

/* ------------------------------------------------------- code_matrix.c -- */

/* Formats a message into *why, which may be NULL. */
__attribute__((format(printf, 2, 3))) void pxr_explain(struct pxr_error *why,
                                                       const char *format, ...);

/* Whether a code of this shape exists: PXR_OK, PXR_EINVAL or PXR_ENOTMDS. */
int pxr_shape_check(unsigned k, unsigned m, struct pxr_error *why);
int pxr_matrix_check(unsigned k, unsigned m, enum pxr_matrix matrix, struct pxr_error *why);

/* The m*k coefficients of a matrix that pxr_matrix_check() accepts. */
void pxr_matrix_fill(uint8_t *rows, unsigned k, unsigned m, enum pxr_matrix matrix);

/* Tests every square submatrix: PXR_OK, PXR_ENOTMDS, PXR_EUNPROVEN, PXR_ENOMEM. */
int pxr_matrix_prove_mds(const uint8_t *rows, unsigned k, unsigned m, struct pxr_error *why);

/* --------------------------------------------------------- code_plan.c -- */

/* A set of shard numbers. */
struct pxr_shard_set {
    uint64_t word[(PXR_MAX_SHARDS + 63) / 64];
};

static inline void pxr_set_add(struct pxr_shard_set *set, unsigned shard)
{
    set->word[shard / 64] |= UINT64_C(1) << shard % 64;
}

static inline bool pxr_set_has(const struct pxr_shard_set *set, unsigned shard)
{
    return set->word[shard / 64] >> shard % 64 & 1;
}

struct pxr_plan_key {
    struct pxr_shard_set survivors, wanted;
};

/*
 * How wanted shards follow from survivors:
 *     shard[target[t]] = sum over i < k of coefficient(t, i) * shard[source[i]]
 * A plan never changes once it is made.  Its users count is the number of
 * calls that are applying it, plus one while the cache holds it; who takes it
 * to zero frees it.
 */
struct pxr_plan {
    struct pxr_plan_key key;
    struct pxr_plan *newer, *older; /* by last use */
    struct pxr_plan *chain;         /* plans of the same bucket */
    size_t bytes;
    atomic_uint users;
    unsigned targets;
    uint8_t source[PXR_MAX_SHARDS];
    uint8_t target[PXR_MAX_SHARDS];
    struct pxr_rows rows; /* the coefficients, in `room` */
    uint64_t room[];
};

/* Room for every pattern of up to four losses of 8+4, of which there are 793,
   or for 12 plans of the largest codes: rows take m*k*40 bytes at most, which
   with k+m = 255 is 0.65 megabytes. */
#define PXR_PLANS_MAX 1024
#define PXR_PLAN_BYTES_MAX ((size_t)8 << 20)
#define PXR_PLAN_BUCKETS 256

struct pxr_plan_cache {
    pthread_mutex_t lock; /* held to look up and to insert, never to code or invert */
    struct pxr_plan *bucket[PXR_PLAN_BUCKETS];
    struct pxr_plan *newest, *oldest;
    unsigned plans;
    size_t bytes;
};

/* NULL when memory ran out. */
struct pxr_plan_cache *pxr_plan_cache_create(void);
void pxr_plan_cache_free(struct pxr_plan_cache *cache);

/*
 * The plan that computes the wanted shards from survivors, of which there are
 * at least k: PXR_OK, PXR_ESINGULAR or PXR_ENOMEM.  Release it after use.
 */
int pxr_plan_get(const struct pxr_code *code, const struct pxr_shard_set *survivors,
                 const struct pxr_shard_set *wanted, struct pxr_plan **plan);
void pxr_plan_release(struct pxr_plan *plan);

#endif
