/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files behind permxor.h share: the code object, coding matrices, and the plans by
 * which shards are rebuilt from survivors.
 */
#ifndef PXR_CODE_H
#define PXR_CODE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explain.h"
#include "packets.h"
#include "permxor.h"
#include "rows.h"
#include "words.h"

struct pxr_arithmetic;
struct pxr_plan_cache;

/* The most packets in a unit of a shard, which is as many as Ceph has for liberation; and the
   most packets in a unit of all shards, because calls have their addresses on the stack. */
#define PXR_MAX_W 257
#define PXR_MAX_PACKETS 2048

/* The most shards of a code of any kind, for arrays that have an entry for each shard. */
#define PXR_MAX_ANY_SHARDS PXR_MAX_WORD_SHARDS

/*
 * How some shards follow from others: the parity from the data, or the shards that a plan
 * writes from those it reads.  A map refers to memory that its owner holds.
 */
struct pxr_map {
    const struct pxr_arithmetic *arithmetic;
    unsigned k, count;    /* numbers of shards that are read, and that are written */
    size_t unit;          /* lengths are multiples of this many bytes */
    struct pxr_rows rows; /* for bytes; no rows in other arithmetics */
    unsigned w;           /* bits of a word, or packets in a unit of each shard; 0: bytes */
    struct pxr_words words;
    /* for packets, in the order of the shards */
    size_t packetsize;
    struct pxr_packet_rows packets;
};

struct pxr_code {
    unsigned k, m;
    enum pxr_matrix matrix;
    bool mds;           /* known to be MDS; false with PXR_ASSUME_MDS */
    struct pxr_map map; /* the map of the parity */
    uint64_t *room;     /* the memory that the map refers to */

    /* for bytes */
    uint8_t *rows; /* m*k coefficients */
    struct pxr_structure structure;
    struct pxr_wide wide;
    uint64_t *constants; /* the memory that `structure` refers to; NULL: none */

    /* for words */
    uint32_t *words;                /* m*k coefficients */
    struct pxr_words *word_columns; /* the column of each data shard */

    /* for packets */
    struct pxr_bits bits;            /* m*w rows of k*w columns */
    struct pxr_packet_rows *columns; /* the w columns of each data shard */

    uint64_t *columns_room; /* the memory that the columns refer to */

    /* the only part that changes; NULL until the first plan is kept */
    _Atomic(struct pxr_plan_cache *) cache;
};

/* ------------------------------------------------------------ creation -- */

/* The first checks of a code that is to be made, which has at most `most` shards. *code becomes
   NULL. */
int pxr_code_begin(struct pxr_code **code, unsigned k, unsigned m, unsigned most,
                   struct pxr_error *why);

/* Allocates a code without contents.  The caller fills it in and frees it by pxr_code_free().
   Returns NULL, with a message, when memory ran out. */
struct pxr_code *pxr_code_allocate(unsigned k, unsigned m, enum pxr_matrix matrix,
                                   struct pxr_error *why);

/* Frees the code and returns PXR_ENOMEM, with a message. */
int pxr_code_no_memory(struct pxr_code *code, struct pxr_error *why);

/* Returns PXR_OK when all flags are known, and else PXR_EINVAL. */
int pxr_flags_check(unsigned flags, struct pxr_error *why);

/* ----------------------------------------------------- packet_create.c -- */

/*
 * Makes *view the same code of packets with packets of another size.  A view allocates nothing,
 * and refers to the memory of `code`.  Its own memory is the plans that it keeps, which
 * pxr_code_end_view() frees.
 */
void pxr_code_begin_view(struct pxr_code *view, const struct pxr_code *code, size_t packetsize);
void pxr_code_end_view(struct pxr_code *view);

/* ------------------------------------------------------- code_matrix.c -- */

/* Returns PXR_OK when a shape has some shards of both kinds and at most `most` shards, and else
   PXR_EINVAL. */
int pxr_shape_check(unsigned k, unsigned m, unsigned most, struct pxr_error *why);

