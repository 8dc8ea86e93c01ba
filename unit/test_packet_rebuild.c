/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reconstruction and plans of codes of packets: every loss of small codes, random losses of
 * other codes, and losses that cannot be repaired.
 */
#include <string.h>

#include "check.h"
#include "packet_stripe.h"

/* Loses some shards, and asks for those of them that `wanted` names. */
static int rebuild(const pxr_code *code, const struct stripe *full, const bool *lost,
                   const bool *wanted)
{
    struct stripe out = stripe_blank(full->k, full->m, full->len);
    uint8_t *have[PXR_MAX_SHARDS], *want[PXR_MAX_SHARDS];
    bool written[PXR_MAX_SHARDS] = {false};
    for (unsigned i = 0; i < full->k + full->m; i++) {
        written[i] = lost[i] && wanted[i];
        have[i] = lost[i] ? NULL : full->shard[i];
        want[i] = written[i] ? out.shard[i] : NULL;
    }
    const int status = pxr_reconstruct(code, full->len, have, want);
    for (unsigned i = 0; status == PXR_OK && i < full->k + full->m; i++)
        if (written[i])
            CHECK_BYTES(out.shard[i], full->shard[i], full->len);
    CHECK(stripe_intact(&out, status == PXR_OK ? written : NULL));
    stripe_free(&out);
    return status;
}

static void test_every_loss(const struct packet_shape *shape, size_t packetsize)
{
    const unsigned total = shape->k + shape->m;
    if (!check_case("every loss of %s %u+%u w=%u", pxr_matrix_name(shape->matrix), shape->k,
                    shape->m, shape->w))
        return;
    pxr_code *code = packet_code(shape, packetsize);
    struct stripe full = packet_stripe(code, 2 * pxr_code_unit(code));
    for (unsigned pattern = 1; pattern < 1u << total; pattern++) {
        bool lost[PXR_MAX_SHARDS], all[PXR_MAX_SHARDS], some[PXR_MAX_SHARDS];
        if ((unsigned)__builtin_popcount(pattern) > shape->m)
            continue;
        for (unsigned i = 0; i < total; i++) {
            lost[i] = pattern >> i & 1;
            all[i] = true;
            some[i] = check_below(2);
        }
        check_at("lost 0x%lx", pattern, 0, 0, 0);
        CHECK_INT(rebuild(code, &full, lost, all), PXR_OK);
        CHECK_INT(rebuild(code, &full, lost, some), PXR_OK);
    }
    stripe_free(&full);
    pxr_code_free(code);
}

static void test_random_losses(const struct packet_shape *shape)
{
    if (!check_case("random losses of %s %u+%u w=%u", pxr_matrix_name(shape->matrix), shape->k,
                    shape->m, shape->w))
        return;
    for (unsigned round = 0; round < check_effort(15); round++) {
        pxr_code *code = packet_code(shape, 1 + check_below(300));
        struct stripe full = packet_stripe(code, pxr_code_unit(code) * (1 + check_below(2)));
        bool lost[PXR_MAX_SHARDS], wanted[PXR_MAX_SHARDS];
        for (unsigned trial = 0; trial < 4; trial++) {
            stripe_choose(lost, full.k + full.m, 1 + (unsigned)check_below(full.m));
            stripe_choose(wanted, full.k + full.m, full.k + full.m - (trial & 1));
            CHECK_INT(rebuild(code, &full, lost, wanted), PXR_OK);
        }
        stripe_free(&full);
        pxr_code_free(code);
    }
}

/* blaum_roth with Ceph's default w.  With k = 7, nine pairs of lost shards cannot be repaired,
   and with k = 3 one pair.  Nothing is written then. */
static void test_singular(void)
{
    static const unsigned failing[][2] = {{2, 0}, {3, 1}, {7, 9}};
    if (!check_case("losses that cannot be repaired"))
        return;
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++) {
        const struct packet_shape shape = {PXR_JERASURE_BLAUM_ROTH, failing[i][0], 2, 7,
                                           PXR_ASSUME_MDS};
        pxr_code *code = packet_code(&shape, 40);
        struct stripe full = packet_stripe(code, pxr_code_unit(code));
        unsigned singular = 0;
        for (unsigned a = 0; a < full.k + 2; a++)
            for (unsigned b = 0; b < a; b++) {
                bool lost[PXR_MAX_SHARDS] = {false}, all[PXR_MAX_SHARDS];
                memset(all, true, sizeof all);
                lost[a] = lost[b] = true;
                const int status = rebuild(code, &full, lost, all);
                CHECK(status == PXR_OK || status == PXR_ESINGULAR);
                singular += status == PXR_ESINGULAR;
            }
        CHECK_INT(singular, failing[i][1]);
        stripe_free(&full);
        pxr_code_free(code);
    }
}

