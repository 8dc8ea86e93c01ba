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

#include "permxor.h"

/* The third one is the Cauchy matrix with its sources in reverse order: no block of it has the
   structure that permxor needs fewer products for. */
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
    int w, packetsize; /* bits, bytes; 0: it has none */
};

enum matrix_of { OF_BYTES, OF_WORDS, OF_PACKETS };
enum matrix_of matrix_of(const struct matrix *matrix);

/* What permxor.h calls it; the reversed one is PXR_CUSTOM. */
enum pxr_matrix matrix_own(const struct matrix *matrix);

/* Whether codes of it have two parity shards and no other number. */
bool matrix_is_raid6(const struct matrix *matrix);

/* What lengths are rounded to: whole units of packets; of words, whole longs, which jerasure
   wants; of bytes 1. */
int matrix_unit(const struct matrix *matrix);

#define MATRIX_TEXT 40
void matrix_print(const struct matrix *matrix, char text[MATRIX_TEXT]);

/* Next of a list of such words; *at moves along.  False at the list's end, or, with a message,
   where a word is none: *at is NULL then. */
bool matrix_next(const char **at, struct matrix *matrix);

#endif
