/* SPDX-License-Identifier: BSD-3-Clause */
#include "stripe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "judge.h"

#define BLANK 0xB7

pxr_code *stripe_code(unsigned k, unsigned m, enum pxr_matrix matrix)
{
    struct pxr_error why;
    pxr_code *code;
    if (pxr_code_create(&code, k, m, matrix, &why) != PXR_OK) {
        fprintf(stderr, "no code for a test: %s\n", why.text);
        exit(2);
    }
    return code;
}

/* Half of the shards end at an inaccessible page, and half start after one.  Half of each are
   moved away from the page by less than 64 bytes. */
static uint8_t *place(const struct check_guard *guard, size_t len)
{
    size_t offset = check_random() & 1 ? check_below(64) : 0;
    return check_random() & 1 ? check_to_end(guard, len, offset)
                              : check_from_start(guard, len, offset);
}

struct stripe stripe_blank(unsigned k, unsigned m, size_t len)
{
    struct stripe s = {.k = k, .m = m, .len = len};
    for (unsigned i = 0; i < k + m; i++) {
        s.guard[i] = check_guard_new(len + 64);
        s.shard[i] = place(&s.guard[i], len);
        memset(s.shard[i], BLANK, len);
    }
    return s;
}

void stripe_judge(const pxr_code *code, const struct stripe *s)
{
    for (unsigned r = 0; r < s->m; r++) {
        memset(s->shard[s->k + r], 0, s->len);
        judge_dot(s->len, s->k, pxr_code_coefficients(code) + (size_t)r * s->k,
                  pxr_read_only(stripe_in(s)), s->shard[s->k + r]);
    }
}

struct stripe stripe_random(const pxr_code *code, size_t len)
{
    struct stripe s = stripe_blank(pxr_code_k(code), pxr_code_m(code), len);
    for (unsigned j = 0; j < s.k; j++)
        check_fill(s.shard[j], len);
    stripe_judge(code, &s);
    return s;
}

struct stripe stripe_copy(const struct stripe *s)
{
    struct stripe copy = stripe_blank(s->k, s->m, s->len);
    for (unsigned i = 0; i < s->k + s->m; i++)
        memcpy(copy.shard[i], s->shard[i], s->len);
    return copy;
}

void stripe_free(struct stripe *s)
{
    for (unsigned i = 0; i < s->k + s->m; i++)
        check_guard_free(&s->guard[i]);
}

bool stripe_equal(const struct stripe *a, const struct stripe *b)
{
    for (unsigned i = 0; i < a->k + a->m; i++)
        if (memcmp(a->shard[i], b->shard[i], a->len) != 0)
            return false;
    return true;
}

static bool still_blank(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (bytes[i] != BLANK)
            return false;
    return true;
}

bool stripe_intact(const struct stripe *s, const bool *written)
{
    bool intact = true;
    for (unsigned i = 0; i < s->k + s->m; i++) {
        intact &= CHECK_UNTOUCHED(&s->guard[i], s->shard[i], s->len);
        if (!(written && written[i]))
            intact &= still_blank(s->shard[i], s->len);
    }
    return intact;
}

uint8_t *const *stripe_in(const struct stripe *s)
{
    return s->shard;
}

uint8_t *const *stripe_parity(const struct stripe *s)
{
    return s->shard + s->k;
}

void stripe_choose(bool *chosen, unsigned total, unsigned count)
{
    for (unsigned i = 0; i < total; i++) {
        /* `count` of the remaining total - i are still to be chosen */
        chosen[i] = check_below(total - i) < count;
        count -= chosen[i];
    }
}

unsigned stripe_change(const struct stripe *old, const struct stripe *new, unsigned count,
                       struct stripe *want, unsigned *index, uint8_t **from, uint8_t **to)
{
    bool changed[PXR_MAX_SHARDS];
    unsigned n = 0;
    stripe_choose(changed, old->k, count);
    for (unsigned j = 0; j < old->k; j++) {
        if (!changed[j])
            continue;
        const bool difference = check_below(3) == 0;
        index[n] = j;
        from[n] = difference ? NULL : old->shard[j];
        to[n++] = new->shard[j];
        for (size_t i = 0; i < old->len; i++)
            want->shard[j][i] = new->shard[j][i] ^ (difference ? want->shard[j][i] : 0);
    }
    return n;
}
