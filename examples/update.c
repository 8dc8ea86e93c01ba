/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Changes a few bytes of one data shard and brings the parity up to date.  Only the changed
 * bytes and the same bytes of the parity shards are read and written.
 *
 *     cc update.c $(pkg-config --cflags --libs permxor) -o update
 *
 * It prints:
 *
 *     update: changed 100 bytes of shard 2, parity agrees
 */
#include <permxor.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define K 5
#define M 3
#define LEN 8192

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
        memset(shard[i], (int)('a' + i), LEN);
    check(pxr_encode(code, LEN, shards, shards + K), "pxr_encode");

    /* The write: 100 bytes at offset 3000 of data shard 2.  Keep what was there before. */
    enum { INDEX = 2, OFFSET = 3000, COUNT = 100 };
    uint8_t old_data[COUNT];
    uint8_t *place = shard[INDEX] + OFFSET;
    memcpy(old_data, place, COUNT);
    memset(place, 'Z', COUNT);

    /* Byte t of a parity shard depends on byte t of the data shards alone.  So the call is
       given the parity from the same offset on, and the same number of bytes. */
    uint8_t *parity[M];
    for (unsigned r = 0; r < M; r++)
        parity[r] = shard[K + r] + OFFSET;
    check(pxr_update(code, COUNT, INDEX, old_data, place, parity), "pxr_update");

    /* All of the parity agrees with all of the data again. */
    check(pxr_verify(code, LEN, shards, NULL), "pxr_verify");
    printf("update: changed %d bytes of shard %d, parity agrees\n", COUNT, INDEX);
    pxr_code_free(code);
    return 0;
}