/* Parity 0 covers the first two data shards, parity 1 the last two, and parity 2 all four.  A
   lost shard is rebuilt from its group, and the shards that a plan says it reads are enough. */
static void test_local_groups(void)
{
    enum { K = 4, M = 3, W = 2 };
    uint8_t rows[M * W][K * W] = {{0}};
    const uint16_t *reads;
    struct pxr_error why;
    pxr_code *code;
    pxr_plan *plan;
    if (!check_case("local groups of packets"))
        return;
    for (unsigned x = 0; x < W; x++)
        for (unsigned j = 0; j < K; j++) {
            rows[(j / 2) * W + x][j * W + x] = 1;
            rows[2 * W + x][j * W + (x + j) % W] = 1;
            rows[2 * W][j * W + x] = 1;
        }
    CHECK_INT(pxr_code_create_bits_custom(&code, K, M, W, 100, rows[0], PXR_ASSUME_MDS, &why),
              PXR_OK);
    const uint8_t have[K + M] = {1, 1, 0, 1, 1, 1, 1}, want[K + M] = {0, 0, 1, 0, 0, 0, 0};
    CHECK_INT(pxr_plan_create(&plan, code, have, want, &why), PXR_OK);
    if (CHECK_INT(pxr_plan_reads(plan, &reads), 2)) {
        CHECK_INT(reads[0], 3);
        CHECK_INT(reads[1], 5);
        CHECK_INT(pxr_plan_writes(plan, NULL), 1);
        struct stripe full = packet_stripe(code, 600), out = stripe_blank(K, M, 600);
        uint8_t *from[K + M] = {NULL, NULL, NULL, full.shard[3], NULL, full.shard[5], NULL};
        uint8_t *to[K + M] = {NULL, NULL, out.shard[2]};
        CHECK_INT(pxr_plan_apply(plan, 599, from, to), PXR_EINVAL);
        CHECK_INT(pxr_plan_apply(plan, 600, from, to), PXR_OK);
        CHECK_BYTES(out.shard[2], full.shard[2], 600);
        stripe_free(&full);
        stripe_free(&out);
    }
    pxr_plan_free(plan);
    pxr_code_free(code);
}

/* Nothing is wanted, of a code that could not rebuild the lost shards. */
static void test_nothing_wanted(void)
{
    static const uint8_t rows[2 * 2] = {1, 1, 1, 1};
    const uint8_t have[4] = {0, 0, 1, 1}, want[4] = {0};
    pxr_code *code;
    pxr_plan *plan;
    if (!check_case("a plan for nothing"))
        return;
    CHECK_INT(pxr_code_create_bits_custom(&code, 2, 2, 1, 8, rows, PXR_ASSUME_MDS, NULL),
              PXR_OK);
    if (CHECK_INT(pxr_plan_create(&plan, code, have, want, NULL), PXR_OK)) {
        uint8_t *none[4] = {NULL};
        CHECK_INT(pxr_plan_reads(plan, NULL), 0);
        CHECK_INT(pxr_plan_writes(plan, NULL), 0);
        CHECK_INT(pxr_plan_apply(plan, 80, none, none), PXR_OK);
    }
    pxr_plan_free(plan);
    pxr_code_free(code);
}

int main(int argc, char **argv)
{
    check_start("test_packet_rebuild", argc, argv);
    check_forced_kernels();
    for (size_t i = 0; i < PACKET_SHAPES; i++)
        test_random_losses(&packet_shapes[i]);
    test_every_loss(&(struct packet_shape){PXR_JERASURE_CAUCHY_GOOD, 4, 2, 8, 0}, 40);
    test_every_loss(&(struct packet_shape){PXR_JERASURE_CAUCHY_GOOD, 5, 4, 4, 0}, 24);
    test_every_loss(&(struct packet_shape){PXR_JERASURE_CAUCHY_ORIG, 6, 3, 8, 0}, 16);
    test_every_loss(&(struct packet_shape){PXR_JERASURE_LIBERATION, 5, 2, 5, 0}, 72);
    test_every_loss(&(struct packet_shape){PXR_JERASURE_BLAUM_ROTH, 4, 2, 4, 0}, 33);
    test_every_loss(&(struct packet_shape){PXR_JERASURE_LIBER8TION, 8, 2, 8, 0}, 9);
    test_singular();
    test_local_groups();
    test_nothing_wanted();
    return check_finish();
}
