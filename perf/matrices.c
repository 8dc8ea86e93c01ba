/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "matrices.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name;
    enum pxr_matrix own;
    enum matrix_of of;
    int least, most; /* the w that jerasure can work with; it says itself whether the matrix is
                        MDS */
    bool raid6;
} kinds[MATRIX_KINDS] = {
    [MATRIX_VAND] = {"vand", PXR_ISAL_VAND, OF_BYTES, 0, 0, false},
    [MATRIX_CAUCHY] = {"cauchy", PXR_ISAL_CAUCHY, OF_BYTES, 0, 0, false},
    [MATRIX_REVERSED] = {"reversed", PXR_CUSTOM, OF_BYTES, 0, 0, false},
    [MATRIX_REED_SOL_VAN] = {"reed_sol_van", PXR_JERASURE_VAN, OF_WORDS, 8, 32, false},
    [MATRIX_REED_SOL_R6_OP] = {"reed_sol_r6_op", PXR_JERASURE_R6, OF_WORDS, 8, 32, true},
    [MATRIX_CAUCHY_ORIG] = {"cauchy_orig", PXR_JERASURE_CAUCHY_ORIG, OF_PACKETS, 1, 32, false},
    [MATRIX_CAUCHY_GOOD] = {"cauchy_good", PXR_JERASURE_CAUCHY_GOOD, OF_PACKETS, 1, 32, false},
    [MATRIX_LIBERATION] = {"liberation", PXR_JERASURE_LIBERATION, OF_PACKETS, 3, 31, true},
    [MATRIX_BLAUM_ROTH] = {"blaum_roth", PXR_JERASURE_BLAUM_ROTH, OF_PACKETS, 2, 30, true},
    [MATRIX_LIBER8TION] = {"liber8tion", PXR_JERASURE_LIBER8TION, OF_PACKETS, 8, 8, true},
};

enum { LONG = 8, MOST_PACKET = 1 << 20 };

enum matrix_of matrix_of(const struct matrix *matrix)
{
    return kinds[matrix->kind].of;
}

enum pxr_matrix matrix_own(const struct matrix *matrix)
{
    return kinds[matrix->kind].own;
}

bool matrix_is_raid6(const struct matrix *matrix)
{
    return kinds[matrix->kind].raid6;
}

int matrix_unit(const struct matrix *matrix)
{
    const int units[] = {1, LONG, matrix->w * matrix->packetsize};
    return units[matrix_of(matrix)];
}

void matrix_print(const struct matrix *matrix, char text[MATRIX_TEXT])
{
    const char *name = kinds[matrix->kind].name;
    if (matrix_of(matrix) == OF_PACKETS)
        snprintf(text, MATRIX_TEXT, "%s/%d/%d", name, matrix->w, matrix->packetsize);
    else if (matrix_of(matrix) == OF_WORDS)
        snprintf(text, MATRIX_TEXT, "%s/%d", name, matrix->w);
    else
        snprintf(text, MATRIX_TEXT, "%s", name);
}

/* ---------------------------------------------------------------- reading -- */

/* Reads a number behind a slash, and advances *at.  Returns 0 where there is none or it is too
   large. */
static int number(const char **at)
{
    char *end;
    if (**at != '/' || (*at)[1] < '0' || (*at)[1] > '9')
        return 0;
    const long value = strtol(*at + 1, &end, 10);
    *at = end;
    return value <= MOST_PACKET ? (int)value : 0;
}

static bool numbers_fit(const struct matrix *matrix)
{
    const int w = matrix->w, size = matrix->packetsize;
    if (w < kinds[matrix->kind].least || w > kinds[matrix->kind].most)
        return false;
    return matrix_of(matrix) == OF_PACKETS ? size > 0 && size % LONG == 0
                                           : size == 0 && (w & (w - 1)) == 0;
}

static bool numbers_wrong(const char *name, size_t length)
{
    fprintf(
        stderr,
        "%s: '%.*s' is not valid: the form is NAME for codes of bytes, NAME/W (8, 16 or 32) "
        "for words, and NAME/W/PACKETSIZE for packets (W as the technique allows, PACKETSIZE a "
        "multiple of 8)\n",
        program_invocation_short_name, (int)length, name);
    return false;
}

bool read_matrix(struct list *list, const char *name, size_t length)
{
    const char *at = name;
    while (at < name + length && *at != '/')
        at++;
    struct matrix matrix = {.kind = MATRIX_VAND};
    while (matrix.kind < MATRIX_KINDS &&
           !name_is(name, (size_t)(at - name), kinds[matrix.kind].name))
        matrix.kind++;
    if (matrix.kind == MATRIX_KINDS)
        return name_unknown("matrix", name, length);
    matrix.w = number(&at);
    matrix.packetsize = number(&at);
    if (at != name + length || !numbers_fit(&matrix))
        return numbers_wrong(name, length);
    return list_add(list, &matrix, sizeof matrix);
}
