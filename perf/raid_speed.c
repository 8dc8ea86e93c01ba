/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The speed of every kernel set that runs here in one table: a row for each, a column
 * for each function, the best of a column marked.
 *
 * The sets of a column take turns, so that they can be compared with one another;
 * columns are measured one after the other.
 */
#include <stdio.h>
#include <string.h>

#include "raid_session.h"

#define SPEED_SECONDS 25.0 /* for all columns, however noisy */

static const struct {
    const char *head, *operation;
} columns[] = {
    {"gen P", "gen_p"},     {"gen PQ", "gen_pq"}, {"rec1", "rec_d"},
    {"rec1 Q", "rec_d_q"},  {"rec2", "rec_dd"},   {"check", "check"},
    {"compare", "compare"}, {"zero", "zero"},     {"adler", "adler"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

struct table {
    unsigned sets;
    const char *set[ENGINE_MAX_SUBJECTS];
    double rate[ENGINE_MAX_SUBJECTS][COLUMNS]; /* GB/s; 0: not timed */
};

static void find_sets(struct table *table)
{
    struct pxr_kernel_info row;
    for (unsigned i = 0; pxr_kernel_info(i, &row, sizeof row) == PXR_OK; i++)
        if (row.usable && table->sets < ENGINE_MAX_SUBJECTS)
            table->set[table->sets++] = row.name;
}

/* Within the seconds above, unless the command line says how long a column takes. */
static struct engine_options speed_engine(const struct setting *setting)
{
    struct engine_options engine = setting->engine;
    if (setting->timed)
        return engine;
    /* A noisy comparison may take three times as long. */
    engine.total_seconds = SPEED_SECONDS / (int)COLUMNS / 3;
    engine.bounded = true;
    return engine;
}

static void fill_column(struct raid_session *session, struct table *table, unsigned column,
                        const struct raid_shape *shape)
{
    const char *name = columns[column].operation;
    const struct raid_op *op = raid_op_find(raid_own, raid_own_count, name, strlen(name));
    const struct engine_options engine = speed_engine(&session->options.setting);
    struct raid_lineup lineup = {.variant = "", .count = table->sets, .judged = true};
    struct row row;
    struct engine_result result;
    for (unsigned i = 0; i < table->sets; i++)
        lineup.subject[i] =
            (struct raid_subject){.op = op, .name = table->set[i], .set = table->set[i]};
    const char *reason = raid_lineup_measure(session, &lineup, shape, &engine, &row, &result);
    if (reason != NULL) {
        report_refused(&session->report, &row, reason);
        return;
    }
    size_t timed = 0;
    for (unsigned i = 0; i < table->sets; i++)
        if (row.subject[i].refused == NULL)
            table->rate[i][column] = row_rate(&row.subject[i], &result.seconds[timed++]);
    report_missing(&session->report, &row);
    report_csv(&session->report, &row, &result);
}

static bool is_best(const struct table *table, unsigned set, unsigned column)
{
    for (unsigned i = 0; i < table->sets; i++)
        if (table->rate[i][column] > table->rate[set][column])
            return false;
    return true;
}

static void print_table(const struct table *table)
{
    printf("%-16s", "GB/s");
    for (unsigned c = 0; c < COLUMNS; c++)
        printf("%8s ", columns[c].head);
    printf("\n");
    for (unsigned i = 0; i < table->sets; i++) {
        printf("%-16s", table->set[i]);
        for (unsigned c = 0; c < COLUMNS; c++)
            if (table->rate[i][c] > 0)
                printf("%8.2f%c", table->rate[i][c], is_best(table, i, c) ? '*' : ' ');
            else
                printf("%8s ", "-");
        printf("\n");
    }
    printf("* the best of the column\n");
}

static void visit(struct raid_session *session, const struct raid_op *op,
                  const struct raid_shape *shape)
{
    struct table table = {.sets = 0};
    const char *refused = raid_op_refuses(op, shape->n);
    printf("\n%u disks, blocks of %d bytes, %s\n", shape->n, shape->len,
           mode_name(shape->mode));
    if (refused != NULL) {
        printf("not timed: %s\n", refused);
        return;
    }
    fflush(stdout);
    find_sets(&table);
    for (unsigned c = 0; c < COLUMNS; c++)
        fill_column(session, &table, c, shape);
    print_table(&table);
}

void raid_job_speed(struct raid_session *session)
{
    raid_each_shape(session, raid_op_find(raid_own, raid_own_count, "gen_pq", 6), visit);
}
