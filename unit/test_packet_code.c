/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Codes of packets through permxor.h: encoding, updates, verifying and locating, shards in
 * pieces, and which arguments are refused. test_packet_rebuild tests reconstruction.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "packet_stripe.h"

static const size_t packetsizes[] = {8, 64, 200, 1024, 2048, 2304, 4096};
#define PACKETSIZES (sizeof packetsizes / sizeof *packetsizes)

static const bool *parity_alone(const struct stripe *s)
{
    static bool written[PXR_MAX_SHARDS];
    for (unsigned i = 0; i < PXR_MAX_SHARDS; i++)
        written[i] = i >= s->k && i < s->k + s->m;
    return written;
}

/* -------------------------------------------------------------- encode -- */

static void encode_once(const pxr_code *code, size_t len)
{
    struct stripe want = packet_stripe(code, len), got = stripe_blank(want.k, want.m, len);
    check_at("w=%ld packetsize=%ld len=%ld", pxr_code_w(code), (long)pxr_code_packetsize(code),
             (long)len, 0);
    CHECK_INT(pxr_encode(code, len, stripe_in(&want), stripe_parity(&got)), PXR_OK);
    for (unsigned r = want.k; r < want.k + want.m; r++)
        CHECK_BYTES(got.shard[r], want.shard[r], len);
    CHECK(stripe_intact(&got, parity_alone(&got)));
    stripe_free(&want);
    stripe_free(&got);
}

static void test_encode(const struct packet_shape *shape)
{
    if (!check_case("encode %s %u+%u w=%u", pxr_matrix_name(shape->matrix), shape->k, shape->m,
                    shape->w))
        return;
    for (size_t i = 0; i < PACKETSIZES; i++) {
        pxr_code *code = packet_code(shape, packetsizes[i]);
        const size_t unit = pxr_code_unit(code);
        encode_once(code, 0);
        encode_once(code, unit);
        if (unit < 8192 && check_sampled())
            encode_once(code, 3 * unit);
        pxr_code_free(code);
    }
    for (unsigned round = 0; round < check_effort(10); round++) {
        pxr_code *code = packet_code(shape, 1 + check_below(400));
        encode_once(code, pxr_code_unit(code) * (1 + check_below(3)));
        pxr_code_free(code);
    }
}

/* Codes with many packets.  The first three have 2048 of them, which is the limit. */
static void test_wide(void)
{
    static const struct packet_shape wide[] = {{PXR_JERASURE_CAUCHY_ORIG, 128, 128, 8, 0},
                                               {PXR_JERASURE_CAUCHY_GOOD, 60, 4, 32, 0},
                                               {PXR_JERASURE_CAUCHY_GOOD, 2, 62, 32, 0},
                                               {PXR_JERASURE_CAUCHY_GOOD, 100, 3, 8, 0}};
    if (!check_case("encode wide codes of packets"))
        return;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        pxr_code *code = packet_code(&wide[i], 1 + check_below(100));
        encode_once(code, pxr_code_unit(code));
        pxr_code_free(code);
    }
}

/* A parity shard that depends on no data is zeros, and its plan reads nothing. */
static void test_zero_rows(void)
{
    enum { LEN = 2 * 30 };
    static const uint8_t rows[4 * 4] = {1, 0, 1, 0, 0, 1, 0, 1};
    uint8_t have[4] = {1, 1, 1, 0}, want[4] = {0, 0, 0, 1};
    uint8_t out[LEN], zeros[LEN] = {0}, *to[4] = {NULL, NULL, NULL, out};
    struct pxr_error why;
    pxr_code *code;
    pxr_plan *plan;
    if (!check_case("rows of zeros"))
        return;
    CHECK_INT(pxr_code_create_bits_custom(&code, 2, 2, 2, 30, rows, PXR_ASSUME_MDS, &why),
              PXR_OK);
    encode_once(code, LEN);
    CHECK_INT(pxr_plan_create(&plan, code, have, want, &why), PXR_OK);
    CHECK_INT(pxr_plan_reads(plan, NULL), 0);
    memset(out, 0x5a, sizeof out);
    CHECK_INT(pxr_plan_apply(plan, LEN, to, to), PXR_OK);
    CHECK_BYTES(out, zeros, LEN);
    pxr_plan_free(plan);
    pxr_code_free(code);
}

