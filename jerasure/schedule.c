/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes schedules from matrices of bits.
 *
 * When a row differs little from a row that is already computed, it is cheaper to start from
 * that row: a copy, and an xor for each bit that differs.  The smart schedule always makes the
 * row next that is the cheapest then, so it is greedy.  It has exactly the operations that
 * jerasure makes, because programs may print schedules or run them themselves.
 */
#include "schedule.h"

#include <stdlib.h>

#include "jerasure.h"

/* A schedule that grows. */
struct plan {
    int **operations;
    size_t count, room;
    bool failed; /* memory ran out */
    int w, to;
};

static void append(struct plan *plan, const int numbers[JER_NUMBERS])
{
    if (plan->count == plan->room) {
        const size_t room = plan->room ? 2 * plan->room : 64;
        int **const more = realloc(plan->operations, sizeof *more * room);
        if (!more) {
            plan->failed = true;
            return;
        }
        plan->operations = more;
        plan->room = room;
    }
    /* Each operation is allocated by itself, because callers free them one by one. */
    int *const operation = malloc(sizeof *operation * JER_NUMBERS);
    if (!operation) {
        plan->failed = true;
        return;
    }
    for (int i = 0; i < JER_NUMBERS; i++)
        operation[i] = numbers[i];
    plan->operations[plan->count++] = operation;
}

/* Adds packet `column` of the sources to the packet of row r, or copies it there. */
static void append_column(struct plan *plan, unsigned r, unsigned column, bool add)
{
    const int w = plan->w, x = (int)column, to = (int)r;
    append(plan, (int[JER_NUMBERS]){x / w, x % w, plan->to + to / w, to % w, add});
}

/* Appends the operations that make row r from the data alone. */
static void append_row(struct plan *plan, const struct pxr_bits *bits, unsigned r)
{
    bool add = false;
    for (unsigned column = 0; column < bits->columns; column++) {
        if (jer_bits_has(bits, r, column)) {
            append_column(plan, r, column, add);
            add = true;
        }
    }
}

/* Appends the operations that make row r from row `base`, which has been made before. */
static void append_difference(struct plan *plan, const struct pxr_bits *bits, unsigned r,
                              unsigned base)
{
    const int w = plan->w, from = (int)base, to = (int)r;
    append(plan,
           (int[JER_NUMBERS]){plan->to + from / w, from % w, plan->to + to / w, to % w, false});
    for (unsigned column = 0; column < bits->columns; column++)
        if (jer_bits_has(bits, r, column) != jer_bits_has(bits, base, column))
            append_column(plan, r, column, true);
}

/* ------------------------------------------------------------- smart ---- */

/* The cheapest known way to make a row. */
struct offer {
    unsigned cost; /* number of operations */
    int base;      /* the row from which it starts, or -1 */
    bool made;
};

static unsigned cheapest(const struct offer *offers, unsigned rows)
{
    unsigned best = rows;
    for (unsigned r = 0; r < rows; r++)
        if (!offers[r].made && (best == rows || offers[r].cost < offers[best].cost))
            best = r;
    return best;
}

static void append_smart(struct plan *plan, const struct pxr_bits *bits)
{
    struct offer *const offers = malloc(sizeof *offers * bits->rows);
    plan->failed = !offers;
    for (unsigned r = 0; offers && r < bits->rows; r++)
        offers[r] = (struct offer){jer_bits_ones(bits, r), -1, false};
    for (unsigned done = 0; offers && done < bits->rows; done++) {
        const unsigned r = cheapest(offers, bits->rows);
        offers[r].made = true;
        if (offers[r].base < 0)
            append_row(plan, bits, r);
        else
            append_difference(plan, bits, r, (unsigned)offers[r].base);
        for (unsigned other = 0; other < bits->rows; other++) {
            const unsigned cost = 1 + jer_bits_distance(bits, other, r);
            if (!offers[other].made && cost < offers[other].cost)
                offers[other] = (struct offer){cost, (int)r, false};
        }
    }
    free(offers);
}

/* ---------------------------------------------------------- schedules ---- */

int **jer_schedule_make(const struct pxr_bits *bits, int w, int to, bool smart)
{
    struct plan plan = {.w = w, .to = to};
    if (smart)
        append_smart(&plan, bits);
    else
        for (unsigned r = 0; r < bits->rows; r++)
            append_row(&plan, bits, r);
    append(&plan, (int[JER_NUMBERS]){-1, 0, 0, 0, 0});
    if (!plan.failed)
        return plan.operations;
    for (size_t i = 0; i < plan.count; i++)
        free(plan.operations[i]);
    free(plan.operations);
    return NULL;
}

static int **schedule_of(int k, int m, int w, const int *bitmatrix, bool smart)
{
    if (k < 1 || m < 1 || w < 1)
        return NULL;
    struct pxr_bits bits = jer_bits_of(bitmatrix, (unsigned)(m * w), (unsigned)(k * w));
    int **const schedule = bits.word ? jer_schedule_make(&bits, w, k, smart) : NULL;
    free(bits.word);
    return schedule;
}

int **jerasure_dumb_bitmatrix_to_schedule(int k, int m, int w, int *bitmatrix)
{
    return schedule_of(k, m, w, bitmatrix, false);
}

int **jerasure_smart_bitmatrix_to_schedule(int k, int m, int w, int *bitmatrix)
{
    return schedule_of(k, m, w, bitmatrix, true);
}

void jerasure_free_schedule(int **schedule)
{
    if (!schedule)
        return;
    int i = 0;
    while (schedule[i][JER_FROM] >= 0)
        free(schedule[i++]);
    free(schedule[i]);
    free(schedule);
}
