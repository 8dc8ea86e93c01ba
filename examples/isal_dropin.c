/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that is written for ISA-L.  It calls nothing of permxor's own, and runs on
 * permxor's libisal.so.2 as well as on Intel's.
 *
 *     export PKG_CONFIG_PATH=/usr/local/lib/permxor/pkgconfig
 *     cc isal_dropin.c $(pkg-config --cflags --libs libisal) -o isal_dropin
 *     LD_LIBRARY_PATH=/usr/local/lib/permxor ./isal_dropin
 *
 * It prints:
 *
 *     isal_dropin: lost shards 0 and 3 of 6, decoded both
 */
#include <isa-l.h>

#include <stdio.h>
#include <string.h>

#define K 4
#define N 6 /* all shards: ISA-L calls this number m */
#define LEN 4096

static unsigned char shard[N][LEN], decoded[2][LEN];

int main(void)
{
    unsigned char matrix[N * K], tables[32 * K * (N - K)];
    unsigned char *shards[N];
    for (int i = 0; i < N; i++)
        shards[i] = shard[i];
    for (int i = 0; i < K; i++)
        for (int j = 0; j < LEN; j++)
            shard[i][j] = (unsigned char)(i * 5 + j);

    /* The first K rows of the matrix are the identity, the others make the parity. */
    gf_gen_cauchy1_matrix(matrix, N, K);
    ec_init_tables(K, N - K, matrix + K * K, tables);
    ec_encode_data(LEN, K, N - K, tables, shards, shards + K);

    /* Shards 0 and 3 are lost.  K rows of the survivors are inverted; the rows of the inverse
       that belong to the lost shards decode them. */
    const int lost[2] = {0, 3}, from[K] = {1, 2, 4, 5};
    unsigned char rows[K * K], inverse[K * K], decode[2 * K];
    unsigned char *sources[K], *outputs[2] = {decoded[0], decoded[1]};
    for (int i = 0; i < K; i++) {
        memcpy(rows + i * K, matrix + from[i] * K, K);
        sources[i] = shard[from[i]];
    }
    if (gf_invert_matrix(rows, inverse, K) != 0) {
        fprintf(stderr, "the survivors do not determine the data\n");
        return 1;
    }
    for (int i = 0; i < 2; i++)
        memcpy(decode + i * K, inverse + lost[i] * K, K);
    ec_init_tables(K, 2, decode, tables);
    ec_encode_data(LEN, K, 2, tables, sources, outputs);

    for (int i = 0; i < 2; i++)
        if (memcmp(decoded[i], shard[lost[i]], LEN) != 0) {
            fprintf(stderr, "shard %d differs\n", lost[i]);
            return 1;
        }
    printf("isal_dropin: lost shards %d and %d of %d, decoded both\n", lost[0], lost[1], N);
    return 0;
}
