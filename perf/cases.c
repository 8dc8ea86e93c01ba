/* SPDX-License-Identifier: BSD-3-Clause */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

#include "lists.h"
#include "operations.h"

/* ------------------------------------------------------------------ grids -- */

#define CACHED_LENGTHS "4K,8K,16K,32K,64K,87382"
#define SMALL_CODES "4+2,6+3,8+4,10+4,12+4"
#define SHORT_CODES "1+1,2+1,4+2,6+3,10+4"
#define DISKS "4,8,24,48,96"
#define BLOCK_LENGTHS "512,4K,16K,64K,256K,1M"
#define PACKETS(of) of "/1024," of "/2048," of "/2304," of "/4096"

/* A grid consists of all rows of its name. */
static const struct grid_row {
    const char *grid, *title;
    struct lists lists;
} grid_rows[] = {
    /* The shapes with a stated speed, which the project must reach or wants to reach. */
    {"core", "Cauchy matrix, in cache", {.codes = "10+4,6+3,12+4", .lengths = CACHED_LENGTHS}},
    {"core",
     "Vandermonde matrix, in cache",
     {.codes = "10+4,4+2", .matrices = "vand", .lengths = CACHED_LENGTHS}},
    {"core",
     "Decode of m losses, in cache",
     {.operations = "decode", .lengths = CACHED_LENGTHS}},
    {"core", "Short shards", {.lengths = "1,16,31,32,63,64,100,512"}},
    {"core", NULL, {.matrices = "vand", .lengths = "63,64"}},
    {"core", "Every length from 1 to 4096", {.lengths = "1..4096", .sweep = true}},
    {"core", "Code objects of permxor.h", {.operations = "code", .lengths = "64,512,4K,64K"}},
    {"core",
     "Beyond the caches, 1 MiB shards",
     {.codes = "10+4,16+4,32+4,64+4", .modes = "cold", .lengths = "1M"}},
    {"core", "Update of one source", {.operations = "update", .lengths = "4K,16K,64K"}},
    {"core", NULL, {.operations = "update", .modes = "cold", .lengths = "1M"}},
    {"core", "Parts", {.operations = "mul", .lengths = "4K,16K,64K"}},
    {"core", NULL, {.operations = "dot,mad", .lengths = "4K,64K"}},
    {"core", "Set-up", {.operations = "invert", .codes = "10,64"}},
    {"core", NULL, {.operations = "tables"}},

    {"full",
     "",
     {.operations = "encode,decode,update",
      .codes = "4+2,6+3,8+3,8+4,10+4,12+4,17+3,32+4",
      .matrices = "vand,cauchy",
      .modes = "warm,cold",
      .lengths = "1,63,512,4K,16K,64K,87382,1M,8M"}},
    /*
     * Encoding on buffers as programs have them.  One allocation split into shards is the
     * commonest layout, and the hardest on caches, whose sets see the same lines of all shards.
     * The lengths go from within L2 to beyond L3, with and without a row of ones.
     */
    {"full",
     "Contiguous shards",
     {.codes = SMALL_CODES,
      .matrices = "cauchy,vand",
      .modes = "warm,cold",
      .layouts = "contiguous",
      .lengths = "16K,80K,256K,1M,8M"}},
    {"full",
     "Shards on pages of their own, and off by 1 and by 16 bytes",
     {.codes = SMALL_CODES,
      .modes = "warm,cold",
      .layouts = "aligned,off1,off16",
      .lengths = "4K,64K,1M"}},

    /* A part of the full grid. */
    {"quick",
     "",
     {.operations = "encode,decode,update",
      .codes = "4+2,10+4,17+3",
      .matrices = "vand,cauchy",
      .modes = "warm,cold",
      .lengths = "63,4K,64K,1M"}},

    /* Calls in which the work around the loops takes as long as the loops. */
    {"short",
     "",
     {.operations = "encode,update,dot,mad",
      .codes = SHORT_CODES,
      .lengths = "1..63:7,64..1024:32"}},

    {"sweep", "", {.codes = SHORT_CODES, .lengths = "1..4096", .sweep = true}},

    {"raid",
     "",
     {.operations = "raid", .codes = DISKS, .modes = "warm,cold", .lengths = BLOCK_LENGTHS}},
    {"raid-own",
     "",
     {.operations = "own", .codes = DISKS, .modes = "warm,cold", .lengths = BLOCK_LENGTHS}},

    /* Which kernel set is best for which operation. */
    {"raid-sets",
     "",
     {.operations = "gen_p,gen_pq,rec_d,rec_d_q,rec_dd,check,compare,zero,adler",
      .codes = "8",
      .lengths = "256K"}},

    {"leopard",
     "",
     {.operations = "leopard_encode,leopard_decode",
      .codes = "16+16,32+32,128+127",
      .modes = "warm,cold",
      .lengths = "4K,64K,1M"}},

#define JERASURE .operations = "jerasure", .modes = "warm,cold", .lengths = "64K"
    {"jerasure",
     "Packets, any number of parity shards",
     {JERASURE, .codes = "10+4,8+3,4+2", .matrices = PACKETS("cauchy_good/8")}},
    {"jerasure", NULL, {JERASURE, .codes = "10+4", .matrices = PACKETS("cauchy_orig/4")}},
    {"jerasure",
     "Packets, two parity shards",
     {JERASURE, .codes = "7+2", .matrices = PACKETS("liberation/7")}},
    {"jerasure", NULL, {JERASURE, .codes = "6+2", .matrices = PACKETS("blaum_roth/6")}},
    {"jerasure", NULL, {JERASURE, .codes = "8+2", .matrices = PACKETS("liber8tion/8")}},
    {"jerasure",
     "Words",
     {JERASURE, .codes = "10+4", .matrices = "reed_sol_van/8,reed_sol_van/16,reed_sol_van/32"}},
    {"gf", "", {.operations = "gf", .modes = "warm,cold", .lengths = "64K"}},
    {"hash",
     "",
     {.operations = "hash", .modes = "warm,cold", .lengths = "64,1K,4K,16K,64K,1M,8M"}},
};

