/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Codes of words with more shards than codes of bytes can have.  Their parity is checked bit by
 * bit, and their matrices are compared with those of the system's jerasure.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan_cache.h"
#include "stripe.h"
#include "system_library.h"
#include "word_stripe.h"

enum { MOST = PXR_MAX_WORD_SHARDS };

static const struct word_shape shapes[] = {
    {PXR_JERASURE_VAN, 200, 100, 16}, {PXR_JERASURE_VAN, 300, 20, 16},
    {PXR_JERASURE_VAN, 20, 300, 16},  {PXR_JERASURE_VAN, 1000, 24, 16},
    {PXR_JERASURE_VAN, 1, 1023, 16},  {PXR_JERASURE_VAN, 1023, 1, 16},
    {PXR_JERASURE_R6, 1022, 2, 16},   {PXR_JERASURE_VAN, 260, 10, 32},
    {PXR_JERASURE_VAN, 30, 300, 32},
};

/* A code, and shards of it with the right parity. */
struct wide {
    const struct word_shape *shape;
    pxr_code *code;
    unsigned total;
    size_t len;
    uint8_t *shard[MOST];
};

static uint8_t *new_shard(size_t len)
{
    uint8_t *const shard = malloc(len);
    if (!shard)
        exit(2);
    check_fill(shard, len);
    return shard;
}

static struct wide wide_begin(const struct word_shape *shape, size_t len)
{
    struct wide w = {shape, word_code(shape), shape->k + shape->m, len, {NULL}};
    for (unsigned i = 0; i < w.total; i++)
        w.shard[i] = new_shard(len);
    CHECK_INT(pxr_encode(w.code, len, w.shard, w.shard + shape->k), PXR_OK);
    return w;
}

static void wide_end(struct wide *w)
{
    for (unsigned i = 0; i < w->total; i++)
        free(w->shard[i]);
    pxr_code_free(w->code);
}

/* -------------------------------------------------------------- encode -- */

static void test_encode(const struct wide *w)
{
    if (!word_case("encode", w->shape))
        return;
    const unsigned k = w->shape->k, m = w->shape->m;
    uint32_t *const coefficients = malloc(sizeof *coefficients * k * m);
    if (!coefficients)
        exit(2);
    word_coefficients(w->code, coefficients);
    CHECK(word_coefficients_are_right(w->shape, coefficients));
    word_check_parity(w->shape, coefficients, w->shard, w->len, 7);
    free(coefficients);
}

/* --------------------------------------------------------- reconstruct -- */

/* The lost shards, and buffers to rebuild them in. */
struct losses {
    uint8_t *have[MOST], *want[MOST];
    uint8_t is_there[MOST], is_wanted[MOST];
};

static void lose(const struct wide *w, unsigned count, struct losses *losses)
{
    bool lost[MOST];
    stripe_choose(lost, w->total, count);
    for (unsigned i = 0; i < w->total; i++) {
        losses->is_there[i] = !lost[i];
        losses->is_wanted[i] = lost[i];
        losses->have[i] = lost[i] ? NULL : w->shard[i];
        losses->want[i] = lost[i] ? new_shard(w->len) : NULL;
    }
}

static void check_rebuilt(const struct wide *w, struct losses *losses)
{
    for (unsigned i = 0; i < w->total; i++) {
        if (losses->want[i])
            CHECK_BYTES(losses->want[i], w->shard[i], w->len);
        free(losses->want[i]);
    }
}

/* Rebuilds by a plan.  The plan gets only the shards that it says it reads. */
static void rebuild_by_plan(const struct wide *w, struct losses *losses)
{
    uint8_t *have[MOST] = {NULL};
    const uint16_t *reads, *writes;
    pxr_plan *plan;
    if (!CHECK_INT(pxr_plan_create(&plan, w->code, losses->is_there, losses->is_wanted, NULL),
                   PXR_OK))
        return;
    const unsigned n = pxr_plan_reads(plan, &reads), targets = pxr_plan_writes(plan, &writes);
    CHECK_INT(n, w->shape->k);
    for (unsigned i = 0; i < n; i++) {
        CHECK(losses->is_there[reads[i]] && (i == 0 || reads[i - 1] < reads[i]));
        have[reads[i]] = w->shard[reads[i]];
    }
    for (unsigned i = 0, t = 0; i < w->total; i++)
        if (losses->is_wanted[i])
            CHECK(t < targets && writes[t++] == i);
    CHECK_INT(pxr_plan_apply(plan, w->len, have, losses->want), PXR_OK);
    pxr_plan_free(plan);
}

