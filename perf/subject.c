/* SPDX-License-Identifier: BSD-3-Clause */
/* A library made ready for a workload, and the comparison of several. */
#include "operations.h"

#include <stdlib.h>
#include <string.h>

/* What a library may lack when another one has it: how matrices come about. */
static struct functions completed(const struct functions *own, const struct functions *others)
{
    struct functions all = *own;
    if (all.gen_rs_matrix == NULL)
        all.gen_rs_matrix = others->gen_rs_matrix;
    if (all.gen_cauchy1_matrix == NULL)
        all.gen_cauchy1_matrix = others->gen_cauchy1_matrix;
    if (all.invert_matrix == NULL)
        all.invert_matrix = others->invert_matrix;
    if (all.mul_init == NULL)
        all.mul_init = others->mul_init;
    return all;
}

static bool basics_present(const struct functions *setup)
{
    return setup->gen_rs_matrix != NULL && setup->gen_cauchy1_matrix != NULL &&
           setup->invert_matrix != NULL && setup->mul_init != NULL &&
           setup->init_tables != NULL;
}

void subject_open(struct subject *subject, const struct entry *entry,
                  const struct subject *reference, struct workload *work)
{
    size_t k = (size_t)work->shape.k, m = (size_t)work->shape.m;
    *subject = (struct subject){
        .entry = entry,
        .work = work,
        .generator = malloc((k + m) * k),
        .rows = malloc(m * k),
        /* ISA-L's own examples keep their tables on cache lines, too. */
        .tables = aligned_alloc(64, (32 * m * k + 63) / 64 * 64),
        .consumed = malloc(k * k),
    };
    library_functions(&entry->library, entry_suffix(entry, work->shape.suffix), &subject->call);
    subject->setup = completed(&subject->call, &reference->call);
    if (subject->generator == NULL || subject->rows == NULL || subject->tables == NULL ||
        subject->consumed == NULL)
        subject->refused = out_of_memory;
    else if (!basics_present(&subject->setup))
        subject->refused = "lacks functions of the interface";
    else
        subject->refused = entry_refuses(entry, work->shape.suffix);
    if (subject->refused == NULL) {
        entry_select(entry);
        subject->refused = work->shape.operation->prepare(subject);
    }
}

void subject_close(struct subject *subject)
{
    free(subject->generator);
    free(subject->rows);
    free(subject->tables);
    free(subject->consumed);
    if (subject->code != NULL)
        subject->call.code_free(subject->code);
    *subject = (struct subject){0};
}

void subject_batch(void *context, size_t calls)
{
    struct subject *subject = context;
    entry_select(subject->entry);
    subject->work->shape.operation->batch(subject, calls);
}

static void produce(struct subject *subject)
{
    entry_select(subject->entry);
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

/* ------------------------------------------------------------------- walks -- */

/* Two calls, on the last stripe and around on the first: their targets, in `copy`. */
static void walk_around(struct subject *subject, u8 *copy)
{
    struct workload *work = subject->work;
    const size_t len = (size_t)work->shape.len, last = work->walk.stripes - 1;
    u8 **targets[] = {work->targets + last * work->outputs, work->targets};
    for (size_t i = 0; i < 2 * work->outputs; i++)
        memset(targets[i / work->outputs][i % work->outputs], 0xa5, len);
    work->walk.next = last;
    entry_select(subject->entry);
    work->shape.operation->batch(subject, 2);
    for (size_t i = 0; i < 2 * work->outputs; i++)
        memcpy(copy + i * len, targets[i / work->outputs][i % work->outputs], len);
}

/* Whether a batch in one call gives the bytes of as many calls; NULL, or why not. */
static const char *compare_walks(const struct subject *subject)
{
    const size_t bytes = 2 * subject->work->outputs * (size_t)subject->work->shape.len;
    struct subject singly = *subject, walking = *subject;
    if (subject->call.encode_walk == NULL && subject->call.update_walk == NULL)
        return NULL;
    u8 *copy = malloc(2 * bytes);
    if (copy == NULL)
        return out_of_memory;
    singly.call.encode_walk = NULL;
    singly.call.update_walk = NULL;
    walk_around(&singly, copy);
    walk_around(&walking, copy + bytes);
    const bool equal = memcmp(copy, copy + bytes, bytes) == 0;
    free(copy);
    return equal ? NULL : "its walks give other bytes than its calls";
}

/* Refuse a subject whose bytes are others.  Whether it has promised the right ones. */
static bool refuse_bytes(struct subject *subject, bool reference)
{
    const struct shape *shape = &subject->work->shape;
    const bool promised = shape->len >= shape->operation->least;
    subject->refused = !promised   ? "other bytes, at a length that ISA-L rules out"
                       : reference ? "wrong bytes"
                                   : "other bytes than the reference";
    return promised;
}

bool subjects_compare(struct subject *subjects, size_t count)
{
    const struct workload *work = subjects[0].work;
    bool all = true;
    u8 *copy = malloc(work->outputs * (size_t)work->shape.len);
    if (copy == NULL) {
        subjects[0].refused = out_of_memory;
        return true;
    }
    bool known = work->shape.operation->expect != NULL;
    if (known) {
        entry_select(subjects[0].entry);
        work->shape.operation->expect(&subjects[0]);
        save_targets(work, copy);
    }
    for (size_t i = 0; i < count && subjects[0].refused == NULL; i++) {
        if (subjects[i].refused != NULL)
            continue;
        poison_targets(work, i);
        produce(&subjects[i]);
        if (known && !targets_equal(work, copy) && refuse_bytes(&subjects[i], i == 0))
            all = false;
        if (!known)
            save_targets(work, copy);
        known = true;
        if (subjects[i].refused == NULL) {
            subjects[i].refused = compare_walks(&subjects[i]);
            all = all && subjects[i].refused == NULL;
        }
    }
    free(copy);
    return all;
}
