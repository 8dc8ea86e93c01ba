/* SPDX-License-Identifier: BSD-3-Clause */
#include "cases.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "operations.h"

#define CACHED_LENGTHS "4K,8K,16K,32K,64K,87382"
#define GRID_LENGTHS "1,63,512,4K,16K,64K,87382,1M,8M"

struct grid_row {
    const char *title;
    const char *operation;
    int k, m;
    enum matrix_kind matrix;
    enum walk_mode mode;
    const char *lengths;
    const char *suffix;
    bool sweep;
};

/* The shapes on which the project states what it must and wants to reach. */
static const struct grid_row core_rows[] = {
    {"Cauchy matrix, in cache", "encode", 10, 4, MATRIX_CAUCHY, WALK_WARM, CACHED_LENGTHS, "",
     false},
    {NULL, "encode", 6, 3, MATRIX_CAUCHY, WALK_WARM, CACHED_LENGTHS, "", false},
    {NULL, "encode", 12, 4, MATRIX_CAUCHY, WALK_WARM, CACHED_LENGTHS, "", false},
    {"Vandermonde matrix, in cache", "encode", 10, 4, MATRIX_VAND, WALK_WARM, CACHED_LENGTHS,
     "", false},
    {NULL, "encode", 4, 2, MATRIX_VAND, WALK_WARM, CACHED_LENGTHS, "", false},
    {"Decode of m losses, in cache", "decode", 10, 4, MATRIX_CAUCHY, WALK_WARM, CACHED_LENGTHS,
     "", false},
    {"Short shards", "encode", 10, 4, MATRIX_CAUCHY, WALK_WARM, "1,16,31,32,63,64,100,512", "",
     false},
    {NULL, "encode", 10, 4, MATRIX_VAND, WALK_WARM, "63,64", "", false},
    {"Every length from 1 to 4096", "encode", 10, 4, MATRIX_CAUCHY, WALK_WARM, "1..4096", "",
     true},
    {"Beyond the caches, 1 MiB shards", "encode", 10, 4, MATRIX_CAUCHY, WALK_COLD, "1M", "",
     false},
    {NULL, "encode", 16, 4, MATRIX_CAUCHY, WALK_COLD, "1M", "", false},
    {NULL, "encode", 32, 4, MATRIX_CAUCHY, WALK_COLD, "1M", "", false},
    {NULL, "encode", 64, 4, MATRIX_CAUCHY, WALK_COLD, "1M", "", false},
    {"Update of one source", "update", 10, 4, MATRIX_CAUCHY, WALK_WARM, "4K,16K,64K", "",
     false},
    {NULL, "update", 10, 4, MATRIX_CAUCHY, WALK_COLD, "1M", "", false},
    {"Parts", "mul", 10, 4, MATRIX_CAUCHY, WALK_WARM, "4K,16K,64K", "", false},
    {NULL, "dot", 10, 4, MATRIX_CAUCHY, WALK_WARM, "4K,64K", "", false},
    {NULL, "mad", 10, 4, MATRIX_CAUCHY, WALK_WARM, "4K,64K", "", false},
    {"Set-up", "invert", 10, 4, MATRIX_CAUCHY, WALK_WARM, "1", "", false},
    {NULL, "invert", 64, 4, MATRIX_CAUCHY, WALK_WARM, "1", "", false},
    {NULL, "tables", 10, 4, MATRIX_CAUCHY, WALK_WARM, "1", "", false},
    {"The AVX2 functions of both", "encode", 10, 4, MATRIX_CAUCHY, WALK_WARM, CACHED_LENGTHS,
     "avx2", false},
    {NULL, "encode", 6, 3, MATRIX_CAUCHY, WALK_WARM, CACHED_LENGTHS, "avx2", false},
    {NULL, "encode", 12, 4, MATRIX_CAUCHY, WALK_WARM, CACHED_LENGTHS, "avx2", false},
    {NULL, "encode", 10, 4, MATRIX_VAND, WALK_WARM, CACHED_LENGTHS, "avx2", false},
    {NULL, "encode", 4, 2, MATRIX_VAND, WALK_WARM, CACHED_LENGTHS, "avx2", false},
};

static struct series series_of(const struct grid_row *row)
{
    return (struct series){
        .title = row->title,
        .shape = {.operation = operation_find(row->operation, strlen(row->operation)),
                  .k = row->k,
                  .m = row->m,
                  .matrix = row->matrix,
                  .mode = row->mode,
                  .suffix = row->suffix},
        .lengths = row->lengths,
        .sweep = row->sweep,
    };
}

static void core_each(series_visitor *visit, void *context)
{
    for (size_t i = 0; i < sizeof(core_rows) / sizeof(core_rows[0]); i++) {
        struct series series = series_of(&core_rows[i]);
        visit(&series, context);
    }
}

/* The wide grid: codes x matrices x operations x modes x lengths. */
static void full_each(series_visitor *visit, void *context)
{
    static const int codes[][2] = {{4, 2},  {6, 3},  {8, 3},  {8, 4},
                                   {10, 4}, {12, 4}, {17, 3}, {32, 4}};
    static const char *const names[] = {"encode", "decode", "update"};
    for (size_t c = 0; c < sizeof(codes) / sizeof(codes[0]); c++)
        for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
            for (int variant = 0; variant < 4; variant++) {
                struct grid_row row = {
                    .title = n == 0 && variant == 0 ? "" : NULL,
                    .operation = names[n],
                    .k = codes[c][0],
                    .m = codes[c][1],
                    .matrix = variant & 1 ? MATRIX_CAUCHY : MATRIX_VAND,
                    .mode = variant & 2 ? WALK_COLD : WALK_WARM,
                    .lengths = GRID_LENGTHS,
                    .suffix = "",
                };
                struct series series = series_of(&row);
                visit(&series, context);
            }
}

