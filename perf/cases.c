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

/* --------------------------------------------------------- loops of lists -- */

/* What the nested loops share, from the outer one to the inner one. */
struct loop {
    struct lists lists;
    struct series series;
    bool first; /* code of the list */
    series_visitor *visit;
    void *context;
};

static bool each_layout(struct loop *loop)
{
    struct series *series = &loop->series;
    const char *at = loop->lists.layouts;
    int layout;
    while (choice_next(&at, "layout", layout_names, &layout)) {
        series->shape.layout = (enum layout)layout;
        loop->visit(series, loop->context);
        series->title = NULL; /* only the first series prints it */
        if (!series->shape.operation->sized)
            break; /* without shards there is one length only */
    }
    return at != NULL;
}

static bool each_mode(struct loop *loop)
{
    const char *at = loop->lists.modes;
    int mode;
    while (choice_next(&at, "mode", mode_names, &mode)) {
        loop->series.shape.mode = (enum walk_mode)mode;
        if (!each_layout(loop))
            return false;
        if (!loop->series.shape.operation->sized)
            break; /* without shards there is one mode only */
    }
    return at != NULL;
}

static bool each_matrix(struct loop *loop)
{
    const char *at = loop->lists.matrices;
    while (matrix_next(&at, &loop->series.shape.matrix)) {
        if (!each_mode(loop))
            return false;
        if (loop->series.shape.operation->code != CODE_K_M)
            break; /* no matrix is used */
    }
    return at != NULL;
}

/* All operations that a name stands for. */
static bool each_of_name(struct loop *loop, const char *name, size_t length)
{
    const struct shape code = loop->series.shape;
    const struct operation *op;
    bool found = false;
    for (size_t i = 0; (op = operation_number(i)) != NULL; i++) {
        if (!name_is(name, length, op->name) &&
            !name_is(name, length, operation_group_name(op->group)))
            continue;
        found = true;
        if (op->code == CODE_NONE && !loop->first)
            continue; /* already done with the first code: it is the same with every code */
        loop->series.shape = code;
        loop->series.shape.operation = op;
        loop->series.lengths = op->sized ? loop->lists.lengths : "1";
        if (!each_matrix(loop))
            return false;
    }
    loop->series.shape = code;
    return found || name_unknown("operation", name, length);
}

static bool each_operation(struct loop *loop)
{
    const char *at = loop->lists.operations, *name;
    size_t length;
    while (name_next(&at, &name, &length))
        if (!each_of_name(loop, name, length))
            return false;
    return true;
}

/* Reads "10+4", or "10" with the lists' m. */
static bool code_parse(const char *name, size_t length, struct loop *loop)
{
    char *end;
    long k = strtol(name, &end, 10), m = loop->lists.m;
    if (*end == '+')
        m = strtol(end + 1, &end, 10);
    if (end != name + length || k < 1 || k > 255 || m < 1 || m > 255)
        return name_unknown("code", name, length);
    loop->series.shape.k = (int)k;
    loop->series.shape.m = (int)m;
    return true;
}

static bool each_code(struct loop *loop)
{
    const char *at = loop->lists.codes, *name;
    size_t length;
    for (; name_next(&at, &name, &length); loop->first = false)
        if (!code_parse(name, length, loop) || !each_operation(loop))
            return false;
    return true;
}

/* Fills in the defaults of what a list does not say. */
static struct lists completed(const struct lists *given)
{
    struct lists l = *given;
    l.operations = l.operations != NULL ? l.operations : "encode";
    l.codes = l.codes != NULL ? l.codes : "10";
    l.m = l.m != 0 ? l.m : 4;
    l.matrices = l.matrices != NULL ? l.matrices : "cauchy";
    l.modes = l.modes != NULL ? l.modes : "warm";
    l.layouts = l.layouts != NULL ? l.layouts : "displaced";
    l.lengths = l.lengths != NULL ? l.lengths : "4K,16K,64K,87382";
    return l;
}

static bool lists_each(const struct lists *lists, const char *title, series_visitor *visit,
                       void *context)
{
    struct loop loop = {
        .lists = completed(lists), .first = true, .visit = visit, .context = context};
    loop.series = (struct series){.title = title, .sweep = loop.lists.sweep};
    return lengths_valid(loop.lists.lengths) && each_code(&loop);
}

/* --------------------------------------------------------------- whichever -- */

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

static void visit_nothing(const struct series *series, void *context)
{
    (void)series, (void)context;
}

bool cases_valid(const struct cases *cases)
{
    return cases_each(cases, visit_nothing, NULL);
}
