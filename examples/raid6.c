/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RAID-6: computes P and Q, finds a wrong block, and recovers two lost blocks.  The bytes are
 * those of Linux md's RAID-6.
 *
 *     cc raid6.c $(pkg-config --cflags --libs permxor) -o raid6
 *
 * It prints:
 *
 *     raid6: block 5 was wrong, recovered blocks 2 and 5
 */
#include <permxor_raid.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 6 /* data blocks */
#define LEN 4096

static uint8_t block[N][LEN], p[LEN], q[LEN], original[N][LEN];

static void check(int status, const char *what)
{
    if (status == PXR_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, pxr_strerror(status));
    exit(1);
}

int main(void)
{
    uint8_t *data[N];
    for (unsigned i = 0; i < N; i++) {
        data[i] = block[i];
        for (unsigned j = 0; j < LEN; j++)
            block[i][j] = (uint8_t)(i * i + 3 * j);
    }
    memcpy(original, block, sizeof block);
    check(pxr_raid_generate(N, LEN, data, p, q), "pxr_raid_generate");

    /* A disk returns wrong bytes without an error.  The check names the block. */
    block[5][77] ^= 1;
    struct pxr_raid_report report;
    int status = pxr_raid_check(N, LEN, data, p, q, &report, sizeof report);
    if (status != PXR_EMISMATCH || report.suspect == PXR_RAID_UNKNOWN) {
        fprintf(stderr, "pxr_raid_check: no single block found\n");
        return 1;
    }

    /* Another disk fails.  Two blocks are recovered into their places from the rest, P and Q.
       P has the number N here, and Q the number N + 1. */
    const unsigned lost[] = {2, report.suspect};
    memset(block[2], 0, LEN);
    check(pxr_raid_recover(N, LEN, data, p, q, 2, lost), "pxr_raid_recover");

    if (memcmp(block, original, sizeof block) != 0) {
        fprintf(stderr, "a recovered block differs\n");
        return 1;
    }
    printf("raid6: block %u was wrong, recovered blocks %u and %u\n", report.suspect, lost[0],
           lost[1]);
    return 0;
}
