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

#include "packets.h"
#include "permxor.h"
#include "rows.h"
#include "words.h"

struct pxr_arithmetic;
struct pxr_plan_cache;

/* Packets of a unit of a shard, as many as Ceph has for liberation, and of all shards, of which
   calls have the addresses on the stack. */
#define PXR_MAX_W 257
#define PXR_MAX_PACKETS 2048

/* The most shards of a code of any kind, for arrays that have an entry for each of them. */
#define PXR_MAX_ANY_SHARDS PXR_MAX_WORD_SHARDS

/*
 * How some shards follow from others: the parity from the data, or what a plan writes from what
 * it reads.  It refers to memory of whoever has it.
 */
struct pxr_map {
    const struct pxr_arithmetic *arithmetic;
    unsigned k, count;    /* shards that are read, and that are written */
    size_t unit;          /* bytes that lengths are multiples of */
    struct pxr_rows rows; /* of bytes; without any row in another arithmetic */
    unsigned w;           /* bits of a word, or packets in a unit of each shard; 0: bytes */
    struct pxr_words words;
    /* of packets, in the order of the shards */
    size_t packetsize;
    struct pxr_packet_rows packets;
};

struct pxr_code {
    unsigned k, m;
    enum pxr_matrix matrix;
    bool mds;           /* known to be; false with PXR_ASSUME_MDS */
    struct pxr_map map; /* of the parity */
    uint64_t *room;     /* what it refers to */

    /* of bytes */
    uint8_t *rows; /* m*k coefficients */
    struct pxr_structure structure;
    struct pxr_wide wide;
    uint64_t *constants; /* what `structure` refers to; NULL where there is none */

    /* of words */
    uint32_t *words;                /* m*k coefficients */
    struct pxr_words *word_columns; /* the column of each data shard */

    /* of packets */
    struct pxr_bits bits;            /* m*w rows of k*w columns */
    struct pxr_packet_rows *columns; /* the w columns of each data shard */

    uint64_t *columns_room; /* what columns refer to */

    /* the one part that changes: NULL until the first plan is worth keeping */
    _Atomic(struct pxr_plan_cache *) cache;
};

/* ------------------------------------------------------------ creation -- */

/* The first things to look at of a code to be made, which has at most so many shards: *code
   becomes NULL. */
int pxr_code_begin(struct pxr_code **code, unsigned k, unsigned m, unsigned most,
                   struct pxr_error *why);

/* A code without anything in it, to be filled in and freed by pxr_code_free(); NULL, with a
   message, where memory ran out. */
struct pxr_code *pxr_code_allocate(unsigned k, unsigned m, enum pxr_matrix matrix,
                                   struct pxr_error *why);

/* PXR_ENOMEM, with a message; frees the code. */
int pxr_code_no_memory(struct pxr_code *code, struct pxr_error *why);

/* Whether flags are known ones: PXR_OK or PXR_EINVAL. */
int pxr_flags_check(unsigned flags, struct pxr_error *why);

/* ------------------------------------------------------- code_matrix.c -- */

/* Formats a message into *why, which may be NULL. */
__attribute__((format(printf, 2, 3))) void pxr_explain(struct pxr_error *why,
                                                       const char *format, ...);

/* Whether a shape has at most so many shards, and some of both kinds: PXR_OK or PXR_EINVAL. */
int pxr_shape_check(unsigned k, unsigned m, unsigned most, struct pxr_error *why);

/* Whether a code of this shape, of bytes, exists: PXR_OK, PXR_EINVAL or PXR_ENOTMDS. */
int pxr_matrix_check(unsigned k, unsigned m, enum pxr_matrix matrix, struct pxr_error *why);

/* The m*k coefficients of a matrix that pxr_matrix_check() accepts. */
void pxr_matrix_fill(uint8_t *rows, unsigned k, unsigned m, enum pxr_matrix matrix);

/* Tests every square submatrix: PXR_OK, PXR_ENOTMDS, PXR_EUNPROVEN, PXR_ENOMEM. */
int pxr_matrix_prove_mds(const uint8_t *rows, unsigned k, unsigned m, struct pxr_error *why);

