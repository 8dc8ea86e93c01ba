/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How lost shards of words follow from surviving ones; byte_plan.c derives it.  The matrices of
 * words are MDS, so any parity shards are suitable as helpers, and each chosen survivor is
 * read.
 */
#include <stdlib.h>

#include "arithmetic.h"
#include "word_matrix.h"

/* The letters are those of byte_plan.c. */
struct solver {
    const struct pxr_code *code;
    struct pxr_word_field field;
    unsigned t, kept;
    uint16_t lost[PXR_MAX_WORD_SHARDS];   /* L */
    uint16_t source[PXR_MAX_WORD_SHARDS]; /* S and then P, k shard numbers, ascending */
    /* t rows of t + k: first A, B and the identity.  When A has become the identity, the other
       two have become A^-1 B and A^-1, which express the lost data by the sources. */
    uint32_t *lost_rows;
    uint32_t *rows; /* rows of the targets, k entries each */
};

static void choose(struct solver *s, const struct pxr_shard_set *survivors)
{
    const struct pxr_code *const code = s->code;
    for (unsigned j = 0; j < code->k; j++) {
        if (pxr_set_has(survivors, j))
            s->source[s->kept++] = (uint16_t)j;
        else
            s->lost[s->t++] = (uint16_t)j;
    }
    unsigned chosen = s->kept;
    for (unsigned i = code->k; i < code->k + code->m && chosen < code->k; i++)
        if (pxr_set_has(survivors, i))
            s->source[chosen++] = (uint16_t)i;
}

/* Returns an entry of the generator (the identity above the code's matrix). */
static uint32_t generator(const struct solver *s, unsigned shard, unsigned column)
{
    const unsigned k = s->code->k;
    return shard < k ? shard == column : s->code->words[(size_t)(shard - k) * k + column];
}

static void solve_lost(struct solver *s)
{
    const unsigned t = s->t, columns = t + s->code->k;
    for (unsigned i = 0; i < t; i++) {
        const unsigned helper = s->source[s->kept + i];
        uint32_t *row = s->lost_rows + (size_t)i * columns;
        for (unsigned j = 0; j < t; j++)
            *row++ = generator(s, helper, s->lost[j]);
        for (unsigned j = 0; j < s->kept; j++)
            *row++ = generator(s, helper, s->source[j]);
        for (unsigned j = 0; j < t; j++)
            *row++ = i == j;
    }
    pxr_word_eliminate(s->field, s->lost_rows, t, columns);
}

/* Makes the rows of the wanted shards: their coefficients for the kept data, plus the rows of
   the lost data that they depend on. */
static void solve_targets(struct solver *s, const uint16_t *target, unsigned targets)
{
    const unsigned k = s->code->k;
    uint32_t factor[PXR_MAX_WORD_SHARDS];
    for (unsigned i = 0; i < targets; i++)
        for (unsigned j = 0; j < k; j++)
            s->rows[(size_t)i * k + j] =
                j < s->kept ? generator(s, target[i], s->source[j]) : 0;
    for (unsigned l = 0; l < s->t; l++) {
        for (unsigned i = 0; i < targets; i++)
            factor[i] = generator(s, target[i], s->lost[l]);
        pxr_word_add_multiples(s->field, s->lost_rows + (size_t)l * (s->t + k) + s->t, k,
                               targets, factor, s->rows, k);
    }
}

static struct pxr_plan *make(const struct solver *s, const struct pxr_plan_key *key,
                             unsigned sources, unsigned targets)
{
    struct pxr_plan *const plan = pxr_plan_allocate(s->code, key, sources, s->source, targets,
                                                    pxr_words_room(s->field, sources, targets));
    if (plan)
        plan->map.words =
            pxr_words_expand_both(s->field, sources, targets, s->rows, plan->room);
    return plan;
}

/* The code is MDS, so A is never singular.  When nothing is wanted, nothing is read. */
int pxr_words_solve(const struct pxr_code *code, const struct pxr_plan_key *key,
                    struct pxr_plan **plan)
{
    struct solver s = {.code = code, .field = pxr_word_field_of(code->map.w)};
    uint16_t target[PXR_MAX_WORD_SHARDS];
    const unsigned targets = pxr_set_list(&key->wanted, code->k + code->m, target);
    if (targets > 0)
        choose(&s, &key->survivors);
    const size_t lost_words = (size_t)s.t * (s.t + code->k);
    uint32_t *const room = malloc(sizeof *room * (lost_words + (size_t)targets * code->k + 1));
    if (!room)
        return PXR_ENOMEM;
    s.lost_rows = room;
    s.rows = room + lost_words;
    if (targets > 0) {
        solve_lost(&s);
        solve_targets(&s, target, targets);
    }
    *plan = make(&s, key, targets > 0 ? code->k : 0, targets);
    free(room);
    return *plan ? PXR_OK : PXR_ENOMEM;
}
