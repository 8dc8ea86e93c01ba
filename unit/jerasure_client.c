/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that uses jerasure, valid as C and as C++. It prints what it computes, or with
 * --where the file of the library.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <dlfcn.h>
#include <jerasure.h>
#include <jerasure/cauchy.h>
#include <jerasure/liberation.h>
#include <jerasure/reed_sol.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { K = 5, M = 3, SIZE = 4096, PACKETSIZE = 64 };

static char room[K + M][SIZE];
static char *data[K], *coding[M];

static void fill(void)
{
    unsigned state = 1;
    for (int i = 0; i < K + M; i++) {
        *(i < K ? &data[i] : &coding[i - K]) = room[i];
        for (int b = 0; b < SIZE; b++) {
            state = state * 1103515245u + 12345u;
            room[i][b] = (char)(state >> 16);
        }
    }
}

static void print_checksums(const char *name)
{
    printf("%s", name);
    for (int i = 0; i < K + M; i++) {
        unsigned sum = 1;
        for (int b = 0; b < SIZE; b++)
            sum = sum * 31 + (unsigned char)room[i][b];
        printf(" %08x", sum);
    }
    printf("\n");
}

static void use_matrix(int w)
{
    int erasures[] = {0, K + 1, -1};
    int *matrix = reed_sol_vandermonde_coding_matrix(K, M, w);
    jerasure_print_matrix(matrix, M, K, w);
    fill();
    jerasure_matrix_encode(K, M, w, matrix, data, coding, SIZE);
    print_checksums("encoded");
    memset(room[0], 0, SIZE);
    memset(room[K + 1], 0, SIZE);
    printf("%d\n", jerasure_matrix_decode(K, M, w, matrix, 1, erasures, data, coding, SIZE));
    print_checksums("decoded");
    free(matrix);
}

static void use_schedule(void)
{
    int erasures[] = {1, 2, -1};
    int *matrix = cauchy_good_general_coding_matrix(K, M, 8);
    int *bits = jerasure_matrix_to_bitmatrix(K, M, 8, matrix);
    int **schedule = jerasure_smart_bitmatrix_to_schedule(K, M, 8, bits);
    double stats[3];
    fill();
    jerasure_schedule_encode(K, M, 8, schedule, data, coding, SIZE, PACKETSIZE);
    print_checksums("scheduled");
    memset(room[1], 0, SIZE);
    memset(room[2], 0, SIZE);
    printf("%d\n", jerasure_schedule_decode_lazy(K, M, 8, bits, erasures, data, coding, SIZE,
                                                 PACKETSIZE, 1));
    print_checksums("decoded");
    jerasure_get_stats(stats);
    printf("%.0f %.0f %.0f\n", stats[0], stats[1], stats[2]);
    jerasure_free_schedule(schedule);
    free(bits);
    free(matrix);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--where") == 0) {
        Dl_info info;
        if (!dladdr((void *)jerasure_matrix_encode, &info))
            return 1;
        printf("%s\n", info.dli_fname);
        return 0;
    }
    use_matrix(8);
    use_matrix(16);
    use_matrix(32);
    use_schedule();
    int *bits = liberation_coding_bitmatrix(K, 7);
    jerasure_print_bitmatrix(bits, 14, K * 7, 7);
    free(bits);
    printf("%d %d\n", galois_single_divide(77, 5, 8), galois_inverse(1234, 16));
    return 0;
}