/* --------------------------------------------------------- code_plan.c -- */

/* A set of shard numbers.  Of its words those alone are looked at, and filled in, that the
   shards of the code take: filling in all of them would slow brief calls down. */
struct pxr_shard_set {
    uint64_t word[PXR_MAX_ANY_SHARDS / 64];
};

/* The words for so many shards. */
static inline unsigned pxr_set_words(unsigned total)
{
    return (total + 63) / 64;
}

/* The first word apart: compilers make a call of memset() of the loop, which brief calls would
   notice, and most codes have no further words. */
static inline void pxr_set_clear(struct pxr_shard_set *set, unsigned total)
{
    set->word[0] = 0;
    for (unsigned i = 1; i < pxr_set_words(total); i++)
        set->word[i] = 0;
}

static inline void pxr_set_add(struct pxr_shard_set *set, unsigned shard)
{
    set->word[shard / 64] |= UINT64_C(1) << shard % 64;
}

static inline bool pxr_set_has(const struct pxr_shard_set *set, unsigned shard)
{
    return set->word[shard / 64] >> shard % 64 & 1;
}

/* The shards of a set below `total`, ascending; returns how many. */
unsigned pxr_set_list(const struct pxr_shard_set *set, unsigned total, uint16_t *list);

/* What a plan is asked for.  A shard may be in both sets; its value then follows from the
   survivors all the same. */
struct pxr_plan_key {
    struct pxr_shard_set survivors, wanted;
};

static inline void pxr_key_clear(struct pxr_plan_key *key, unsigned total)
{
    pxr_set_clear(&key->survivors, total);
    pxr_set_clear(&key->wanted, total);
}

/*
 * How wanted shards follow from survivors:
 *     shard[target[t]] = sum over i < sources of coefficient(t, i) * shard[source[i]]
 * A plan never changes once it is made, and refers to nothing but itself.
 */
struct pxr_plan {
    struct pxr_plan_key key;
    size_t bytes; /* of all of it */
    unsigned sources, targets;
    struct pxr_map map;   /* the coefficients, in `room` */
    struct pxr_wide wide; /* what bytes make of many targets; constants follow */
    uint64_t *room;       /* behind the numbers of the shards */
    /* The sources, each of which has a coefficient that is not zero, and behind them the
       targets, both ascending. */
    uint16_t shard[];
};

static inline const uint16_t *pxr_plan_targets(const struct pxr_plan *plan)
{
    return plan->shard + plan->sources;
}

/*
 * The plan that computes the wanted shards from survivors, of which there are at least k,
 * while no more than m are wanted: PXR_OK, PXR_ESINGULAR or PXR_ENOMEM.  It is freed by free().
 */
int pxr_plan_make(const struct pxr_code *code, const struct pxr_plan_key *key,
                  struct pxr_plan **plan);

/* A plan's first part, of this key, with these sources, with as many targets as the key has,
   and with so many bytes of room behind it; NULL where memory ran out. */
struct pxr_plan *pxr_plan_allocate(const struct pxr_code *code, const struct pxr_plan_key *key,
                                   unsigned sources, const uint16_t *source, unsigned targets,
                                   size_t room);

/*
 * The parity shards that survive, in the order in which they are taken as helpers: the shard
 * numbers', or for a code that is not MDS, those of the least weight first, which says how many
 * data shards one is made of, since they take the fewest reads.  Returns how many.
 */
typedef unsigned pxr_weight_fn(const struct pxr_code *code, unsigned shard);
unsigned pxr_list_helpers(const struct pxr_code *code, const struct pxr_shard_set *survivors,
                          pxr_weight_fn *weight, uint16_t *list);

/*
 * The key without those survivors that make no difference: what is left is the data, and as
 * many parity shards as data shards are lost.  (Of a code that is not MDS, any parity shard
 * may turn out to be needed.)  Patterns of losses that differ in the rest share a plan.
 */
void pxr_plan_relevant(const struct pxr_code *code, const struct pxr_plan_key *key,
                       struct pxr_plan_key *relevant);

#endif
