/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files behind permxor.h share: the code object, coding matrices,
 * and the plans by which shards are rebuilt from survivors.
 */
#ifndef PXR_CODE_H
#define PXR_CODE_H

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
    bool mds;              /* known to be; false with PXR_ASSUME_MDS */
    uint8_t *rows;         /* m*k coefficients */
    uint64_t *room;        /* what `ready` refers to */
    struct pxr_rows ready; /* the rows, to be multiplied with */
    struct pxr_structure structure;
    struct pxr_wide wide;
    uint64_t *constants; /* what `structure` refers to; NULL where there is none */
    /* the one part that changes: NULL until the first plan is worth keeping */
    _Atomic(struct pxr_plan_cache *) cache;
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

/* What a plan is asked for.  A shard may be in both sets; its value then follows from the
   survivors all the same. */
struct pxr_plan_key {
    struct pxr_shard_set survivors, wanted;
};

/*
 * How wanted shards follow from survivors:
 *     shard[target[t]] = sum over i < sources of coefficient(t, i) * shard[source[i]]
 * A plan never changes once it is made, and refers to nothing but itself.
 */
struct pxr_plan {
    struct pxr_plan_key key;
    size_t bytes; /* of all of it */
    unsigned sources, targets;
    uint8_t source[PXR_MAX_SHARDS]; /* ascending; each has a coefficient that is not zero */
    uint8_t target[PXR_MAX_SHARDS]; /* ascending */
    struct pxr_rows rows;           /* the coefficients, in `room` */
    struct pxr_wide wide;           /* what they make of many targets; its constants follow */
    uint64_t room[];
};

/*
 * The plan that computes the wanted shards from survivors, of which there are at least k,
 * while no more than m are wanted: PXR_OK, PXR_ESINGULAR or PXR_ENOMEM.  It is freed by free().
 */
int pxr_plan_make(const struct pxr_code *code, const struct pxr_plan_key *key,
                  struct pxr_plan **plan);

/*
 * The key without those survivors that make no difference: what is left is the data, and as
 * many parity shards as data shards are lost.  (Of a code that is not MDS, any parity shard
 * may turn out to be needed.)  Patterns of losses that differ in the rest share a plan.
 */
struct pxr_plan_key pxr_plan_relevant(const struct pxr_code *code,
                                      const struct pxr_plan_key *key);

#endif
