/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shards in pieces.  With pieces of any lengths (also 0), at any addresses, the bytes must be
 * those of shards in one piece, and nothing beyond the length may be written.  This file also
 * tests which arguments are refused.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "check.h"
#include "judge.h"
#include "stripe.h"

#define MOST_PIECES 40
#define BEHIND 70 /* bytes that the pieces hold beyond the length */
#define CANARY 0xA7

/* A shard in pieces.  In memory the pieces lie in the opposite order. */
struct pieces {
    uint8_t *room;
    struct iovec iov[MOST_PIECES];
    unsigned count;
};

/* All shards of a stripe. */
struct scattered {
    unsigned k, m;
    size_t len;
    struct pieces shard[PXR_MAX_SHARDS];
};

/* Makes pieces of random lengths that hold `bytes` bytes.  About one in five is empty. */
static void cut(struct pieces *pieces, size_t bytes)
{
    const size_t most = 1 + bytes / (1 + check_below(12));
    pieces->room = malloc(bytes);
    pieces->count = 0;
    if (pieces->room == NULL)
        abort();
    for (size_t left = bytes; left > 0;) {
        size_t n = check_below(5) == 0 ? 0 : 1 + check_below(most);
        if (n > left || pieces->count == MOST_PIECES - 1)
            n = left;
        left -= n;
        /* an empty piece may be NULL */
        pieces->iov[pieces->count++] = (struct iovec){n > 0 ? pieces->room + left : NULL, n};
    }
}

/* Copies from the pieces, or into them. */
static void copy(const struct pieces *pieces, uint8_t *bytes, bool into)
{
    for (unsigned i = 0; i < pieces->count; i++) {
        const struct iovec *piece = &pieces->iov[i];
        if (piece->iov_len > 0)
            memcpy(into ? piece->iov_base : bytes, into ? bytes : piece->iov_base,
                   piece->iov_len);
        bytes += piece->iov_len;
    }
}

/* Copies a stripe's shards into pieces.  Shards that blank[] marks hold canaries only. */
static struct scattered *scatter(const struct stripe *s, const bool *blank)
{
    struct scattered *all = calloc(1, sizeof *all);
    uint8_t *bytes = malloc(s->len + BEHIND);
    if (all == NULL || bytes == NULL)
        abort();
    all->k = s->k;
    all->m = s->m;
    all->len = s->len;
    for (unsigned i = 0; i < s->k + s->m; i++) {
        memset(bytes, CANARY, s->len + BEHIND);
        if (!blank[i])
            memcpy(bytes, s->shard[i], s->len);
        cut(&all->shard[i], s->len + BEHIND);
        copy(&all->shard[i], bytes, true);
    }
    free(bytes);
    return all;
}

static void scattered_free(struct scattered *all)
{
    for (unsigned i = 0; i < all->k + all->m; i++)
        free(all->shard[i].room);
    free(all);
}

static struct pxr_iov iov_of(const struct scattered *all, unsigned shard)
{
    return (struct pxr_iov){all->shard[shard].iov, all->shard[shard].count};
}

/* Checks that all shards equal those of the stripe.  Shards that were blank and not wanted must
   still hold canaries only. */
static void check_shards(const struct scattered *all, const struct stripe *right,
                         const bool *blank, const bool *wanted)
{
    uint8_t *bytes = malloc(all->len + BEHIND), *expected = malloc(all->len + BEHIND);
    if (bytes == NULL || expected == NULL)
        abort();
    for (unsigned i = 0; i < all->k + all->m; i++) {
        memset(expected, CANARY, all->len + BEHIND);
        if (!blank[i] || wanted[i])
            memcpy(expected, right->shard[i], all->len);
        copy(&all->shard[i], bytes, false);
        CHECK_BYTES(bytes, expected, all->len + BEHIND);
    }
    free(bytes);
    free(expected);
}

/* ------------------------------------------------------------ one call -- */

static void encode_once(const pxr_code *code, const struct stripe *right)
{
    struct pxr_iov data[PXR_MAX_SHARDS], parity[PXR_MAX_SHARDS];
    bool blank[PXR_MAX_SHARDS] = {false};
    for (unsigned r = 0; r < right->m; r++)
        blank[right->k + r] = true;
    struct scattered *all = scatter(right, blank);
    for (unsigned j = 0; j < right->k; j++)
        data[j] = iov_of(all, j);
    for (unsigned r = 0; r < right->m; r++)
        parity[r] = iov_of(all, right->k + r);
    CHECK_INT(pxr_encode_iov(code, right->len, data, parity), PXR_OK);
    check_shards(all, right, blank, blank);
    scattered_free(all);
}

/* Loses some shards, and rebuilds some of them. */
static void rebuild_once(const pxr_code *code, const struct stripe *right, bool by_plan)
{
    const unsigned total = right->k + right->m;
    struct pxr_iov have[PXR_MAX_SHARDS], want[PXR_MAX_SHARDS];
    uint8_t there[PXR_MAX_SHARDS], asked[PXR_MAX_SHARDS];
    bool lost[PXR_MAX_SHARDS], wanted[PXR_MAX_SHARDS];
    stripe_choose(lost, total, (unsigned)check_below(right->m + 1));
    struct scattered *all = scatter(right, lost);
    for (unsigned i = 0; i < total; i++) {
        wanted[i] = lost[i] && check_below(3) > 0;
        have[i] = lost[i] ? (struct pxr_iov){NULL, 0} : iov_of(all, i);
        want[i] = wanted[i] ? iov_of(all, i) : (struct pxr_iov){NULL, 0};
        there[i] = !lost[i];
        asked[i] = wanted[i];
    }
    if (by_plan) {
        pxr_plan *plan;
        CHECK_INT(pxr_plan_create(&plan, code, there, asked, NULL), PXR_OK);
        CHECK_INT(pxr_plan_apply_iov(plan, right->len, have, want), PXR_OK);
        pxr_plan_free(plan);
    } else {
        CHECK_INT(pxr_reconstruct_iov(code, right->len, have, want), PXR_OK);
    }
    check_shards(all, right, lost, wanted);
    scattered_free(all);
}