/* -------------------------------------------------------------- update -- */

/* Changes `count` data shards, by one call for all of them or by one call for each.  Some
   changes are given as a difference, and some parity shards are left out.  The parity must be
   the same as after encoding. */
static void update_once(const pxr_code *code, size_t len, unsigned count, bool many)
{
    struct stripe old = packet_stripe(code, len), new = packet_stripe(code, len);
    struct stripe want = stripe_copy(&old);
    uint8_t *from[PXR_MAX_SHARDS], *to[PXR_MAX_SHARDS], *parity[PXR_MAX_SHARDS];
    unsigned index[PXR_MAX_SHARDS];
    const unsigned n = stripe_change(&old, &new, count, &want, index, from, to);
    packet_parity(code, &want);
    for (unsigned r = 0; r < old.m; r++) {
        parity[r] = check_below(4) ? old.shard[old.k + r] : NULL;
        if (!parity[r])
            memcpy(want.shard[old.k + r], old.shard[old.k + r], len);
    }
    if (many)
        CHECK_INT(pxr_update_many(code, len, n, index, from, to, parity), PXR_OK);
    for (unsigned i = 0; !many && i < n; i++)
        CHECK_INT(pxr_update(code, len, index[i], from[i], to[i], parity), PXR_OK);
    for (unsigned r = 0; r < old.m; r++)
        CHECK_BYTES(old.shard[old.k + r], want.shard[old.k + r], len);
    stripe_free(&old);
    stripe_free(&new);
    stripe_free(&want);
}

static void test_update(const struct packet_shape *shape)
{
    if (!check_case("update %s %u+%u w=%u", pxr_matrix_name(shape->matrix), shape->k, shape->m,
                    shape->w))
        return;
    for (unsigned round = 0; round < check_effort(12); round++) {
        pxr_code *code = packet_code(shape, 1 + check_below(round % 4 ? 200 : 1500));
        const size_t len = pxr_code_unit(code) * (1 + check_below(2));
        check_at("packetsize=%ld len=%ld", (long)pxr_code_packetsize(code), (long)len, 0, 0);
        update_once(code, len, 1, false);
        update_once(code, len, (unsigned)check_below(shape->k + 1), false);
        update_once(code, len, (unsigned)check_below(shape->k + 1), true);
        pxr_code_free(code);
    }
}

/* ------------------------------------------------------ verify and locate -- */

/* Checks that first[] has the first byte of each parity shard that differs between `right` and
   `wrong`. */
static void check_first(const struct stripe *right, const struct stripe *wrong,
                        const size_t *first)
{
    for (unsigned r = 0; r < right->m; r++) {
        size_t at = 0;
        while (at < right->len &&
               right->shard[right->k + r][at] == wrong->shard[right->k + r][at])
            at++;
        CHECK_INT((long)first[r], (long)at);
    }
}

static void test_verify(const struct packet_shape *shape)
{
    if (!check_case("verify and locate in %s %u+%u w=%u", pxr_matrix_name(shape->matrix),
                    shape->k, shape->m, shape->w))
        return;
    for (unsigned round = 0; round < check_effort(8); round++) {
        pxr_code *code = packet_code(shape, 1 + check_below(round % 4 ? 150 : 1200));
        const size_t len = pxr_code_unit(code) * (1 + check_below(3));
        struct stripe right = packet_stripe(code, len), s = stripe_copy(&right);
        const unsigned total = s.k + s.m, bad = (unsigned)check_below(total);
        size_t first[PXR_MAX_SHARDS];
        unsigned index = 99;
        check_at("packetsize=%ld len=%ld bad=%ld", (long)pxr_code_packetsize(code), (long)len,
                 bad, 0);
        CHECK_INT(pxr_verify(code, len, stripe_in(&s), first), PXR_OK);
        check_first(&right, &s, first);
        if (s.m > 1) {
            CHECK_INT(pxr_locate(code, len, stripe_in(&s), &index), PXR_OK);
            CHECK_INT(index, total);
        }
        for (unsigned i = 0; i < 3; i++)
            s.shard[bad][check_below(len)] ^= (uint8_t)(1 + check_below(255));
        if (memcmp(s.shard[bad], right.shard[bad], len) != 0) {
            CHECK_INT(pxr_verify(code, len, stripe_in(&s), NULL), PXR_EMISMATCH);
            if (s.m > 1) {
                CHECK_INT(pxr_locate(code, len, stripe_in(&s), &index), PXR_EMISMATCH);
                CHECK_INT(index, bad);
            }
            /* the parity of the changed data */
            struct stripe now = stripe_copy(&s);
            packet_parity(code, &now);
            CHECK_INT(pxr_verify(code, len, stripe_in(&s), first), PXR_EMISMATCH);
            check_first(&now, &s, first);
            stripe_free(&now);
        }
        uint8_t *some[PXR_MAX_SHARDS];
        memcpy(some, s.shard, sizeof some);
        for (unsigned i = s.k; i < total; i++)
            some[i] = NULL;
        CHECK_INT(pxr_verify(code, len, some, first), PXR_OK);
        stripe_free(&s);
        stripe_free(&right);
        pxr_code_free(code);
    }
}