/* ------------------------------------------------------------------ lists -- */

/* "10+4", or "10" with the m of the lists, which is 0 here. */
struct code {
    int k, m;
};

static bool read_code(struct list *list, const char *name, size_t length)
{
    char *end;
    long k = strtol(name, &end, 10), m = 0;
    const bool named = *end == '+';
    if (named)
        m = strtol(end + 1, &end, 10);
    if (end != name + length || k < 1 || k > 255 || (named && m < 1) || m > 255)
        return name_unknown("code", name, length);
    const struct code code = {(int)k, (int)m};
    return list_add(list, &code, sizeof code);
}

/* All operations that a name stands for. */
static bool read_operation(struct list *list, const char *name, size_t length)
{
    const struct operation *op;
    const size_t before = list->count;
    for (size_t i = 0; (op = operation_number(i)) != NULL; i++)
        if ((name_is(name, length, op->name) ||
             name_is(name, length, operation_group_name(op->group))) &&
            !list_add(list, &op, sizeof op))
            return false;
    return list->count > before || name_unknown("operation", name, length);
}

static bool read_mode(struct list *list, const char *name, size_t length)
{
    return list_add_choice(list, "mode", mode_names, name, length);
}

static bool read_layout(struct list *list, const char *name, size_t length)
{
    return list_add_choice(list, "layout", layout_names, name, length);
}

/* The lists, with defaults for those that are not given. */
struct axes {
    struct list lengths, codes, operations, matrices, modes, layouts;
};

static bool axis_read(struct list *axis, const char *text, const char *otherwise,
                      list_reader *read)
{
    return list_read(axis, text != NULL ? text : otherwise, read);
}