static bool unknown(const char *what, const char *name, size_t length)
{
    fprintf(stderr, "ec_perf: no %s is called %.*s\n", what, (int)length, name);
    return false;
}

bool grid_each(const char *name, series_visitor *visit, void *context)
{
    if (strcmp(name, "core") == 0)
        core_each(visit, context);
    else if (strcmp(name, "full") == 0)
        full_each(visit, context);
    else
        return unknown("grid", name, strlen(name));
    return true;
}

/* ------------------------------------------------------- the command line -- */

/* Next name of a comma-separated list; false at its end. */
static bool name_next(const char **at, const char **name, size_t *length)
{
    if (**at == '\0')
        return false;
    *name = *at;
    *length = strcspn(*at, ",");
    *at += *length;
    if (**at == ',')
        ++*at;
    return true;
}

/* Which of two words a name is; -1: neither. */
static int one_of(const char *name, size_t length, const char *first, const char *second)
{
    if (strlen(first) == length && strncmp(name, first, length) == 0)
        return 0;
    if (strlen(second) == length && strncmp(name, second, length) == 0)
        return 1;
    return -1;
}

static bool each_mode(const struct lists *lists, struct series *series, series_visitor *visit,
                      void *context)
{
    const char *at = lists->modes, *name;
    size_t length;
    while (name_next(&at, &name, &length)) {
        int which = one_of(name, length, mode_name(WALK_WARM), mode_name(WALK_COLD));
        if (which < 0)
            return unknown("mode", name, length);
        series->shape.mode = which == 0 ? WALK_WARM : WALK_COLD;
        visit(series, context);
        series->title = NULL; /* the first one only */
        if (!series->shape.operation->sized)
            break; /* there is one mode only */
    }
    return true;
}

static bool each_matrix(const struct lists *lists, struct series *series, series_visitor *visit,
                        void *context)
{
    const char *at = lists->matrices, *name;
    size_t length;
    while (name_next(&at, &name, &length)) {
        int which = one_of(name, length, matrix_name(MATRIX_VAND), matrix_name(MATRIX_CAUCHY));
        if (which < 0)
            return unknown("matrix", name, length);
        series->shape.matrix = which == 0 ? MATRIX_VAND : MATRIX_CAUCHY;
        if (!each_mode(lists, series, visit, context))
            return false;
        if (series->shape.operation->code != CODE_K_M)
            break; /* no matrix is used */
    }
    return true;
}

static bool lengths_valid(const char *lengths)
{
    long previous = 0;
    int length;
    const char *at = lengths;
    while (lengths_next(&at, &previous, &length))
        ;
    if (at == NULL)
        fprintf(stderr, "ec_perf: not a list of lengths: %s\n", lengths);
    return at != NULL;
}

bool lists_each(const struct lists *lists, series_visitor *visit, void *context)
{
    struct series series = {.title = "",
                            .shape = {.k = lists->k, .m = lists->m, .suffix = lists->suffix},
                            .sweep = lists->sweep};
    const char *at = lists->operations, *name;
    size_t length;
    if (!lengths_valid(lists->lengths))
        return false;
    while (name_next(&at, &name, &length)) {
        series.shape.operation = operation_find(name, length);
        if (series.shape.operation == NULL)
            return unknown("operation", name, length);
        series.lengths = series.shape.operation->sized ? lists->lengths : "1";
        if (!each_matrix(lists, &series, visit, context))
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------- lengths -- */

/* A number with its unit; advances *at.  -1 when there is none. */
static long number(const char **at)
{
    char *end;
    if (**at < '0' || **at > '9')
        return -1;
    long value = strtol(*at, &end, 10);
    long unit = *end == 'K' ? 1024 : *end == 'M' ? 1024 * 1024 : 1;
    *at = unit > 1 ? end + 1 : end;
    return value <= INT_MAX / unit ? value * unit : -1;
}

static bool broken(const char **at)
{
    *at = NULL;
    return false;
}

/*
 * *at stays on a range until its end has been reached, so the range is read
 * anew at every step; *previous is the length given last from it.
 */
bool lengths_next(const char **at, long *previous, int *length)
{
    const char *cursor = *at;
    if (*cursor == '\0')
        return false;
    long first = number(&cursor), last = first, stride = 1;
    if (strncmp(cursor, "..", 2) == 0) {
        cursor += 2;
        last = number(&cursor);
        if (*cursor == ':') {
            cursor++;
            stride = number(&cursor);
        }
    }
    if (first < 1 || last < first || stride < 1 || (*cursor != ',' && *cursor != '\0'))
        return broken(at);
    long value = *previous ? *previous + stride : first;
    *length = (int)value;
    *previous = value;
    if (value + stride > last) {
        *previous = 0;
        *at = *cursor == ',' ? cursor + 1 : cursor;
    }
    return true;
}
