/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bit matrices for RAID-6 with few ones.  Block row 0 is identities, so P is plain parity.
 * Block (1, j) is X_j, a permutation with at most one more 1, by:
 *
 *   liberation   J. S. Plank, The RAID-6 Liberation Codes, FAST 2008
 *   liber8tion   J. S. Plank, The RAID-6 Liber8Tion Code, IJHPCA 23 (2009)
 *   blaum_roth   M. Blaum and R. M. Roth, On Lowest Density MDS Codes, IEEE Transactions on
 *                Information Theory 45 (1999)
 */
#include "liberation.h"

#include <stdlib.h>

/* 2w rows of k*w, all zero but the identities of block row 0. */
static int *make_blocks(int k, int w)
{
    int *const bits = calloc(2 * (size_t)w * (size_t)(k * w), sizeof *bits);
    for (int row = 0; bits && row < w; row++)
        for (int j = 0; j < k; j++)
            bits[row * k * w + j * w + row] = 1;
    return bits;
}

/* The entry of X_j in this row and column, counted from 0. */
static int *entry(int *bits, int k, int w, int j, int row, int column)
{
    return &bits[(w + row) * k * w + j * w + column];
}

/*
 * X_j is the identity rotated by j.  For j > 0, row y = j * (w-1)/2 also has the column before
 * its own, modulo w.
 */
int *liberation_coding_bitmatrix(int k, int w)
{
    if (k < 1 || k > w)
        return NULL;
    int *const bits = make_blocks(k, w);
    for (int j = 0; bits && j < k; j++) {
        for (int row = 0; row < w; row++)
            *entry(bits, k, w, j, row, (row + j) % w) = 1;
        if (j > 0) {
            const int y = j * ((w - 1) / 2) % w;
            *entry(bits, k, w, j, y, (y + j - 1) % w) = 1;
        }
    }
    return bits;
}

/*
 * With p = w + 1, X_j is multiplication by x^j of polynomials modulo 1 + x + ... + x^(p-1),
 * in a basis where row l (from 1) has column l + j modulo p, and the row for which that is 0
 * has the columns j and h with 2h = j modulo p.
 */
int *blaum_roth_coding_bitmatrix(int k, int w)
{
    if (k < 1 || k > w)
        return NULL;
    const int p = w + 1;
    int *const bits = make_blocks(k, w);
    for (int row = 1; bits && row <= w; row++) {
        *entry(bits, k, w, 0, row - 1, row - 1) = 1;
        for (int j = 1; j < k; j++) {
            if (row + j != p) {
                *entry(bits, k, w, j, row - 1, (row + j) % p - 1) = 1;
                continue;
            }
            const int half = j % 2 == 0 ? j / 2 : p / 2 + 1 + j / 2;
            *entry(bits, k, w, j, row - 1, j - 1) = 1;
            *entry(bits, k, w, j, row - 1, half - 1) = 1;
        }
    }
    return bits;
}

#define LIBER8TION_BITS 8

/* The column of each row of X_j, and the row and column of its further 1; X_0 is the
   identity. */
static const struct {
    unsigned char column[LIBER8TION_BITS], row, extra;
} liber8tion[LIBER8TION_BITS] = {
    {{0, 1, 2, 3, 4, 5, 6, 7}, 0, 0}, {{7, 3, 0, 2, 6, 1, 5, 4}, 4, 7},
    {{6, 2, 4, 0, 7, 3, 1, 5}, 1, 3}, {{2, 5, 7, 6, 0, 3, 4, 1}, 5, 4},
    {{5, 6, 1, 7, 2, 4, 3, 0}, 2, 0}, {{1, 2, 3, 4, 5, 6, 7, 0}, 7, 2},
    {{3, 0, 6, 5, 1, 7, 4, 2}, 6, 5}, {{4, 7, 1, 5, 3, 2, 0, 6}, 3, 1},
};

int *liber8tion_coding_bitmatrix(int k)
{
    const int w = LIBER8TION_BITS;
    if (k < 1 || k > w)
        return NULL;
    int *const bits = make_blocks(k, w);
    for (int j = 0; bits && j < k; j++) {
        for (int row = 0; row < w; row++)
            *entry(bits, k, w, j, row, liber8tion[j].column[row]) = 1;
        *entry(bits, k, w, j, liber8tion[j].row, liber8tion[j].extra) = 1;
    }
    return bits;
}
