/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Encodes four data shards with two parity shards, loses two shards, and rebuilds them.
 *
 *     cc encode.c $(pkg-config --cflags --libs permxor) -o encode
 *
 * It prints:
 *
 *     encode: lost shards 1 and 4 of 6, rebuilt both
 */
#include <permxor.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define K 4 /* data shards: numbers 0 to 3 */
#define M 2 /* parity shards: numbers 4 and 5 */
#define LEN 4096

static uint8_t shard[K + M][LEN], rebuilt[2][LEN];

static void check(int status, const char *what)
{
    if (status == PXR_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, pxr_strerror(status));
    exit(1);
}

int main(void)
{
    /* A code is made once and used for any number of stripes, by any number of threads. */
    pxr_code *code;
    struct pxr_error why;
    if (pxr_code_create(&code, K, M, PXR_ISAL_CAUCHY, &why) != PXR_OK) {
        fprintf(stderr, "pxr_code_create: %s\n", why.text);
        return 1;
    }

    /* Your data goes into the first K shards. */
    for (unsigned i = 0; i < K; i++)
        for (unsigned j = 0; j < LEN; j++)
            shard[i][j] = (uint8_t)(i * 31 + j);

    /* The calls take one pointer for each shard, so shards may lie anywhere in memory. */
    uint8_t *have[K + M], *want[K + M] = {NULL};
    for (unsigned i = 0; i < K + M; i++)
        have[i] = shard[i];
    check(pxr_encode(code, LEN, have, have + K), "pxr_encode");

    /* NULL in `have` says that a shard is lost.  A pointer in `want` says where to rebuild it.
       Any K shards of the K + M are enough. */
    have[1] = NULL;
    have[4] = NULL;
    want[1] = rebuilt[0];
    want[4] = rebuilt[1];
    check(pxr_reconstruct(code, LEN, have, want), "pxr_reconstruct");

    pxr_code_free(code);
    if (memcmp(rebuilt[0], shard[1], LEN) != 0 || memcmp(rebuilt[1], shard[4], LEN) != 0) {
        fprintf(stderr, "a rebuilt shard differs from the lost one\n");
        return 1;
    }
    printf("encode: lost shards 1 and 4 of %d, rebuilt both\n", K + M);
    return 0;
}
