/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds a shard that was corrupted silently, from 8 bytes of each shard.  In a store, each
 * machine would hash the shard that it holds, and one of them would collect the hashes.
 *
 *     cc hash_scrub.c $(pkg-config --cflags --libs permxor) -o hash_scrub
 *
 * It prints:
 *
 *     hash_scrub: 88 bytes were collected, and shard 3 is wrong
 */
#include <permxor_hash.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define K 8
#define M 3 /* pxr_hash_locate() needs at least 2 */
#define LEN 100000
#define SIZE 8

static uint8_t shard[K + M][LEN];

static void check(int status, const char *what)
{
    if (status == PXR_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, pxr_strerror(status));
    exit(1);
}

/* What each machine does, with the key that all of them know.  A shard may be hashed in pieces
   of any size, for example as it is read from the disk. */
static void hash_one_shard(const pxr_hash *hash, const uint8_t *bytes, uint8_t sum[SIZE])
{
    memset(sum, 0, SIZE);
    for (size_t at = 0; at < LEN; at += 65536)
        check(pxr_hash_add(hash, at, LEN - at < 65536 ? LEN - at : 65536, bytes + at, sum),
              "pxr_hash_add");
}

int main(void)
{
    pxr_code *code;
    check(pxr_code_create(&code, K, M, PXR_ISAL_CAUCHY, NULL), "pxr_code_create");
    uint8_t *shards[K + M];
    for (unsigned i = 0; i < K + M; i++)
        shards[i] = shard[i];
    for (unsigned i = 0; i < K; i++)
        for (unsigned j = 0; j < LEN; j++)
            shard[i][j] = (uint8_t)(i + j * j);
    check(pxr_encode(code, LEN, shards, shards + K), "pxr_encode");

    shard[3][12345] ^= 0x10; /* one bit flips, and nobody is told */

    /* A real key would be random bytes, from getrandom() for example. */
    static const uint8_t key[SIZE] = {0x5a, 0x01, 0xc3, 0x7e, 0x99, 0x20, 0xf4, 0x6b};
    pxr_hash *hash;
    check(pxr_hash_create(&hash, SIZE, key, NULL), "pxr_hash_create");
    uint8_t sum[K + M][SIZE], *sums[K + M];
    for (unsigned i = 0; i < K + M; i++) {
        hash_one_shard(hash, shard[i], sum[i]);
        sums[i] = sum[i];
    }

    /* PXR_EMISMATCH: the hashes do not belong together, so some shard is wrong. */
    if (pxr_hash_check(hash, code, sums) != PXR_EMISMATCH) {
        fprintf(stderr, "pxr_hash_check did not find the wrong shard\n");
        return 1;
    }
    unsigned wrong;
    int status = pxr_hash_locate(hash, code, sums, &wrong);
    if (status != PXR_EMISMATCH) {
        fprintf(stderr, "pxr_hash_locate: %s\n", pxr_strerror(status));
        return 1;
    }
    printf("hash_scrub: %zu bytes were collected, and shard %u is wrong\n", sizeof sum, wrong);
    pxr_hash_free(hash);
    pxr_code_free(code);
    return 0;
}