static bool axes_read(struct axes *axes, const struct lists *lists)
{
    return axis_read(&axes->lengths, lists->lengths, "4K,16K,64K,87382", read_length) &&
           axis_read(&axes->codes, lists->codes, "10", read_code) &&
           axis_read(&axes->operations, lists->operations, "encode", read_operation) &&
           axis_read(&axes->matrices, lists->matrices, "cauchy", read_matrix) &&
           axis_read(&axes->modes, lists->modes, "warm", read_mode) &&
           axis_read(&axes->layouts, lists->layouts, "displaced", read_layout);
}

static void axes_free(struct axes *axes)
{
    free(axes->lengths.items);
    free(axes->codes.items);
    free(axes->operations.items);
    free(axes->matrices.items);
    free(axes->modes.items);
    free(axes->layouts.items);
}

/* ------------------------------------------------------------------ loops -- */

/* All series of an operation on a code.  One without a matrix is done once, and so is one
   without shards, which has one length, mode and layout only. */
static void each_of_operation(const struct axes *axes, struct series *series,
                              series_visitor *visit, void *context)
{
    static const int any_length = 1;
    const struct matrix *const matrix = axes->matrices.items;
    const int *const mode = axes->modes.items, *const layout = axes->layouts.items;
    const struct operation *const op = series->shape.operation;
    const size_t matrices = op->code == CODE_K_M ? axes->matrices.count : 1;
    const size_t modes = op->sized ? axes->modes.count : 1;
    const size_t layouts = op->sized ? axes->layouts.count : 1;
    series->lengths = op->sized ? axes->lengths.items : &any_length;
    series->count = op->sized ? axes->lengths.count : 1;
    for (size_t i = 0; i < matrices * modes * layouts; i++) {
        series->shape.matrix = matrix[i / layouts / modes];
        series->shape.mode = (enum walk_mode)mode[i / layouts % modes];
        series->shape.layout = (enum layout)layout[i % layouts];
        visit(series, context);
        series->title = NULL; /* only the first series prints it */
    }
}

/* An operation to which the code does not matter is done with the first code alone. */
static void each_of_lists(const struct axes *axes, int m, struct series *series,
                          series_visitor *visit, void *context)
{
    const struct code *const code = axes->codes.items;
    const struct operation *const *const operation = axes->operations.items;
    for (size_t c = 0; c < axes->codes.count; c++)
        for (size_t i = 0; i < axes->operations.count; i++) {
            if (operation[i]->code == CODE_NONE && c > 0)
                continue;
            series->shape = (struct shape){
                .operation = operation[i], .k = code[c].k, .m = code[c].m != 0 ? code[c].m : m};
            each_of_operation(axes, series, visit, context);
        }
}

static bool lists_each(const struct lists *lists, const char *title, series_visitor *visit,
                       void *context)
{
    struct axes axes = {0};
    struct series series = {.title = title, .sweep = lists->sweep};
    const bool valid = axes_read(&axes, lists);
    if (valid && visit != NULL)
        each_of_lists(&axes, lists->m != 0 ? lists->m : 4, &series, visit, context);
    axes_free(&axes);
    return valid;
}

static bool grid_each(const char *name, series_visitor *visit, void *context)
{
    bool found = false;
    for (size_t i = 0; i < sizeof(grid_rows) / sizeof(grid_rows[0]); i++) {
        const struct grid_row *row = &grid_rows[i];
        if (strcmp(name, row->grid) != 0)
            continue;
        found = true;
        if (!lists_each(&row->lists, row->title, visit, context))
            return false;
    }
    return found || name_unknown("grid", name, strlen(name));
}

bool cases_each(const struct cases *cases, series_visitor *visit, void *context)
{
    return cases->grid != NULL ? grid_each(cases->grid, visit, context)
                               : lists_each(&cases->lists, "", visit, context);
}
