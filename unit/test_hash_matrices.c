/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hashes of the shards of every code: each matrix that has a name, with every w, by every
 * function that makes a code of it.  Codes of words are refused.  In all others the hashes tell
 * the same as the shards.
 */
#include "check.h"
#include "permxor_hash.h"
#include "stripe.h"

#include <string.h>

enum { K = 3, M = 2, MOST_W = 32, PACKETSIZE = 12 };

static pxr_hash *hash;
static pxr_code *code;
static struct stripe full;
static uint8_t sum[K + M][MOST_W * PXR_MAX_HASH], *sums[K + M];

static void hash_shard(unsigned i)
{
    memset(sum[i], 0, sizeof sum[i]);
    CHECK_INT(pxr_hash_shard(hash, code, 0, full.len, full.shard[i], sum[i]), PXR_OK);
}

/* The hashes of the parity follow from those of the data, and all agree. */
static void check_right(void)
{
    static uint8_t parity[M][sizeof sum[0]];
    uint8_t *const out[M] = {parity[0], parity[1]};
    unsigned index = 0;
    CHECK_INT(pxr_hash_encode(hash, code, sums, out), PXR_OK);
    for (unsigned r = 0; r < M; r++)
        CHECK_BYTES(parity[r], sum[K + r], pxr_hash_bytes(hash, code));
    CHECK_INT(pxr_hash_check(hash, code, sums), PXR_OK);
    CHECK_INT(pxr_hash_locate(hash, code, sums, &index), PXR_OK);
    CHECK_INT(index, K + M);
}

/* A wrong byte in each shard in turn is found, and located as from the shards.  (A few of these
   codes are not MDS, and cannot tell for some bytes.) */
static void check_wrong(void)
{
    unsigned index = 0, expected = 0;
    for (unsigned i = 0; i < K + M; i++) {
        uint8_t *const byte = full.shard[i] + check_below(full.len);
        const uint8_t change = (uint8_t)(1 + check_below(255));
        *byte ^= change;
        hash_shard(i);
        CHECK_INT(pxr_hash_check(hash, code, sums), PXR_EMISMATCH);
        CHECK_INT(pxr_hash_locate(hash, code, sums, &index),
                  pxr_locate(code, full.len, stripe_in(&full), &expected));
        CHECK_INT(index, expected);
        *byte ^= change;
        hash_shard(i);
    }
}

static void check_code(void)
{
    full = stripe_blank(K, M, 5 * pxr_code_unit(code));
    for (unsigned j = 0; j < K; j++)
        check_fill(full.shard[j], full.len);
    CHECK_INT(pxr_encode(code, full.len, stripe_in(&full), stripe_parity(&full)), PXR_OK);
    for (unsigned i = 0; i < K + M; i++)
        hash_shard(i);
    check_right();
    check_wrong();
    stripe_free(&full);
}

static void check_refused(void)
{
    unsigned index;
    CHECK_INT((long long)pxr_hash_bytes(hash, code), 0);
    CHECK_INT(pxr_hash_encode(hash, code, sums, sums + K), PXR_EINVAL);
    CHECK_INT(pxr_hash_check(hash, code, sums), PXR_EINVAL);
    CHECK_INT(pxr_hash_locate(hash, code, sums, &index), PXR_EINVAL);
}

/* ------------------------------------------------------------------ codes -- */

static int create_custom_bits(unsigned w)
{
    uint8_t rows[M * MOST_W * K * MOST_W];
    pxr_code *model;
    int status = pxr_code_create_bits(&model, K, M, PXR_JERASURE_CAUCHY_ORIG, w, PACKETSIZE,
                                      PXR_ASSUME_MDS, NULL);
    if (status != PXR_OK)
        return status;
    CHECK_INT(pxr_code_bits(model, rows), PXR_OK);
    pxr_code_free(model);
    return pxr_code_create_bits_custom(&code, K, M, w, PACKETSIZE, rows, PXR_ASSUME_MDS, NULL);
}

enum maker { BYTES, CUSTOM, WORDS, PACKETS, CUSTOM_PACKETS, MAKERS };

static int create(enum maker maker, enum pxr_matrix matrix, unsigned w)
{
    static const uint8_t rows[M * K] = {1, 1, 1, 1, 2, 4};
    if (maker == BYTES)
        return pxr_code_create(&code, K, M, matrix, NULL);
    if (maker == WORDS)
        return pxr_code_create_words(&code, K, M, matrix, w, NULL);
    if (maker == PACKETS)
        return pxr_code_create_bits(&code, K, M, matrix, w, PACKETSIZE, PXR_ASSUME_MDS, NULL);
    if (maker == CUSTOM && matrix == PXR_CUSTOM)
        return pxr_code_create_custom(&code, K, M, rows, 0, NULL);
    if (maker == CUSTOM_PACKETS && matrix == PXR_CUSTOM_BITS)
        return create_custom_bits(w);
    return PXR_EINVAL;
}

static void test_matrix(enum pxr_matrix matrix, unsigned size)
{
    unsigned made = 0;
    if (!check_case("%s, %u bytes", pxr_matrix_name(matrix), size))
        return;
    CHECK_INT(pxr_hash_create(&hash, size, NULL, NULL), PXR_OK);
    for (unsigned maker = 0; maker < MAKERS; maker++)
        for (unsigned w = 1; w <= MOST_W; w++) {
            check_at("maker %ld, w=%ld", maker, w, 0, 0);
            if (create(maker, matrix, w) != PXR_OK)
                continue;
            if (maker == WORDS)
                check_refused();
            else
                check_code();
            pxr_code_free(code);
            made++;
        }
    CHECK(made > 0);
    pxr_hash_free(hash);
}

int main(int argc, char **argv)
{
    check_start("test_hash_matrices", argc, argv);
    for (unsigned i = 0; i < K + M; i++)
        sums[i] = sum[i];
    for (int matrix = 0; pxr_matrix_name((enum pxr_matrix)matrix); matrix++)
        for (unsigned size = 4; size <= PXR_MAX_HASH; size *= 2)
            test_matrix((enum pxr_matrix)matrix, size);
    return check_finish();
}
