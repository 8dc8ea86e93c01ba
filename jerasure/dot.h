/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of a matrix, or of a bit matrix, applied to regions.  Encoding and decoding both consist
 * of this.
 */
#ifndef PXR_JERASURE_DOT_H
#define PXR_JERASURE_DOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * dst[r] = sum over j < k of row[r][j] * src[j], for r < rows.  The caller adds rows one after
 * the other, as far as there is room.  A row of zeros leaves its destination as it is.
 *
 * With a packetsize, each number is a block of w by w bits: row[r] has w rows of k * w ints.
 */
struct jer_dot {
    int w, packetsize; /* 0: the numbers are no blocks of bits */
    unsigned k, rows;
    const uint8_t **src; /* the caller fills these in */
    const int **row;
    uint8_t **dst;
    const uint8_t **ones; /* room for the sources that a row adds without multiplication */
    unsigned *column;     /* room for the columns that have a number other than 0 */
    unsigned used;        /* how many these are */
};

/* Returns the number of ints in a row of k. */
static inline size_t jer_row_numbers(int k, int w, int packetsize)
{
    return (size_t)k * (packetsize ? (size_t)w * (size_t)w : 1);
}

/* Returns whether regions are not whole words, but all numbers are 0 or 1.  Such regions are
   only added up, which jer_dot_open() does with w = 1. */
bool jer_dot_is_sum(int w, int size, const int *numbers, size_t count);

/* Returns whether regions of this size can be coded.  If not, prints a message. */
bool jer_dot_valid(const char *function, int w, int size, int packetsize);

/* Makes room for k sources and this many rows.  Returns false after a message. */
bool jer_dot_open(struct jer_dot *dot, const char *function, int w, int packetsize, int k,
                  int rows);
void jer_dot_close(struct jer_dot *dot);

static inline void jer_dot_add(struct jer_dot *dot, const int *row, char *dst)
{
    dot->row[dot->rows] = row;
    dot->dst[dot->rows++] = (uint8_t *)dst;
}

/* Sets the sources to these k regions. */
static inline void jer_dot_use(struct jer_dot *dot, char **regions)
{
    for (unsigned j = 0; j < dot->k; j++)
        dot->src[j] = (uint8_t *)regions[j];
}

/* Compute the rows, and forget them and the sources. jer_dot_run() also counts the work, and
   returns false after a message when it cannot do it. */
void jer_dot_compute(struct jer_dot *dot, size_t size);
bool jer_dot_run(struct jer_dot *dot, size_t size);

#endif