/* -------------------------------------------------------------- the cases -- */

static void test_codes(void)
{
    static const unsigned shapes[][2] = {{1, 1}, {4, 2}, {10, 4}, {20, 4}, {17, 19}};
    static const size_t lengths[] = {0, 1, 63, 300, 5000, 70000};
    for (size_t c = 0; c < sizeof shapes / sizeof shapes[0]; c++) {
        if (!check_case("%u+%u in pieces", shapes[c][0], shapes[c][1]))
            continue;
        pxr_code *code = stripe_code(shapes[c][0], shapes[c][1], PXR_ISAL_CAUCHY);
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            struct stripe right = stripe_random(code, lengths[i]);
            for (unsigned round = 0; round < 4; round++) {
                check_at("len=%ld round=%ld", (long)lengths[i], round, 0, 0);
                encode_once(code, &right);
                rebuild_once(code, &right, round % 2 == 0);
            }
            stripe_free(&right);
        }
        pxr_code_free(code);
    }
}

/* The last piece of each shard in turn is too short, or NULL.  The calls must refuse it, and
   write nothing. */
static void test_refused(void)
{
    if (!check_case("pieces that are shorter than the length, and NULL"))
        return;
    pxr_code *code = stripe_code(3, 2, PXR_ISAL_CAUCHY);
    pxr_plan *plan = NULL;
    uint8_t bytes[5][100], canaries[sizeof bytes];
    struct iovec iov[5][2];
    struct pxr_iov shard[5], have[5], want[5];
    const struct pxr_iov none = {NULL, 0};
    const uint8_t there[] = {1, 0, 1, 1, 0}, asked[] = {0, 1, 0, 0, 1};
    CHECK_INT(pxr_plan_create(&plan, code, there, asked, NULL), PXR_OK);
    memset(bytes, CANARY, sizeof bytes);
    memset(canaries, CANARY, sizeof canaries);
    for (unsigned i = 0; i < 5; i++) {
        iov[i][0] = (struct iovec){bytes[i], 60};
        iov[i][1] = (struct iovec){bytes[i] + 60, 40};
        shard[i] = (struct pxr_iov){iov[i], 2};
        have[i] = there[i] ? shard[i] : none;
        want[i] = asked[i] ? shard[i] : none;
    }
    for (unsigned i = 0; i < 5; i++)
        for (unsigned fault = 0; fault < 2; fault++) {
            const struct iovec before = iov[i][1];
            iov[i][1] = fault ? (struct iovec){NULL, 40} : (struct iovec){bytes[i] + 60, 39};
            check_at("shard %ld fault %ld", i, fault, 0, 0);
            CHECK_INT(pxr_encode_iov(code, 100, shard, shard + 3), PXR_EINVAL);
            CHECK_INT(pxr_reconstruct_iov(code, 100, have, want), PXR_EINVAL);
            CHECK_INT(pxr_plan_apply_iov(plan, 100, have, want), PXR_EINVAL);
            iov[i][1] = before;
        }
    CHECK_INT(pxr_encode_iov(NULL, 100, shard, shard + 3), PXR_EINVAL);
    CHECK_INT(pxr_encode_iov(code, 100, NULL, shard + 3), PXR_EINVAL);
    CHECK_INT(pxr_encode_iov(code, 100, shard, NULL), PXR_EINVAL);
    CHECK_INT(pxr_reconstruct_iov(NULL, 100, have, want), PXR_EINVAL);
    CHECK_INT(pxr_reconstruct_iov(code, 100, NULL, want), PXR_EINVAL);
    CHECK_INT(pxr_reconstruct_iov(code, 100, have, NULL), PXR_EINVAL);
    CHECK_INT(pxr_reconstruct_iov(code, 100, shard, want), PXR_EINVAL);
    CHECK_INT(pxr_plan_apply_iov(NULL, 100, have, want), PXR_EINVAL);
    CHECK_INT(pxr_plan_apply_iov(plan, 100, NULL, want), PXR_EINVAL);
    CHECK_INT(pxr_plan_apply_iov(plan, 100, have, NULL), PXR_EINVAL);
    have[0] = none;
    shard[0] = none;
    CHECK_INT(pxr_encode_iov(code, 0, shard, shard + 3), PXR_EINVAL);
    CHECK_INT(pxr_reconstruct_iov(code, 0, have, want), PXR_ETOOFEW);
    CHECK_INT(pxr_plan_apply_iov(plan, 0, have, want), PXR_EINVAL);
    CHECK_INT(pxr_reconstruct_iov(code, 100, have, want), PXR_ETOOFEW);
    CHECK_INT(pxr_plan_apply_iov(plan, 100, have, want), PXR_EINVAL);
    CHECK_BYTES(bytes, canaries, sizeof bytes);
    pxr_plan_free(plan);
    pxr_code_free(code);
}

int main(int argc, char **argv)
{
    check_start("test_code_iov", argc, argv);
    judge_start();
    check_forced_kernels();
    test_codes();
    test_refused();
    return check_finish();
}
