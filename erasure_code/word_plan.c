/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How lost shards of words follow from surviving ones: byte_plan.c derives it.  The matrices of
 * words are MDS, so any parity shards will do as helpers, and each survivor is read.
 */
#include <stdlib.h>

#include "arithmetic.h"
#include "word_matrix.h"

/* The letters are those of byte_plan.c. */
struct solver {
    const struct pxr_code *code;
    struct pxr_word_field field;
    unsigned t, kept;
    uint8_t lost[PXR_MAX_SHARDS];   /* L */
    uint8_t source[PXR_MAX_SHARDS]; /* S and then P, k shard numbers, ascending */
    uint32_t *matrix;               /* A, t by t */
    uint32_t *inverse;              /* A^-1, t by t */
    uint32_t *rows;                 /* of the lost data shards, t by k: A^-1 B, and A^-1 */
};

static void choose(struct solver *s, const struct pxr_shard_set *survivors)
{
    const struct pxr_code *const code = s->code;
    for (unsigned j = 0; j < code->k; j++) {
        if (pxr_set_has(survivors, j))
            s->source[s->kept++] = (uint8_t)j;
        else
            s->lost[s->t++] = (uint8_t)j;
    }
    unsigned chosen = s->kept;
    for (unsigned i = code->k; i < code->k + code->m && chosen < code->k; i++)
        if (pxr_set_has(survivors, i))
            s->source[chosen++] = (uint8_t)i;
}

/* A coefficient of parity shard `shard`. */
static uint32_t coefficient(const struct solver *s, unsigned shard, unsigned column)
{
    return s->code->words[(size_t)(shard - s->code->k) * s->code->k + column];
}

/* What the lost data are of the sources. */
static bool solve_lost(struct solver *s)
{
    const unsigned t = s->t, k = s->code->k;
    const uint8_t *const helper = s->source + s->kept;
    for (unsigned i = 0; i < t; i++)
        for (unsigned j = 0; j < t; j++)
            s->matrix[i * t + j] = coefficient(s, helper[i], s->lost[j]);
    if (!pxr_word_invert(s->field, s->matrix, s->inverse, t))
        return false;
    for (unsigned i = 0; i < t; i++) {
        uint32_t *const row = s->rows + (size_t)i * k;
        for (unsigned j = 0; j < s->kept; j++) {
            row[j] = 0;
            for (unsigned h = 0; h < t; h++)
                row[j] ^= pxr_word_mul(s->field, s->inverse[i * t + h],
                                       coefficient(s, helper[h], s->source[j]));
        }
        for (unsigned h = 0; h < t; h++)
            row[s->kept + h] = s->inverse[i * t + h];
    }
    return true;
}

/* The coefficients of a wanted shard. */
static void solve_target(const struct solver *s, unsigned wanted, uint32_t *row)
{
    const unsigned k = s->code->k;
    for (unsigned i = 0; i < k; i++) {
        row[i] = 0;
        if (i < s->kept)
            row[i] = wanted < k ? s->source[i] == wanted : coefficient(s, wanted, s->source[i]);
    }
    for (unsigned l = 0; l < s->t; l++) {
        const uint32_t c =
            wanted < k ? s->lost[l] == wanted : coefficient(s, wanted, s->lost[l]);
        for (unsigned i = 0; c != 0 && i < k; i++)
            row[i] ^= pxr_word_mul(s->field, s->rows[(size_t)l * k + i], c);
    }
}

static int solve(struct solver *s, const struct pxr_plan_key *key, uint32_t *coefficients,
                 struct pxr_plan **made)
{
    const struct pxr_code *const code = s->code;
    uint8_t target[PXR_MAX_SHARDS];
    const unsigned targets = pxr_set_list(&key->wanted, code->k + code->m, target);
    const unsigned sources = targets > 0 ? code->k : 0;
    if (targets > 0) {
        choose(s, &key->survivors);
        if (!solve_lost(s))
            return PXR_ESINGULAR;
    }
    for (unsigned i = 0; i < targets; i++)
        solve_target(s, target[i], coefficients + (size_t)i * code->k);
    struct pxr_plan *const plan = pxr_plan_allocate(code, key, sources, s->source,
                                                    pxr_words_room(s->field, sources, targets));
    if (!plan)
        return PXR_ENOMEM;
    plan->map.words =
        pxr_words_expand_both(s->field, sources, targets, coefficients, plan->room);
    *made = plan;
    return PXR_OK;
}

/* At most m shards are wanted, and at most as many data shards are lost as there are helpers.
 */
int pxr_words_solve(const struct pxr_code *code, const struct pxr_plan_key *key,
                    struct pxr_plan **plan)
{
    const size_t square = (size_t)code->m * code->m, wide = (size_t)code->m * code->k;
    uint32_t *const room = malloc(sizeof *room * (2 * square + 2 * wide));
    if (!room)
        return PXR_ENOMEM;
    struct solver s = {
        .code = code,
        .field = pxr_word_field_of(code->map.w),
        .matrix = room,
        .inverse = room + square,
        .rows = room + 2 * square,
    };
    const int status = solve(&s, key, room + 2 * square + wide, plan);
    free(room);
    return status;
}
