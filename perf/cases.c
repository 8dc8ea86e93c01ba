/* SPDX-License-Identifier: BSD-3-Clause */
#include "cases.h"

#include <string.h>

#include "lists.h"
#include "operations.h"

#define CACHED_LENGTHS "4K,8K,16K,32K,64K,87382"
#define SPLIT_LENGTHS "16K,80K,256K,1M,8M"
#define PLACED_LENGTHS "4K,64K,1M"

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
    {"Code objects of permxor.h", "code", 10, 4, MATRIX_CAUCHY, WALK_WARM, "64,512,4K,64K", "",
     false},
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
    {"The AVX2 functions of all", "encode", 10, 4, MATRIX_CAUCHY, WALK_WARM, CACHED_LENGTHS,
     "avx2", false},
    {NULL, "encode", 6, 3, MATRIX_CAUCHY, WALK_WARM, CACHED_LENGTHS, "avx2", false},
    {NULL, "encode", 12, 4, MATRIX_CAUCHY, WALK_WARM, CACHED_LENGTHS, "avx2", false},
    {NULL, "encode", 10, 4, MATRIX_VAND, WALK_WARM, CACHED_LENGTHS, "avx2", false},
    {NULL, "encode", 4, 2, MATRIX_VAND, WALK_WARM, CACHED_LENGTHS, "avx2", false},
};

/* Codes that stripes of other layouts and short calls are measured on. */
static const int small_codes[][2] = {{4, 2}, {6, 3}, {8, 4}, {10, 4}, {12, 4}};
static const int short_codes[][2] = {{1, 1}, {2, 1}, {4, 2}, {6, 3}, {10, 4}};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

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
    for (size_t i = 0; i < COUNT(core_rows); i++) {
        struct series series = series_of(&core_rows[i]);
        visit(&series, context);
    }
}

/* A wide grid: codes x matrices x operations x modes x lengths. */
static void wide_each(const int (*codes)[2], size_t count, const char *lengths,
                      series_visitor *visit, void *context)
{
    static const char *const names[] = {"encode", "decode", "update"};
    for (size_t c = 0; c < count; c++)
        for (size_t n = 0; n < COUNT(names); n++)
            for (int variant = 0; variant < 4; variant++) {
                struct grid_row row = {
                    .title = n == 0 && variant == 0 ? "" : NULL,
                    .operation = names[n],
                    .k = codes[c][0],
                    .m = codes[c][1],
                    .matrix = variant & 1 ? MATRIX_CAUCHY : MATRIX_VAND,
                    .mode = variant & 2 ? WALK_COLD : WALK_WARM,
                    .lengths = lengths,
                    .suffix = "",
                };
                struct series series = series_of(&row);
                visit(&series, context);
            }
}

/*
 * Encoding on buffers as programs have them: 190 shapes.  One allocation split into shards is
 * the commonest, and hardest on caches, whose sets see the same lines of all shards: from
 * within L2 to beyond L3, with and without a row of ones.
 */
static const struct layout_row {
    const char *title;
    enum layout layout;
    enum matrix_kind matrix;
    enum walk_mode mode;
    const char *lengths;
} layout_rows[] = {
    {"Contiguous shards", LAYOUT_CONTIGUOUS, MATRIX_CAUCHY, WALK_WARM, SPLIT_LENGTHS},
    {NULL, LAYOUT_CONTIGUOUS, MATRIX_CAUCHY, WALK_COLD, SPLIT_LENGTHS},
    {NULL, LAYOUT_CONTIGUOUS, MATRIX_VAND, WALK_WARM, SPLIT_LENGTHS},
    {NULL, LAYOUT_CONTIGUOUS, MATRIX_VAND, WALK_COLD, SPLIT_LENGTHS},
    {"Page-aligned shards", LAYOUT_ALIGNED, MATRIX_CAUCHY, WALK_WARM, PLACED_LENGTHS},
    {NULL, LAYOUT_ALIGNED, MATRIX_CAUCHY, WALK_COLD, PLACED_LENGTHS},
    {"Shards off by 1 byte", LAYOUT_OFF1, MATRIX_CAUCHY, WALK_WARM, PLACED_LENGTHS},
    {NULL, LAYOUT_OFF1, MATRIX_CAUCHY, WALK_COLD, PLACED_LENGTHS},
    {"Shards off by 16 bytes", LAYOUT_OFF16, MATRIX_CAUCHY, WALK_WARM, PLACED_LENGTHS},
    {NULL, LAYOUT_OFF16, MATRIX_CAUCHY, WALK_COLD, PLACED_LENGTHS},
};

static void layout_each(const struct layout_row *layout, series_visitor *visit, void *context)
{
    for (size_t c = 0; c < COUNT(small_codes); c++) {
        const struct grid_row row = {
            .title = c == 0 ? layout->title : NULL,
            .operation = "encode",
            .k = small_codes[c][0],
            .m = small_codes[c][1],
            .matrix = layout->matrix,
            .mode = layout->mode,
            .lengths = layout->lengths,
            .suffix = "",
        };
        struct series series = series_of(&row);
        series.shape.layout = layout->layout;
        visit(&series, context);
    }
}