/* Two wrong shards cannot be explained by a single wrong shard. */
static void test_ambiguous(void)
{
    if (!check_case("two wrong shards of packets"))
        return;
    pxr_code *code = packet_code(&packet_shapes[0], 32);
    struct stripe s = packet_stripe(code, pxr_code_unit(code));
    unsigned index = 0;
    s.shard[2][5] ^= 1;
    s.shard[11][200] ^= 0x80;
    CHECK_INT(pxr_locate(code, s.len, stripe_in(&s), &index), PXR_EAMBIGUOUS);
    CHECK_INT(index, 14);
    stripe_free(&s);
    pxr_code_free(code);
}

/* All parity packets are the same sum of two packets, in turns, and there are as many packets
   as a code can have.  So a plan for all parity would read and write twice as many. */
static void test_most_packets(void)
{
    enum { K = 2, M = 6, W = 256 };
    static uint8_t rows[M * W * K * W];
    pxr_code *code;
    if (!check_case("locate with the most packets"))
        return;
    for (unsigned row = 0; row < M * W; row++)
        if (row % W % M == row / W)
            rows[row * K * W + row % W] = rows[row * K * W + W + row % W] = 1;
    CHECK_INT(pxr_code_create_bits_custom(&code, K, M, W, 8, rows, PXR_ASSUME_MDS, NULL),
              PXR_OK);
    struct stripe s = stripe_blank(K, M, pxr_code_unit(code));
    unsigned index = 0;
    check_fill(s.shard[0], s.len);
    check_fill(s.shard[1], s.len);
    CHECK_INT(pxr_encode(code, s.len, stripe_in(&s), stripe_parity(&s)), PXR_OK);
    CHECK_INT(pxr_locate(code, s.len, stripe_in(&s), &index), PXR_OK);
    s.shard[0][5] ^= 1;
    CHECK_INT(pxr_locate(code, s.len, stripe_in(&s), &index), PXR_EAMBIGUOUS);
    CHECK_INT(index, K + M);
    stripe_free(&s);
    pxr_code_free(code);
}

/* -------------------------------------------------------------- pieces -- */

enum { MOST_PIECES = 40 };
struct pieces {
    struct iovec piece[PXR_MAX_SHARDS][MOST_PIECES];
    struct pxr_iov shard[PXR_MAX_SHARDS];
};

/* Cuts every shard into up to `most` pieces, some of them empty. */
static void cut(struct pieces *p, const struct stripe *s, unsigned most)
{
    for (unsigned i = 0; i < s->k + s->m; i++) {
        size_t at = 0;
        unsigned n = 0;
        for (; n + 1 < most; n++) {
            const size_t bytes = check_below(3 * (s->len - at) / most + 2) % (s->len - at + 1);
            p->piece[i][n] = (struct iovec){s->shard[i] + at, bytes};
            at += bytes;
        }
        p->piece[i][n++] = (struct iovec){s->shard[i] + at, s->len - at};
        p->shard[i] = (struct pxr_iov){p->piece[i], n};
    }
}

