/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matrices.h - the matrices that codes are made of, as words of the command line:
 *
 *     NAME                 of bytes, ISA-L's
 *     NAME/W               of words of W bits, jerasure's
 *     NAME/W/PACKETSIZE    of packets, jerasure's technique of that name
 */
#ifndef PERF_MATRICES_H
#define PERF_MATRICES_H

#include <stdbool.h>
#include <stddef.h>

#include "lists.h"
#include "permxor.h"

/* MATRIX_REVERSED is the Cauchy matrix with its sources in reverse order.  No block of it has
   the structure that lets permxor do with fewer products. */
enum matrix_kind {
    MATRIX_VAND,
    MATRIX_CAUCHY,
    MATRIX_REVERSED,
    MATRIX_REED_SOL_VAN,
    MATRIX_REED_SOL_R6_OP,
    MATRIX_CAUCHY_ORIG,
    MATRIX_CAUCHY_GOOD,
    MATRIX_LIBERATION,
    MATRIX_BLAUM_ROTH,
    MATRIX_LIBER8TION,
    MATRIX_KINDS
};

struct matrix {
    enum matrix_kind kind;
    int w, packetsize; /* bits, bytes; 0: the matrix has none */
};

enum matrix_of { OF_BYTES, OF_WORDS, OF_PACKETS };
enum matrix_of matrix_of(const struct matrix *matrix);

/* The name that permxor.h has for it.  The reversed one is PXR_CUSTOM. */
enum pxr_matrix matrix_own(const struct matrix *matrix);

/* Returns whether its codes always have two parity shards. */
bool matrix_is_raid6(const struct matrix *matrix);

/* The unit to which lengths are rounded.  For packets it is a whole unit of the code; for words
   a whole number of longs, which jerasure wants; for bytes 1. */
int matrix_unit(const struct matrix *matrix);

#define MATRIX_TEXT 40
void matrix_print(const struct matrix *matrix, char text[MATRIX_TEXT]);

/* Reads such words as struct matrix. */
list_reader read_matrix;

#endif