static void layouts_each(series_visitor *visit, void *context)
{
    for (size_t i = 0; i < COUNT(layout_rows); i++)
        layout_each(&layout_rows[i], visit, context);
}

static void full_each(series_visitor *visit, void *context)
{
    static const int codes[][2] = {{4, 2},  {6, 3},  {8, 3},  {8, 4},
                                   {10, 4}, {12, 4}, {17, 3}, {32, 4}};
    wide_each(codes, COUNT(codes), "1,63,512,4K,16K,64K,87382,1M,8M", visit, context);
    layouts_each(visit, context);
}

/* A part of the full one: 144 shapes. */
static void quick_each(series_visitor *visit, void *context)
{
    static const int codes[][2] = {{4, 2}, {10, 4}, {17, 3}};
    wide_each(codes, COUNT(codes), "63,4K,64K,1M", visit, context);
}

/* Each of a list of operations on short shards, in cache: `lengths` of them. */
static void short_series(const char *const *names, size_t count, const char *lengths,
                         bool sweep, series_visitor *visit, void *context)
{
    for (size_t c = 0; c < COUNT(short_codes); c++)
        for (size_t n = 0; n < count; n++) {
            struct grid_row row = {
                .title = n == 0 ? "" : NULL,
                .operation = names[n],
                .k = short_codes[c][0],
                .m = short_codes[c][1],
                .matrix = MATRIX_CAUCHY,
                .mode = WALK_WARM,
                .lengths = lengths,
                .suffix = "",
                .sweep = sweep,
            };
            struct series series = series_of(&row);
            visit(&series, context);
        }
}

/* Calls that take as long as what goes on around the loops: 800 shapes. */
static void short_each(series_visitor *visit, void *context)
{
    static const char *const names[] = {"encode", "update", "dot", "mad"};
    short_series(names, COUNT(names), "1..63:7,64..1024:32", false, visit, context);
}

/* Every length up to a page. */
static void sweep_each(series_visitor *visit, void *context)
{
    static const char *const names[] = {"encode"};
    short_series(names, COUNT(names), "1..4096", true, visit, context);
}

static bool grid_each(const char *name, series_visitor *visit, void *context)
{
    if (strcmp(name, "core") == 0)
        core_each(visit, context);
    else if (strcmp(name, "full") == 0)
        full_each(visit, context);
    else if (strcmp(name, "quick") == 0)
        quick_each(visit, context);
    else if (strcmp(name, "short") == 0)
        short_each(visit, context);
    else if (strcmp(name, "sweep") == 0)
        sweep_each(visit, context);
    else
        return name_unknown("grid", name, strlen(name));
    return true;
}

/* ------------------------------------------------------- the command line -- */

static bool each_layout(const struct lists *lists, struct series *series, series_visitor *visit,
                        void *context)
{
    const char *at = lists->layouts;
    while (layouts_next(&at, &series->shape.layout)) {
        visit(series, context);
        series->title = NULL; /* the first one only */
        if (!series->shape.operation->sized)
            break; /* there are no shards */
    }
    return at != NULL;
}

static bool each_mode(const struct lists *lists, struct series *series, series_visitor *visit,
                      void *context)
{
    const char *at = lists->modes;
    while (modes_next(&at, &series->shape.mode)) {
        if (!each_layout(lists, series, visit, context))
            return false;
        if (!series->shape.operation->sized)
            break; /* there is one mode only */
    }
    return at != NULL;
}

static bool matrix_parse(const char *name, size_t length, enum matrix_kind *matrix)
{
    for (*matrix = MATRIX_VAND; *matrix < MATRICES; ++*matrix)
        if (name_is(name, length, matrix_name(*matrix)))
            return true;
    return name_unknown("matrix", name, length);
}

static bool each_matrix(const struct lists *lists, struct series *series, series_visitor *visit,
                        void *context)
{
    const char *at = lists->matrices, *name;
    size_t length;
    while (name_next(&at, &name, &length)) {
        if (!matrix_parse(name, length, &series->shape.matrix))
            return false;
        if (!each_mode(lists, series, visit, context))
            return false;
        if (series->shape.operation->code != CODE_K_M)
            break; /* no matrix is used */
    }
    return true;
}

static bool lists_each(const struct lists *lists, series_visitor *visit, void *context)
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
            return name_unknown("operation", name, length);
        series.lengths = series.shape.operation->sized ? lists->lengths : "1";
        if (!each_matrix(lists, &series, visit, context))
            return false;
    }
    return true;
}

/* --------------------------------------------------------------- whichever -- */

bool cases_each(const struct cases *cases, series_visitor *visit, void *context)
{
    return cases->grid != NULL ? grid_each(cases->grid, visit, context)
                               : lists_each(&cases->lists, visit, context);
}

static void visit_nothing(const struct series *series, void *context)
{
    (void)series, (void)context;
}

bool cases_valid(const struct cases *cases)
{
    return cases_each(cases, visit_nothing, NULL);
}