/* Returns PXR_OK when a code of bytes with this shape exists, and else PXR_EINVAL or
   PXR_ENOTMDS. */
int pxr_matrix_check(unsigned k, unsigned m, enum pxr_matrix matrix, struct pxr_error *why);

/* Writes the m*k coefficients of a matrix that pxr_matrix_check() accepts. */
void pxr_matrix_fill(uint8_t *rows, unsigned k, unsigned m, enum pxr_matrix matrix);

/* Tests every square submatrix.  Returns PXR_OK, PXR_ENOTMDS, PXR_EUNPROVEN or PXR_ENOMEM. */
int pxr_matrix_prove_mds(const uint8_t *rows, unsigned k, unsigned m, struct pxr_error *why);

/* --------------------------------------------------------- code_plan.c -- */

/* A set of shard numbers.  Only the words that the shards of the code need are filled in and
   read, because filling in all words would slow brief calls down. */
struct pxr_shard_set {
    uint64_t word[PXR_MAX_ANY_SHARDS / 64];
};

/* Returns the number of words for this many shards. */
static inline unsigned pxr_set_words(unsigned total)
{
    return (total + 63) / 64;
}

/* The first word is handled apart.  Compilers turn a loop over all words into a call of
   memset(), which is noticeable in brief calls, and most codes have only one word. */
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

/* Lists the shards of a set below `total` in ascending order.  Returns how many there are. */
unsigned pxr_set_list(const struct pxr_shard_set *set, unsigned total, uint16_t *list);

/* The question that a plan answers.  A shard may be in both sets; then its value still follows
   from the survivors. */
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
 * A plan never changes after it is made, and refers only to itself.
 */
struct pxr_plan {
    struct pxr_plan_key key;
    size_t bytes; /* the size of the whole plan */
    unsigned sources, targets;
    struct pxr_map map;   /* its coefficients are in `room` */
    struct pxr_wide wide; /* the structure of many targets, for bytes; its constants follow */
    uint64_t *room;       /* the memory behind the shard numbers */
    /* The sources, each of which has a coefficient that is not zero, and behind them the
       targets.  Both are in ascending order. */
    uint16_t shard[];
};

static inline const uint16_t *pxr_plan_targets(const struct pxr_plan *plan)
{
    return plan->shard + plan->sources;
}

/*
 * Makes the plan that computes the wanted shards from the survivors.  At least k shards
 * survive, and at most m are wanted.  Returns PXR_OK, PXR_ESINGULAR or PXR_ENOMEM.  Free the
 * plan with free().
 */
int pxr_plan_make(const struct pxr_code *code, const struct pxr_plan_key *key,
                  struct pxr_plan **plan);

/* Allocates a plan with this key, these sources, the targets of the key, and this many bytes of
   room.  Returns NULL when memory ran out. */
struct pxr_plan *pxr_plan_allocate(const struct pxr_code *code, const struct pxr_plan_key *key,
                                   unsigned sources, const uint16_t *source, unsigned targets,
                                   size_t room);

/*
 * Lists the surviving parity shards in the order in which they are used as helpers.  That is
 * the order of their numbers.  For a code that is not MDS, shards of the least weight come
 * first, because they take the fewest reads: the weight of a parity shard is the number of data
 * shards that it depends on.  Returns how many there are.
 */
typedef unsigned pxr_weight_fn(const struct pxr_code *code, unsigned shard);
unsigned pxr_list_helpers(const struct pxr_code *code, const struct pxr_shard_set *survivors,
                          pxr_weight_fn *weight, uint16_t *list);

/*
 * Removes the survivors that make no difference from a key.  The data shards stay, and as many
 * parity shards as data shards are lost.  (With a code that is not MDS, any parity shard may
 * turn out to be needed.) So patterns of losses that differ only in the removed shards share a
 * plan.
 */
void pxr_plan_relevant(const struct pxr_code *code, const struct pxr_plan_key *key,
                       struct pxr_plan_key *relevant);

#endif
