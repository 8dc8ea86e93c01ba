/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Codes of words through permxor.h.  They are checked bit by bit, and compared with the
 * jerasure of the system.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "stripe.h"
#include "system_library.h"
#include "word_stripe.h"

static const struct word_shape shapes[] = {
    {PXR_JERASURE_VAN, 1, 1, 16}, {PXR_JERASURE_VAN, 4, 2, 16},  {PXR_JERASURE_R6, 5, 2, 16},
    {PXR_JERASURE_VAN, 3, 4, 16}, {PXR_JERASURE_VAN, 10, 4, 16}, {PXR_JERASURE_VAN, 20, 9, 16},
    {PXR_JERASURE_VAN, 1, 1, 32}, {PXR_JERASURE_VAN, 4, 2, 32},  {PXR_JERASURE_R6, 5, 2, 32},
    {PXR_JERASURE_VAN, 3, 4, 32}, {PXR_JERASURE_VAN, 10, 4, 32}, {PXR_JERASURE_VAN, 20, 9, 32},
    {PXR_JERASURE_VAN, 1, 1, 4},  {PXR_JERASURE_VAN, 4, 2, 4},   {PXR_JERASURE_R6, 14, 2, 4},
    {PXR_JERASURE_VAN, 3, 13, 4}, {PXR_JERASURE_VAN, 10, 4, 4},  {PXR_JERASURE_VAN, 9, 7, 4},
};
#define EACH_CODE(shape)                          \
    for (const struct word_shape *shape = shapes; \
         shape < shapes + sizeof shapes / sizeof *shapes; shape++)

/* ------------------------------------------------------------- stripes -- */

static size_t random_length(const pxr_code *code)
{
    return check_below(check_below(4) ? 80 : 3000) * pxr_code_unit(code);
}

/* -------------------------------------------------------------- encode -- */

static void test_encode(const struct word_shape *shape)
{
    if (!word_case("encode", shape))
        return;
    uint32_t coefficients[20 * 9];
    pxr_code *code = word_code(shape);
    word_coefficients(code, coefficients);
    CHECK(word_coefficients_are_right(shape, coefficients));
    for (unsigned round = 0; round < check_effort(20); round++) {
        struct stripe s = word_stripe(code, random_length(code));
        check_at("len=%ld", (long)s.len, 0, 0, 0);
        word_check_parity(shape, coefficients, s.shard, s.len, 300);
        stripe_free(&s);
    }
    CHECK_INT(pxr_code_w(code), shape->w);
    CHECK_INT((long long)pxr_code_unit(code), shape->w == 4 ? 1 : shape->w / 8);
    CHECK_INT((long long)pxr_code_packetsize(code), 0);
    CHECK(pxr_code_coefficients(code) == NULL);
    pxr_code_free(code);
}

/* --------------------------------------------------------- reconstruct -- */

/* Loses `count` shards and rebuilds some of them. */
static void rebuild(const pxr_code *code, const struct stripe *full, unsigned count)
{
    bool lost[PXR_MAX_SHARDS], written[PXR_MAX_SHARDS];
    stripe_choose(lost, full->k + full->m, count);
    for (unsigned i = 0; i < full->k + full->m; i++)
        written[i] = lost[i] && check_below(4) != 0;
    word_rebuild(code, full, lost, written);
}

static void test_reconstruct(const struct word_shape *shape)
{
    if (!word_case("reconstruct", shape))
        return;
    pxr_code *code = word_code(shape);
    struct stripe full = word_stripe(code, 36);
    for (unsigned round = 0; round < check_effort(200); round++)
        rebuild(code, &full, 1 + (unsigned)check_below(shape->m));
    uint8_t *have[PXR_MAX_SHARDS] = {NULL}, *want[PXR_MAX_SHARDS] = {NULL};
    for (unsigned i = 0; i < shape->k - 1; i++)
        have[i] = full.shard[i];
    CHECK_INT(pxr_reconstruct(code, full.len, have, want), PXR_ETOOFEW);
    stripe_free(&full);
    pxr_code_free(code);
}

/* -------------------------------------------------------------- update -- */