static void test_pieces(const struct packet_shape *shape)
{
    static struct pieces in, out;
    if (!check_case("pieces of %s %u+%u w=%u", pxr_matrix_name(shape->matrix), shape->k,
                    shape->m, shape->w))
        return;
    for (unsigned round = 0; round < check_effort(8); round++) {
        pxr_code *code = packet_code(shape, 1 + check_below(150));
        const size_t len = pxr_code_unit(code) * (1 + check_below(4));
        struct stripe want = packet_stripe(code, len), got = stripe_blank(want.k, want.m, len);
        cut(&in, &want, 1 + (unsigned)check_below(MOST_PIECES));
        cut(&out, &got, 1 + (unsigned)check_below(MOST_PIECES));
        check_at("packetsize=%ld len=%ld", (long)pxr_code_packetsize(code), (long)len, 0, 0);
        CHECK_INT(pxr_encode_iov(code, len - 1, in.shard, out.shard + want.k),
                  pxr_code_unit(code) == 1 ? PXR_OK : PXR_EINVAL);
        CHECK_INT(pxr_encode_iov(code, len, in.shard, out.shard + want.k), PXR_OK);
        for (unsigned r = want.k; r < want.k + want.m; r++)
            CHECK_BYTES(got.shard[r], want.shard[r], len);
        for (unsigned i = 0; i < want.k + want.m; i++) {
            const bool lost = i < want.m;
            in.shard[i].iovcnt = lost ? 0 : in.shard[i].iovcnt;
            out.shard[i].iovcnt = lost ? out.shard[i].iovcnt : 0;
        }
        CHECK_INT(pxr_reconstruct_iov(code, len, in.shard, out.shard), PXR_OK);
        for (unsigned i = 0; i < want.m; i++)
            CHECK_BYTES(got.shard[i], want.shard[i], len);
        stripe_free(&want);
        stripe_free(&got);
        pxr_code_free(code);
    }
}

/* ------------------------------------------------------------- refusal -- */

/* The calls refuse lengths that are not whole units, and NULL, and they write nothing. */
static void test_refused(void)
{
    if (!check_case("lengths that are not in whole units"))
        return;
    pxr_code *code = packet_code(&packet_shapes[1], 24);
    struct stripe in = packet_stripe(code, 24 * 8), out = stripe_blank(4, 2, 24 * 8);
    uint8_t *have[6] = {NULL, in.shard[1], in.shard[2], in.shard[3], in.shard[4], in.shard[5]};
    uint8_t *want[6] = {out.shard[0]}, *const *parity = stripe_parity(&out);
    uint8_t *const missing[4] = {in.shard[0], in.shard[1], NULL, in.shard[3]};
    const unsigned index[] = {1};
    unsigned found;
    for (size_t len = 1; len < 24 * 8; len += 1 + len / 3) {
        check_at("len=%ld", (long)len, 0, 0, 0);
        CHECK_INT(pxr_encode(code, len, stripe_in(&in), parity), PXR_EINVAL);
        CHECK_INT(pxr_reconstruct(code, len, have, want), PXR_EINVAL);
        CHECK_INT(pxr_update(code, len, 0, NULL, in.shard[0], parity), PXR_EINVAL);
        CHECK_INT(pxr_update_many(code, len, 1, index, NULL, stripe_in(&in), parity),
                  PXR_EINVAL);
        CHECK_INT(pxr_verify(code, len, stripe_in(&in), NULL), PXR_EINVAL);
        CHECK_INT(pxr_locate(code, len, stripe_in(&in), &found), PXR_EINVAL);
    }
    CHECK_INT(pxr_encode(code, 24 * 8, missing, parity), PXR_EINVAL);
    CHECK_INT(pxr_encode(code, 24 * 8, stripe_in(&in), (uint8_t *[]){out.shard[4], NULL}),
              PXR_EINVAL);
    CHECK(stripe_intact(&out, NULL));
    stripe_free(&in);
    stripe_free(&out);
    pxr_code_free(code);
}

int main(int argc, char **argv)
{
    check_start("test_packet_code", argc, argv);
    check_forced_kernels();
    for (size_t i = 0; i < PACKET_SHAPES; i++) {
        test_encode(&packet_shapes[i]);
        test_update(&packet_shapes[i]);
        test_verify(&packet_shapes[i]);
        test_pieces(&packet_shapes[i]);
    }
    test_wide();
    test_zero_rows();
    test_ambiguous();
    test_most_packets();
    test_refused();
    return check_finish();
}
