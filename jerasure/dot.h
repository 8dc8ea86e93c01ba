/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of a matrix, or of a bit matrix, applied to regions: what encoding and decoding come to.
 */
#ifndef PXR_JERASURE_DOT_H
#define PXR_JERASURE_DOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * dst[r] = sum over j < k of row[r][j] * src[j], for r < rows.  Rows are added one after the
 * other, as far as there is room for.  A row of zeros leaves its destination as it is.
 *
 * With a packetsize, numbers are w by w bits: row[r] has w rows of k * w ints.
 */
struct jer_dot {
    int w, packetsize; /* 0: numbers */
    unsigned k, rows;
    const uint8_t **src; /* the caller fills them in */
    const int **row;
    uint8_t **dst;
    const uint8_t **ones; /* room for the sources that a row adds as they are */
};

/* The numbers of a row of k. */
static inline size_t jer_row_numbers(int k, int w, int packetsize)
{
    return (size_t)k * (packetsize ? (size_t)w * (size_t)w : 1);
}

/* Whether regions of this size can be coded; else it complains. */
bool jer_dot_valid(const char *function, int w, int size, int packetsize);

/* Room for k sources and so many rows; false after a complaint. */
bool jer_dot_open(struct jer_dot *dot, const char *function, int w, int packetsize, int k,
                  int rows);
void jer_dot_close(struct jer_dot *dot);

static inline void jer_dot_add(struct jer_dot *dot, const int *row, char *dst)
{
    dot->row[dot->rows] = row;
    dot->dst[dot->rows++] = (uint8_t *)dst;
}

/* The sources are these k regions. */
static inline void jer_dot_use(struct jer_dot *dot, char **regions)
{
    for (unsigned j = 0; j < dot->k; j++)
        dot->src[j] = (uint8_t *)regions[j];
}

/* Computes the rows and forgets them; run() also counts what they take. */
void jer_dot_compute(struct jer_dot *dot, size_t size);
void jer_dot_run(struct jer_dot *dot, size_t size);

#endif