static void update_once(const pxr_code *code, unsigned count)
{
    const size_t len = random_length(code);
    struct stripe old = word_stripe(code, len), new = word_stripe(code, len);
    struct stripe want = stripe_copy(&old);
    uint8_t *from[PXR_MAX_SHARDS], *to[PXR_MAX_SHARDS], *parity[PXR_MAX_SHARDS];
    unsigned index[PXR_MAX_SHARDS];
    const unsigned n = stripe_change(&old, &new, count, &want, index, from, to);
    const unsigned left_out = (unsigned)check_below(old.m + 1);
    for (unsigned r = 0; r < old.m; r++)
        parity[r] = r == left_out ? NULL : old.shard[old.k + r];
    if (n == 1)
        CHECK_INT(pxr_update(code, len, index[0], from[0], to[0], parity), PXR_OK);
    else
        CHECK_INT(pxr_update_many(code, len, n, index, from, to, parity), PXR_OK);
    if (left_out < old.m)
        memcpy(want.shard[old.k + left_out], old.shard[old.k + left_out], len);
    uint8_t *wanted[PXR_MAX_SHARDS];
    struct stripe encoded = stripe_blank(old.k, old.m, len);
    for (unsigned r = 0; r < old.m; r++)
        wanted[r] = encoded.shard[old.k + r];
    CHECK_INT(pxr_encode(code, len, stripe_in(&want), wanted), PXR_OK);
    for (unsigned r = 0; r < old.m; r++)
        CHECK_BYTES(old.shard[old.k + r],
                    r == left_out ? want.shard[old.k + r] : encoded.shard[old.k + r], len);
    stripe_free(&encoded);
    stripe_free(&want);
    stripe_free(&new);
    stripe_free(&old);
}

static void test_update(const struct word_shape *shape)
{
    if (!word_case("update", shape))
        return;
    pxr_code *code = word_code(shape);
    for (unsigned round = 0; round < check_effort(30); round++)
        update_once(code, 1 + (unsigned)check_below(shape->k));
    pxr_code_free(code);
}

/* ---------------------------------------------------- verify and locate -- */

static void test_verify(const struct word_shape *shape)
{
    if (!word_case("verify, locate", shape))
        return;
    pxr_code *code = word_code(shape);
    for (unsigned round = 0; round < check_effort(30); round++) {
        const size_t unit = pxr_code_unit(code);
        struct stripe s = word_stripe(code, unit + random_length(code));
        const unsigned wrong = (unsigned)check_below(shape->k + shape->m);
        const size_t at = check_below(s.len);
        size_t first[PXR_MAX_SHARDS];
        unsigned index;
        check_at("shard %ld at %ld of %ld", wrong, (long)at, (long)s.len, 0);
        CHECK_INT(pxr_verify(code, s.len, stripe_in(&s), first), PXR_OK);
        s.shard[wrong][at] ^= (uint8_t)(1 + check_below(255));
        CHECK_INT(pxr_verify(code, s.len, stripe_in(&s), first), PXR_EMISMATCH);
        for (unsigned r = 0; r < shape->m; r++) {
            const bool differs = wrong < shape->k || wrong == shape->k + r;
            CHECK(differs ? first[r] / unit == at / unit : first[r] == s.len);
        }
        if (shape->m >= 2) {
            CHECK_INT(pxr_locate(code, s.len, stripe_in(&s), &index), PXR_EMISMATCH);
            CHECK_INT(index, wrong);
        }
        stripe_free(&s);
    }
    pxr_code_free(code);
}

/* -------------------------------------------------------------- pieces -- */

/* Pieces that end anywhere, even within words. */
static void test_pieces(const struct word_shape *shape)
{
    enum { MOST = 40 };
    static struct iovec pieces[PXR_MAX_SHARDS][MOST];
    if (!word_case("shards in pieces", shape))
        return;
    pxr_code *code = word_code(shape);
    for (unsigned round = 0; round < check_effort(20); round++) {
        struct stripe want = word_stripe(code, 200), got = stripe_copy(&want);
        struct pxr_iov shard[PXR_MAX_SHARDS];
        for (unsigned i = 0; i < shape->k + shape->m; i++) {
            unsigned n = 0;
            for (size_t at = 0; at < got.len; n++) {
                const size_t left = got.len - at, some = check_below(60);
                const size_t bytes = n + 1 == MOST || some > left ? left : some;
                pieces[i][n] = (struct iovec){got.shard[i] + at, bytes};
                at += bytes;
            }
            shard[i] = (struct pxr_iov){pieces[i], n};
            if (i >= shape->k)
                memset(got.shard[i], 0x5a, got.len);
        }
        CHECK_INT(pxr_encode_iov(code, got.len, shard, shard + shape->k), PXR_OK);
        CHECK(stripe_equal(&got, &want));
        stripe_free(&got);
        stripe_free(&want);
    }
    pxr_code_free(code);
}

/* ------------------------------------------------------------- refusals -- */

