/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds a shard that was corrupted silently, and repairs it.  pxr_verify() says whether parity
 * and data agree, and pxr_locate() says which single shard is wrong.
 *
 *     cc verify_locate.c $(pkg-config --cflags --libs permxor) -o verify_locate
 *
 * It prints:
 *
 *     verify_locate: byte 1234 differs, shard 3 was wrong, repaired
 */
#include <permxor.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define K 8
#define M 3 /* pxr_locate() needs at least 2 */
#define LEN 5000

static uint8_t shard[K + M][LEN];

static void check(int status, const char *what)
{
    if (status == PXR_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, pxr_strerror(status));
    exit(1);
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

    shard[3][1234] ^= 0x10; /* one bit flips, and nobody is told */

    /* first[r] becomes the first byte at which parity shard K + r disagrees with the data. */
    size_t first[M];
    int status = pxr_verify(code, LEN, shards, first);
    if (status != PXR_EMISMATCH) {
        fprintf(stderr, "pxr_verify: %s\n", pxr_strerror(status));
        return 1;
    }

    /* PXR_EMISMATCH: one shard explains it, and `wrong` is its number.  PXR_EAMBIGUOUS would
       say that more than one shard is wrong. */
    unsigned wrong;
    status = pxr_locate(code, LEN, shards, &wrong);
    if (status != PXR_EMISMATCH) {
        fprintf(stderr, "pxr_locate: %s\n", pxr_strerror(status));
        return 1;
    }

    /* Treat the wrong shard as lost: rebuild it from the others, over its own buffer. */
    uint8_t *have[K + M], *want[K + M] = {NULL};
    for (unsigned i = 0; i < K + M; i++)
        have[i] = i == wrong ? NULL : shard[i];
    want[wrong] = shard[wrong];
    check(pxr_reconstruct(code, LEN, have, want), "pxr_reconstruct");
    check(pxr_verify(code, LEN, shards, NULL), "pxr_verify after the repair");

    printf("verify_locate: byte %zu differs, shard %u was wrong, repaired\n", first[0], wrong);
    pxr_code_free(code);
    return 0;
}
