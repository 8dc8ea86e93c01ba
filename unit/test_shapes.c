/* SPDX-License-Identifier: BSD-3-Clause */
/* Which shapes the grids of ec_perf contain, and where the shards of each layout lie. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../perf/cases.h"
#include "../perf/lists.h"
#include "../perf/operations.h"
#include "check.h"

enum { LAYOUTS = LAYOUT_OFF16 + 1 };

/* ------------------------------------------------------------------ grids -- */

struct count {
    long layout[LAYOUTS];
    long others;    /* series that do not encode, in other layouts than displaced */
    long unnamed;   /* series without an operation */
    long longest;   /* the most bytes of a shard */
    long first_k;   /* k of the first series */
    bool all_sweep; /* every series is a sweep */
};

static void count_series(const struct series *series, void *context)
{
    struct count *count = context;
    const struct shape *shape = &series->shape;
    count->layout[shape->layout] += (long)series->count;
    for (size_t i = 0; i < series->count; i++)
        if (series->lengths[i] > count->longest)
            count->longest = series->lengths[i];
    count->unnamed += shape->operation == NULL;
    if (shape->layout != LAYOUT_DISPLACED && strcmp(shape->operation->name, "encode") != 0)
        count->others++;
    count->first_k = count->first_k == 0 ? shape->k : count->first_k;
    count->all_sweep = count->all_sweep && series->sweep;
}

static struct count count_grid(const char *name)
{
    const struct cases cases = {.grid = name};
    struct count count = {.all_sweep = true};
    CHECK(cases_each(&cases, count_series, &count));
    CHECK_INT(count.unnamed, 0);
    CHECK_INT(count.others, 0);
    return count;
}

static void test_grids(void)
{
    if (check_case("grid full")) {
        const struct count full = count_grid("full");
        /* codes * matrices * operations * modes * lengths; the other layouts have five codes */
        CHECK_INT(full.layout[LAYOUT_DISPLACED], 8 * 2 * 3 * 2 * 9);
        CHECK_INT(full.layout[LAYOUT_CONTIGUOUS], 5 * 2 * 2 * 5);
        for (int layout = LAYOUT_ALIGNED; layout <= LAYOUT_OFF16; layout++)
            CHECK_INT(full.layout[layout], 5 * 2 * 3);
    }
    if (check_case("grid quick"))
        CHECK_INT(count_grid("quick").layout[LAYOUT_DISPLACED], 3 * 2 * 3 * 2 * 4);
    if (check_case("grid short")) {
        const struct count shorts = count_grid("short");
        CHECK_INT(shorts.layout[LAYOUT_DISPLACED], 5 * 4 * (9 + 31));
        CHECK_INT(shorts.longest, 1024);
        CHECK_INT(shorts.first_k, 1);
        CHECK(!shorts.all_sweep);
    }
    if (check_case("grid sweep")) {
        const struct count sweep = count_grid("sweep");
        CHECK_INT(sweep.layout[LAYOUT_DISPLACED], 5 * 4096);
        CHECK(sweep.all_sweep);
    }
    if (check_case("grids jerasure and gf")) {
        /* codes of packets times their sizes, plus codes of words; times operations, times
           modes */
        CHECK_INT(count_grid("jerasure").layout[LAYOUT_DISPLACED], (7 * 4 + 3) * 3 * 2);
        CHECK_INT(count_grid("gf").layout[LAYOUT_DISPLACED], (5 * 2 + 3) * 2);
    }
}

/* --------------------------------------------------------------- matrices -- */

/* A matrix must be printed as it was read, and lengths must become whole units. */
static void test_matrices(void)
{
    static const struct {
        const char *word;
        int len;
    } rows[] = {{"vand", 65001},
                {"reed_sol_r6_op/16", 65000},
                {"cauchy_good/8/2304", 4 * 8 * 2304},
                {"liberation/7/2304", 4 * 7 * 2304},
                {"blaum_roth/30/1048576", 30 << 20}};
    const struct operation *op = operation_find("jerasure_encode", strlen("jerasure_encode"));
    if (!check_case("matrices as text") || !CHECK(op != NULL))
        return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct shape shape = {.operation = op, .len = 65001};
        struct list list;
        char text[MATRIX_TEXT];
        if (!CHECK(list_read(&list, rows[i].word, read_matrix) && list.count == 1))
            continue;
        shape.matrix = *(struct matrix *)list.items;
        free(list.items);
        matrix_print(&shape.matrix, text);
        CHECK(strcmp(text, rows[i].word) == 0);
        operation_fix_shape(&shape);
        CHECK_INT(shape.len, rows[i].len);
    }
}

/* ---------------------------------------------------------------- layouts -- */

static const struct place {
    enum layout layout;
    size_t offset, distance;
} places[] = {
    {LAYOUT_DISPLACED, 0, 4096 + 1792}, {LAYOUT_CONTIGUOUS, 0, 2 * 4096},
    {LAYOUT_ALIGNED, 0, 3 * 4096},      {LAYOUT_OFF1, 1, 4096 + 1792},
    {LAYOUT_OFF16, 16, 4096 + 1792},
};

/* Shards of 5000 bytes in this order: data, then parity, then the next stripe. */
static void test_layout(const struct place *place)
{
    const struct placement displaced = {.displace = BUFFERS_DISPLACE, .cold_set = 1 << 16};
    const struct shape shape = {.operation = operation_find("encode", 6),
                                .k = 3,
                                .m = 2,
                                .len = 5000,
                                .mode = WALK_COLD,
                                .layout = place->layout};
    struct arena arena = {0};
    struct workload work;
    if (!check_case("layout %s", layout_names[place->layout]))
        return;
    CHECK(workloads_open(&work, &shape, 1, &displaced, &arena));
    CHECK_INT((long)work.walk.stripes, 2);
    const uint8_t *at = work.sources[0];
    CHECK_INT((long)((uintptr_t)at % BUFFERS_PAGE), (long)place->offset);
    for (size_t s = 0; s < 2; s++)
        for (size_t i = 0; i < 5; i++, at += place->distance)
            CHECK((i < 3 ? work.sources[3 * s + i] : work.targets[2 * s + i - 3]) == at);
    CHECK(at <= arena.base + arena.size + place->offset);
    workloads_close(&work, 1);
    arena_close(&arena);
}

int main(int argc, char **argv)
{
    check_start("test_shapes", argc, argv);
    test_grids();
    test_matrices();
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        test_layout(&places[i]);
    return check_finish();
}