static void test_refusals(void)
{
    if (!check_case("refused arguments and lengths"))
        return;
    struct pxr_error why;
    pxr_code *code;
    CHECK_INT(pxr_code_create_words(NULL, 4, 2, PXR_JERASURE_VAN, 16, &why), PXR_EINVAL);
    CHECK_INT(pxr_code_create_words(&code, 0, 2, PXR_JERASURE_VAN, 16, &why), PXR_EINVAL);
    CHECK_INT(pxr_code_create_words(&code, 4, 2, PXR_JERASURE_VAN, 8, &why), PXR_EINVAL);
    CHECK_INT(pxr_code_create_words(&code, 15, 2, PXR_JERASURE_VAN, 4, &why), PXR_EINVAL);
    CHECK_STR(why.text, "k=15, m=2: at most k+m=16 shards are possible with w=4");
    CHECK(code == NULL);
    CHECK_INT(pxr_code_create_words(&code, 4, 2, PXR_ISAL_CAUCHY, 16, NULL), PXR_EINVAL);
    CHECK_INT(pxr_code_create_words(&code, 4, 3, PXR_JERASURE_R6, 32, &why), PXR_EINVAL);
    CHECK_INT(pxr_code_create_words(&code, 4, 2, PXR_JERASURE_VAN, 32, &why), PXR_OK);
    struct stripe s = stripe_blank(4, 2, 16);
    CHECK_INT(pxr_encode(code, 14, stripe_in(&s), stripe_parity(&s)), PXR_EINVAL);
    CHECK_INT(pxr_update(code, 3, 0, NULL, s.shard[0], stripe_parity(&s)), PXR_EINVAL);
    CHECK_INT(pxr_verify(code, 5, stripe_in(&s), NULL), PXR_EINVAL);
    CHECK_INT(pxr_code_bits(code, s.shard[0]), PXR_EINVAL);
    CHECK(stripe_intact(&s, NULL));
    stripe_free(&s);
    pxr_code_free(code);
}

/* ------------------------------------------------------------- jerasure -- */

typedef int *matrix_fn(int k, int m, int w);
typedef int *r6_fn(int k, int w);
typedef void encode_fn(int k, int m, int w, int *matrix, char **data, char **coding, int size);

static void *find(void *library, const char *name)
{
    void *const address = dlsym(library, name);
    CHECK(address != NULL);
    return address;
}

/* jerasure must compute the same parity.  The length and the addresses are multiples of 16, as
   it wants them. */
static void same_parity(pxr_code *code, int *matrix, encode_fn *encode)
{
    const unsigned k = pxr_code_k(code), m = pxr_code_m(code);
    struct stripe s = word_stripe(code, 320);
    char *theirs[PXR_MAX_SHARDS];
    for (unsigned i = 0; i < k + m; i++) {
        theirs[i] = aligned_alloc(16, s.len);
        memcpy(theirs[i], s.shard[i], s.len);
        if (i >= k)
            memset(theirs[i], 0x5a, s.len);
    }
    encode((int)k, (int)m, (int)(8 * pxr_code_unit(code)), matrix, theirs, theirs + k,
           (int)s.len);
    for (unsigned i = 0; i < k + m; i++) {
        CHECK_BYTES(s.shard[i], theirs[i], s.len);
        free(theirs[i]);
    }
    stripe_free(&s);
}

static void test_jerasure(void)
{
    void *const library = system_library_open("PXR_JERASURE", "libJerasure.so.2", "jerasure");
    if (!library || !check_case("the bytes of jerasure"))
        return;
    matrix_fn *van;
    r6_fn *r6;
    encode_fn *encode;
    *(void **)&van = find(library, "reed_sol_vandermonde_coding_matrix");
    *(void **)&r6 = find(library, "reed_sol_r6_coding_matrix");
    *(void **)&encode = find(library, "jerasure_matrix_encode");
    EACH_CODE(shape)
    {
        const int k = (int)shape->k, m = (int)shape->m, w = (int)shape->w;
        int *matrix = shape->matrix == PXR_JERASURE_R6 ? r6(k, w) : van(k, m, w);
        CHECK((matrix == NULL) == (w == 4 && shape->matrix == PXR_JERASURE_R6));
        if (!matrix) /* jerasure has no r6 with words of 4 bits */
            continue;
        uint32_t coefficients[20 * 9];
        pxr_code *code = word_code(shape);
        check_at("%ld+%ld w=%ld", k, m, w, 0);
        word_coefficients(code, coefficients);
        CHECK_BYTES(coefficients, matrix, sizeof *coefficients * shape->k * shape->m);
        if (w != 4) /* jerasure has no regions of such words */
            same_parity(code, matrix, encode);
        free(matrix);
        pxr_code_free(code);
    }
}

int main(int argc, char **argv)
{
    check_start("test_word_code", argc, argv);
    check_forced_kernels();
    EACH_CODE(shape)
    {
        test_encode(shape);
        test_reconstruct(shape);
        test_update(shape);
        test_verify(shape);
        test_pieces(shape);
    }
    test_refusals();
    test_jerasure();
    return check_finish();
}