static void rebuild(const struct wide *w, unsigned count)
{
    struct losses losses;
    check_at("%ld lost", count, 0, 0, 0);
    lose(w, count, &losses);
    rebuild_by_plan(w, &losses);
    check_rebuilt(w, &losses);
    lose(w, count, &losses);
    CHECK_INT(pxr_reconstruct(w->code, w->len, losses.have, losses.want), PXR_OK);
    check_rebuilt(w, &losses);
}

static void test_reconstruct(const struct wide *w)
{
    if (!word_case("reconstruct", w->shape))
        return;
    const unsigned m = w->shape->m;
    for (unsigned round = 0; round < check_effort(5); round++)
        rebuild(w, 1 + (unsigned)check_below(m < 8 ? m : 8));
    rebuild(w, m);
}

/* ----------------------------------------------------- update and locate -- */

static void test_update(const struct wide *w)
{
    if (!word_case("update, verify", w->shape))
        return;
    enum { CHANGES = 3 };
    const unsigned k = w->shape->k, count = k < CHANGES ? k : CHANGES;
    unsigned index[CHANGES];
    uint8_t *from[CHANGES], *to[CHANGES];
    size_t first[MOST];
    for (unsigned i = 0; i < count; i++) {
        index[i] = k - 1 - i * (k / CHANGES);
        from[i] = w->shard[index[i]];
        to[i] = new_shard(w->len);
    }
    CHECK_INT(pxr_update_many(w->code, w->len, count, index, from, to, w->shard + k), PXR_OK);
    CHECK_INT(pxr_verify(w->code, w->len, w->shard, first), PXR_EMISMATCH);
    CHECK(first[w->shape->m - 1] < w->len);
    for (unsigned i = 0; i < count; i++) {
        memcpy(from[i], to[i], w->len);
        free(to[i]);
    }
    CHECK_INT(pxr_verify(w->code, w->len, w->shard, NULL), PXR_OK);
}

static void locate(const struct wide *w, unsigned wrong)
{
    const size_t at = check_below(w->len);
    const uint8_t error = (uint8_t)(1 + check_below(255));
    unsigned index;
    check_at("shard %ld at %ld", wrong, (long)at, 0, 0);
    w->shard[wrong][at] ^= error;
    CHECK_INT(pxr_locate(w->code, w->len, w->shard, &index), PXR_EMISMATCH);
    CHECK_INT(index, wrong);
    w->shard[wrong][at] ^= error;
}

static void test_locate(const struct wide *w)
{
    unsigned index;
    if (w->shape->m < 2 || !word_case("locate", w->shape))
        return;
    CHECK_INT(pxr_locate(w->code, w->len, w->shard, &index), PXR_OK);
    CHECK_INT(index, w->total);
    locate(w, w->shape->k - 1);
    locate(w, w->total - 1);
    locate(w, (unsigned)check_below(w->total));
}

/* --------------------------------------------------------------- pieces -- */

/* Each shard consists of three pieces that end at random places. */
static void test_pieces(const struct wide *w)
{
    if (!word_case("shards in pieces", w->shape))
        return;
    static struct iovec piece[MOST][3];
    static struct pxr_iov have[MOST], want[MOST];
    struct losses losses;
    lose(w, 1 + (unsigned)check_below(w->shape->m < 4 ? w->shape->m : 4), &losses);
    for (unsigned i = 0; i < w->total; i++) {
        uint8_t *const at = losses.have[i] ? losses.have[i] : losses.want[i];
        const size_t a = check_below(w->len + 1), b = check_below(w->len + 1);
        const size_t low = a < b ? a : b, high = a < b ? b : a;
        piece[i][0] = (struct iovec){at, low};
        piece[i][1] = (struct iovec){at + low, high - low};
        piece[i][2] = (struct iovec){at + high, w->len - high};
        have[i] = (struct pxr_iov){piece[i], losses.have[i] ? 3 : 0};
        want[i] = (struct pxr_iov){piece[i], losses.have[i] ? 0 : 3};
    }
    CHECK_INT(pxr_reconstruct_iov(w->code, w->len, have, want), PXR_OK);
    check_rebuilt(w, &losses);
}

