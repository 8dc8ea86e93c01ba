/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decodes many stripes with one plan.  A plan is made from a pattern of losses.  It says which
 * shards to read before you read any, and it is applied to each stripe without allocation.
 *
 *     cc plan_decode.c $(pkg-config --cflags --libs permxor) -o plan_decode
 *
 * It prints:
 *
 *     plan_decode: read shards 0 2 4 5 6 7, rebuilt shards 1 3 in 100 stripes
 */
#include <permxor.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define K 6
#define M 3
#define LEN 1000 /* any length, any alignment */
#define STRIPES 100

static uint8_t disk[STRIPES][K + M][LEN], rebuilt[K + M][LEN];

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
    for (unsigned s = 0; s < STRIPES; s++) {
        for (unsigned i = 0; i < K + M; i++)
            shards[i] = disk[s][i];
        for (unsigned i = 0; i < K; i++)
            memset(disk[s][i], (int)(7 * s + i), LEN);
        check(pxr_encode(code, LEN, shards, shards + K), "pxr_encode");
    }

    /* Flags, one for each shard: shards 1 and 3 are lost and wanted. */
    const uint8_t there[K + M] = {1, 0, 1, 0, 1, 1, 1, 1, 1};
    const uint8_t wanted[K + M] = {0, 1, 0, 1};
    pxr_plan *plan;
    struct pxr_error why;
    if (pxr_plan_create(&plan, code, there, wanted, &why) != PXR_OK) {
        fprintf(stderr, "pxr_plan_create: %s\n", why.text);
        return 1;
    }
    pxr_code_free(code); /* the plan does not need it any more */

    const uint16_t *reads, *writes;
    unsigned read_count = pxr_plan_reads(plan, &reads);
    unsigned write_count = pxr_plan_writes(plan, &writes);

    for (unsigned s = 0; s < STRIPES; s++) {
        /* Shards that the plan neither reads nor writes may be NULL. */
        uint8_t *have[K + M] = {NULL}, *want[K + M] = {NULL};
        for (unsigned i = 0; i < read_count; i++)
            have[reads[i]] = disk[s][reads[i]];
        for (unsigned i = 0; i < write_count; i++)
            want[writes[i]] = rebuilt[writes[i]];
        check(pxr_plan_apply(plan, LEN, have, want), "pxr_plan_apply");
        for (unsigned i = 0; i < write_count; i++)
            if (memcmp(rebuilt[writes[i]], disk[s][writes[i]], LEN) != 0) {
                fprintf(stderr, "stripe %u: shard %u differs\n", s, writes[i]);
                return 1;
            }
    }

    printf("plan_decode: read shards");
    for (unsigned i = 0; i < read_count; i++)
        printf(" %u", reads[i]);
    printf(", rebuilt shards");
    for (unsigned i = 0; i < write_count; i++)
        printf(" %u", writes[i]);
    printf(" in %d stripes\n", STRIPES);
    pxr_plan_free(plan);
    return 0;
}
