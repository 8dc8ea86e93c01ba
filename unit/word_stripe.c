/* SPDX-License-Identifier: BSD-3-Clause */
#include "word_stripe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

pxr_code *word_code(const struct word_shape *shape)
{
    struct pxr_error why;
    pxr_code *code;
    if (pxr_code_create_words(&code, shape->k, shape->m, shape->matrix, shape->w, &why) !=
        PXR_OK) {
        fprintf(stderr, "no code for a test: %s\n", why.text);
        exit(2);
    }
    return code;
}

bool word_case(const char *what, const struct word_shape *shape)
{
    return check_case("%s %s %u+%u w=%u", what, pxr_matrix_name(shape->matrix), shape->k,
                      shape->m, shape->w);
}

struct stripe word_stripe(const pxr_code *code, size_t len)
{
    struct stripe s = stripe_blank(pxr_code_k(code), pxr_code_m(code), len);
    for (unsigned j = 0; j < s.k; j++)
        check_fill(s.shard[j], len);
    CHECK_INT(pxr_encode(code, len, stripe_in(&s), stripe_parity(&s)), PXR_OK);
    return s;
}

uint32_t word_product(uint32_t a, uint32_t b, unsigned w)
{
    const uint32_t polynomial = w == 4 ? 0x3 : w == 8 ? 0x1d : w == 16 ? 0x100b : 0x400007;
    const uint32_t top = UINT32_C(1) << (w - 1), mask = top | (top - 1);
    uint32_t sum = 0;
    for (; b != 0; b >>= 1) {
        sum ^= b & 1 ? a : 0;
        a = ((a << 1) ^ (a & top ? polynomial : 0)) & mask;
    }
    return sum;
}

uint32_t word_at(const void *shard, size_t index, unsigned w)
{
    const uint8_t *const bytes = shard;
    uint16_t half;
    uint32_t whole;
    if (w == 4)
        return bytes[index / 2] >> 4 * (index % 2) & 15;
    if (w == 8)
        return bytes[index];
    if (w == 16) {
        memcpy(&half, bytes + 2 * index, sizeof half);
        return half;
    }
    memcpy(&whole, bytes + 4 * index, sizeof whole);
    return whole;
}

static void put_one(uint8_t *shard, size_t index, unsigned w)
{
    const uint16_t half = 1;
    const uint32_t whole = 1;
    if (w == 4)
        shard[index / 2] = (uint8_t)(index % 2 ? 0x10 : 1);
    else if (w == 16)
        memcpy(shard + 2 * index, &half, sizeof half);
    else
        memcpy(shard + 4 * index, &whole, sizeof whole);
}

void word_coefficients(const pxr_code *code, uint32_t *coefficients)
{
    const unsigned k = pxr_code_k(code), m = pxr_code_m(code), w = pxr_code_w(code);
    const size_t len = ((size_t)k * w + 7) / 8;
    uint8_t *const bytes = calloc(k + m, len), *shard[PXR_MAX_WORD_SHARDS];
    if (!bytes)
        exit(2);
    for (unsigned i = 0; i < k + m; i++)
        shard[i] = bytes + i * len;
    for (unsigned j = 0; j < k; j++)
        put_one(shard[j], j, w);
    CHECK_INT(pxr_encode(code, len, shard, shard + k), PXR_OK);
    for (unsigned r = 0; r < m; r++)
        for (unsigned j = 0; j < k; j++)
            coefficients[(size_t)r * k + j] = word_at(shard[k + r], j, w);
    free(bytes);
}

/* Checks a coefficient c against the formula of erasure_code/word_matrix.c, multiplied out so
   that it has no quotients: k*x'*c = (k + j)*x at point x, where x' is x + j and + is xor.  At
   infinity, x and x' are left out. */
static bool is_right(const struct word_shape *s, unsigned r, unsigned j, uint32_t c)
{
    const uint32_t x = s->k + r;
    if (s->matrix == PXR_JERASURE_R6) {
        uint32_t power = 1;
        for (unsigned i = 0; i < r * j; i++)
            power = word_product(power, 2, s->w);
        return c == power;
    }
    if (r == 0)
        return c == 1;
    if (r == s->m - 1)
        return word_product(c, s->k, s->w) == (s->k ^ j);
    return word_product(word_product(c, s->k, s->w), x ^ j, s->w) ==
           word_product(s->k ^ j, x, s->w);
}

bool word_coefficients_are_right(const struct word_shape *shape, const uint32_t *coefficients)
{
    for (unsigned r = 0; r < shape->m; r++)
        for (unsigned j = 0; j < shape->k; j++)
            if (!is_right(shape, r, j, *coefficients++))
                return false;
    return true;
}

void word_check_parity(const struct word_shape *shape, const uint32_t *coefficients,
                       uint8_t *const *shard, size_t len, size_t most)
{
    const unsigned k = shape->k, w = shape->w;
    const size_t words = len * 8 / w, step = words > most ? words / most | 1 : 1;
    for (unsigned r = 0; r < shape->m; r++)
        for (size_t at = 0; at < words + step - 1; at += step) {
            const size_t i = at < words ? at : words - 1; /* always check the last one */
            uint32_t want = 0;
            for (unsigned j = 0; j < k; j++)
                want ^=
                    word_product(coefficients[(size_t)r * k + j], word_at(shard[j], i, w), w);
            if (!CHECK(word_at(shard[k + r], i, w) == want))
                return;
        }
}

void word_rebuild(const pxr_code *code, const struct stripe *full, const bool *lost,
                  const bool *written)
{
    struct stripe out = stripe_blank(full->k, full->m, full->len);
    uint8_t *have[PXR_MAX_SHARDS], *want[PXR_MAX_SHARDS];
    for (unsigned i = 0; i < full->k + full->m; i++) {
        have[i] = lost[i] ? NULL : full->shard[i];
        want[i] = written[i] ? out.shard[i] : NULL;
    }
    CHECK_INT(pxr_reconstruct(code, full->len, have, want), PXR_OK);
    for (unsigned i = 0; i < full->k + full->m; i++)
        if (written[i])
            CHECK_BYTES(out.shard[i], full->shard[i], full->len);
    CHECK(stripe_intact(&out, written));
    stripe_free(&out);
}
