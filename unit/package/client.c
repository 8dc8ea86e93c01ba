/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program as a user would build it with permxor's installed packages
 * (unit/package_checks.sh).  It encodes, loses a data shard, rebuilds it and compares.  It uses
 * permxor.h or, with WITH_ISAL, ISA-L's functions.
 */
#ifdef WITH_ISAL
#include <isa-l.h>
#else
#include <permxor.h>
#endif

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define K 3
#define LEN 1024

static uint8_t shards[K + 1][LEN], rebuilt[LEN];

#ifdef WITH_ISAL
/* With one parity shard and a row of ones, the inverse consists of ones as well. */
static int run(void)
{
    uint8_t ones[K] = {1, 1, 1}, tables[32 * K];
    uint8_t *data[K] = {shards[0], shards[1], shards[2]};
    uint8_t *left[K] = {shards[0], shards[2], shards[3]};
    uint8_t *parity[1] = {shards[3]}, *lost[1] = {rebuilt};
    ec_init_tables(K, 1, ones, tables);
    ec_encode_data(LEN, K, 1, tables, data, parity);
    ec_encode_data(LEN, K, 1, tables, left, lost);
    return 0;
}
#else
static int run(void)
{
    pxr_code *code;
    uint8_t *data[K] = {shards[0], shards[1], shards[2]}, *parity[1] = {shards[3]};
    uint8_t *have[K + 1] = {shards[0], NULL, shards[2], shards[3]};
    uint8_t *want[K + 1] = {NULL, rebuilt, NULL, NULL};
    int status = pxr_code_create(&code, K, 1, PXR_ISAL_CAUCHY, NULL);
    if (status == PXR_OK)
        status = pxr_encode(code, LEN, (pxr_inputs)data, parity);
    if (status == PXR_OK)
        status = pxr_reconstruct(code, LEN, (pxr_inputs)have, want);
    pxr_code_free(code);
    return status;
}
#endif

int main(void)
{
    for (unsigned i = 0; i < K; i++)
        for (unsigned j = 0; j < LEN; j++)
            shards[i][j] = (uint8_t)(i * 89 + j * 31 + j / 7);
    const int status = run();
    if (status != 0 || memcmp(rebuilt, shards[1], LEN) != 0) {
        printf("status %d, or the rebuilt shard is wrong\n", status);
        return 1;
    }
    return 0;
}
