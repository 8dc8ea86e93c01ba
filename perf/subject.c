/* SPDX-License-Identifier: BSD-3-Clause */
/* A library made ready for a workload, and the comparison of several. */
#include "operations.h"

#include <stdlib.h>
#include <string.h>

static bool basics_present(const struct functions *call)
{
    return call->gen_rs_matrix != NULL && call->gen_cauchy1_matrix != NULL &&
           call->invert_matrix != NULL && call->init_tables != NULL;
}

const char *subject_open(struct subject *subject, const struct library *library,
                         struct workload *work)
{
    size_t k = (size_t)work->shape.k, m = (size_t)work->shape.m;
    *subject = (struct subject){
        .library = library,
        .work = work,
        .generator = malloc((k + m) * k),
        .rows = malloc(m * k),
        /* ISA-L's own examples keep their tables on cache lines, too. */
        .tables = aligned_alloc(64, (32 * m * k + 63) / 64 * 64),
        .consumed = malloc(k * k),
    };
    const char *reason;
    library_functions(library, work->shape.suffix, &subject->call);
    if (subject->generator == NULL || subject->rows == NULL || subject->tables == NULL ||
        subject->consumed == NULL)
        reason = "out of memory";
    else if (!basics_present(&subject->call))
        reason = "lacks functions of the interface";
    else
        reason = work->shape.operation->prepare(subject);
    if (reason != NULL)
        subject_close(subject);
    return reason;
}

void subject_close(struct subject *subject)
{
    free(subject->generator);
    free(subject->rows);
    free(subject->tables);
    free(subject->consumed);
    *subject = (struct subject){0};
}

static void produce(struct subject *subject)
{
    if (subject->work->shape.operation->produce != NULL) {
        subject->work->shape.operation->produce(subject);
        return;
    }
    subject->work->walk.next = 0;
    subject->work->shape.operation->batch(subject, 1);
}

static void save_targets(const struct workload *work, u8 *copy)
{
    size_t len = (size_t)work->shape.len;
    for (size_t r = 0; r < work->outputs; r++)
        memcpy(copy + r * len, work->targets[r], len);
}

static bool targets_equal(const struct workload *work, const u8 *copy)
{
    size_t len = (size_t)work->shape.len;
    for (size_t r = 0; r < work->outputs; r++)
        if (memcmp(copy + r * len, work->targets[r], len) != 0)
            return false;
    return true;
}

/*
 * Each subject finds the targets filled with another byte: where two of them
 * write nothing at all, they do not agree.
 */
static void poison_targets(const struct workload *work, size_t turn)
{
    for (size_t r = 0; r < work->outputs; r++)
        memset(work->targets[r], (int)(0xa5 + turn), (size_t)work->shape.len);
}

const char *subjects_compare(struct subject *subjects, size_t count)
{
    const struct workload *work = subjects[0].work;
    const char *reason = NULL;
    u8 *copy = malloc(work->outputs * (size_t)work->shape.len);
    if (copy == NULL)
        return "out of memory";
    bool known = work->shape.operation->expect != NULL;
    if (known) {
        work->shape.operation->expect(&subjects[0]);
        save_targets(work, copy);
    }
    for (size_t i = 0; i < count && reason == NULL; i++) {
        poison_targets(work, i);
        produce(&subjects[i]);
        if (known && !targets_equal(work, copy))
            reason = i == 0 ? "A gives wrong bytes" : "B gives other bytes than A";
        if (!known)
            save_targets(work, copy);
        known = true;
    }
    free(copy);
    return reason;
}