/* ------------------------------------------------------- the largest code -- */

/* Half of the shards are lost, or a ninth with less effort.  The cache must not keep a plan
   that is larger than the cache, and this plan must not displace another one. */
static void test_largest(void)
{
    static const struct word_shape shape = {PXR_JERASURE_VAN, MOST / 2, MOST / 2, 16};
    if (!word_case("the largest code", &shape))
        return;
    struct wide w = wide_begin(&shape, 46);
    struct losses losses;
    rebuild(&w, 3);
    const size_t before = atomic_load(&atomic_load(&w.code->cache)->bytes);
    CHECK(before > 0);
    lose(&w, check_thorough() ? MOST / 2 : MOST / 9, &losses);
    CHECK_INT(pxr_reconstruct(w.code, w.len, losses.have, losses.want), PXR_OK);
    check_rebuilt(&w, &losses);
    CHECK_INT((long long)atomic_load(&atomic_load(&w.code->cache)->bytes), (long long)before);
    wide_end(&w);
}

/* ------------------------------------------------------------- refusals -- */

static void test_refusals(void)
{
    if (!check_case("refused arguments"))
        return;
    struct pxr_error why;
    pxr_code *code;
    CHECK_INT(pxr_code_create_words(&code, 512, 513, PXR_JERASURE_VAN, 16, &why), PXR_EINVAL);
    CHECK_STR(why.text, "k=512, m=513: at most k+m=1024 shards are possible");
    CHECK_INT(pxr_code_create_words(&code, UINT32_MAX, 2, PXR_JERASURE_VAN, 32, &why),
              PXR_EINVAL);
    CHECK_INT(pxr_code_create(&code, 200, 57, PXR_ISAL_CAUCHY, &why), PXR_EINVAL);
    CHECK_STR(why.text, "k=200, m=57: at most k+m=256 shards are possible");
    CHECK_INT(pxr_code_create_bits(&code, 255, 2, PXR_JERASURE_CAUCHY_ORIG, 1, 64,
                                   PXR_ASSUME_MDS, &why),
              PXR_EINVAL);
    CHECK(code == NULL);
}

/* ------------------------------------------------------------- jerasure -- */

typedef int *matrix_fn(int k, int m, int w);

static void test_jerasure(void)
{
    static const struct word_shape compared[] = {{PXR_JERASURE_VAN, 250, 30, 16},
                                                 {PXR_JERASURE_VAN, 300, 20, 16},
                                                 {PXR_JERASURE_VAN, 20, 300, 16},
                                                 {PXR_JERASURE_VAN, 260, 10, 32}};
    void *const library = system_library_open("PXR_JERASURE", "libJerasure.so.2", "jerasure");
    if (!library || !check_case("the matrices of jerasure"))
        return;
    matrix_fn *van;
    *(void **)&van = dlsym(library, "reed_sol_vandermonde_coding_matrix");
    if (!CHECK(van != NULL))
        return;
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++) {
        const struct word_shape *const s = &compared[i];
        const size_t n = (size_t)s->k * s->m;
        int *const theirs = van((int)s->k, (int)s->m, (int)s->w);
        uint32_t *const ours = malloc(sizeof *ours * n);
        pxr_code *code = word_code(s);
        if (!theirs || !ours)
            exit(2);
        word_coefficients(code, ours);
        check_at("%ld+%ld w=%ld", s->k, s->m, s->w, 0);
        CHECK_BYTES(ours, theirs, sizeof *ours * n);
        pxr_code_free(code);
        free(ours);
        free(theirs);
    }
}

int main(int argc, char **argv)
{
    check_start("test_wide_code", argc, argv);
    check_forced_kernels();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct wide w = wide_begin(&shapes[i], (i % 2 ? 900 : 92) + 4 * check_below(30));
        test_encode(&w);
        test_reconstruct(&w);
        test_update(&w);
        test_locate(&w);
        test_pieces(&w);
        wide_end(&w);
    }
    test_largest();
    test_refusals();
    test_jerasure();
    return check_finish();
}
