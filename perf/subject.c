/* SPDX-License-Identifier: BSD-3-Clause */
/* A library made ready for a workload, and the comparison of several. */
#include "operations.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jerasure_code.h"

/* ---------------------------------------------------------------- opening -- */

/* Fills in functions that a library may lack when another one has them: those that make
   matrices. */
static struct functions completed(const struct functions *own, const struct functions *others)
{
    struct functions all = *own;
#define COMPLETE(name) all.name = all.name != NULL ? all.name : others->name;
    MATRIX_FUNCTIONS(COMPLETE)
    return all;
}

static bool basics_present(const struct functions *setup)
{
#define PRESENT(name) setup->name != NULL &&
    return MATRIX_FUNCTIONS(PRESENT) setup->ec_init_tables != NULL;
}

static bool has_function(const struct subject *subject, const char *name)
{
    void (*found)(void);
    library_lookup(&subject->entry->library, name, subject->entry->suffix, &found);
    return found != NULL;
}

/* The reason that rules a subject out before it has prepared anything, or NULL. */
static const char *objection(const struct subject *subject)
{
    const struct workload *work = subject->work;
    const struct operation *op = work->shape.operation;
    if (subject->generator == NULL || subject->rows == NULL || subject->tables == NULL ||
        subject->consumed == NULL)
        return out_of_memory;
    if (op->group == GROUP_CODING && !basics_present(&subject->setup))
        return "lacks functions of the interface";
    if (op->function != NULL && !has_function(subject, op->function))
        return op->lacks;
    if (op->aligned && (uintptr_t)work->walk.first % 32 != 0)
        return "the original takes shards on 32-byte boundaries only";
    if (op->whole && work->shape.len % 32 != 0)
        return "the original takes multiples of 32 bytes only";
    return NULL;
}

void subject_open(struct subject *subject, const struct entry *entry,
                  const struct subject *reference, struct workload *work)
{
    const struct operation *op = work->shape.operation;
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
    library_functions(&entry->library, entry->suffix, &subject->call);
    subject->setup = completed(&subject->call, &reference->call);
    subject->refused = objection(subject);
    if (subject->refused == NULL && op->prepare != NULL) {
        entry_select(entry);
        subject->refused = op->prepare(subject);
    }
}

void subject_close(struct subject *subject)
{
    free(subject->generator);
    free(subject->rows);
    free(subject->tables);
    free(subject->consumed);
    if (subject->plan != NULL)
        subject->call.pxr_plan_free(subject->plan);
    if (subject->code != NULL)
        subject->call.pxr_code_free(subject->code);
    if (subject->hash != NULL)
        subject->call.pxr_hash_free(subject->hash);
    if (subject->leopard != 0)
        subject->call.leopard_close(subject->leopard);
    jerasure_close(subject->jerasure);
    gf_field_close(subject->field);
    *subject = (struct subject){0};
}

void subject_batch(void *context, size_t calls)
{
    struct subject *subject = context;
    entry_select(subject->entry);
    subject->work->shape.operation->batch(subject, calls);
}

/* ---------------------------------------------------------------- results -- */

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
 * Where a call adds to its targets, they hold the same bytes for each subject.  Otherwise each
 * subject finds them filled with another byte, so that two subjects that write nothing at all
 * do not agree.
 */
static void reset_targets(const struct workload *work, size_t turn)
{
    const struct operation *op = work->shape.operation;
    for (size_t r = 0; r < work->outputs; r++)
        if (op->adds && op->produce == NULL)
            workload_fill_target(work, r);
        else
            memset(work->targets[r], (int)(0xa5 + turn), (size_t)work->shape.len);
}

static void produce(struct subject *subject, size_t turn)
{
    const struct operation *op = subject->work->shape.operation;
    reset_targets(subject->work, turn);
    entry_select(subject->entry);
    if (op->produce != NULL) {
        op->produce(subject);
        return;
    }
    subject->work->walk.next = 0;
    op->batch(subject, 1);
}

/* ------------------------------------------------------------------- walks -- */

/* Do two calls, on the last stripe and, after it, on the first, and put their targets in
   `copy`. */
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

/* Checks that a batch in one call gives the same bytes as single calls.  Returns NULL, or the
   reason why not. */
static const char *compare_walks(const struct subject *subject)
{
    const size_t bytes = 2 * subject->work->outputs * (size_t)subject->work->shape.len;
    struct subject singly = *subject, walking = *subject;
    if (subject->call.ec_encode_data_walk == NULL &&
        subject->call.ec_encode_data_update_walk == NULL)
        return NULL;
    u8 *copy = malloc(2 * bytes);
    if (copy == NULL)
        return out_of_memory;
    singly.call.ec_encode_data_walk = NULL;
    singly.call.ec_encode_data_update_walk = NULL;
    walk_around(&singly, copy);
    walk_around(&walking, copy + bytes);
    const bool equal = memcmp(copy, copy + bytes, bytes) == 0;
    free(copy);
    return equal ? NULL : "its walks give other bytes than its calls";
}

/* ------------------------------------------------------------- comparison -- */

/* What all subjects must give.  Where nothing else tells it, it is not known until the first
   subject has given its result. */
struct expected {
    bool known;
    size_t value;
    u8 *bytes;
};

/*
 * An operation that judges bytes is tried on right ones, and then with a byte changed in the
 * first shard: in the beginning, in the middle and at the end.
 */
enum { TRIALS = 4 };

static void change_a_byte(const struct workload *work, unsigned trial)
{
    const size_t len = (size_t)work->shape.len, at[TRIALS] = {0, 0, len / 2, len - 1};
    if (trial > 0)
        walk_shard(&work->walk, 0, 0)[at[trial]] ^= 0x21;
}

/* The result as far as it is known in another way than by the reference's own call. */
static struct expected foresee(struct subject *reference, unsigned trial, u8 *room)
{
    const struct workload *work = reference->work;
    const struct operation *op = work->shape.operation;
    struct expected e = {.known = op->judges || op->writes == WRITES_LOST, .bytes = room};
    if (op->judges)
        e.value = trial > 0 || op->holds == HOLDS_WRONG;
    if (op->expect != NULL) {
        entry_select(reference->entry);
        op->expect(reference);
        e.known = true;
    }
    save_targets(work, e.bytes);
    return e;
}

/* Refuse a subject whose results are wrong.  Returns whether it had promised right ones. */
static bool refuse_results(struct subject *subject, bool reference)
{
    const struct shape *shape = &subject->work->shape;
    const bool promised = shape->len >= shape->operation->least;
    subject->refused = !promised ? "other bytes, at a length that ISA-L rules out"
                       : shape->operation->judges ? "a wrong verdict"
                       : reference                ? "wrong bytes"
                                                  : "other bytes than the reference";
    return promised;
}

/* Returns whether every subject that has promised right results gives them. */
static bool compare_trial(struct subject *subjects, size_t count, unsigned trial, u8 *room)
{
    const struct workload *work = subjects[0].work;
    bool all = true;
    change_a_byte(work, trial);
    struct expected e = foresee(&subjects[0], trial, room);
    for (size_t i = 0; i < count; i++) {
        struct subject *s = &subjects[i];
        if (s->refused != NULL)
            continue;
        produce(s, i);
        if (!e.known) {
            e = (struct expected){.known = true, .value = s->value, .bytes = room};
            save_targets(work, room);
        } else if (s->value != e.value || !targets_equal(work, room)) {
            all = !refuse_results(s, i == 0) && all;
        }
    }
    change_a_byte(work, trial);
    return all;
}

bool subjects_compare(struct subject *subjects, size_t count)
{
    const struct workload *work = subjects[0].work;
    const unsigned trials = work->shape.operation->judges ? TRIALS : 1;
    bool all = true;
    u8 *room = malloc(work->outputs * (size_t)work->shape.len + 1);
    if (room == NULL) {
        subjects[0].refused = out_of_memory;
        return true;
    }
    for (unsigned trial = 0; trial < trials && subjects[0].refused == NULL; trial++)
        all = compare_trial(subjects, count, trial, room) && all;
    for (size_t i = 0; i < count && subjects[0].refused == NULL; i++)
        if (subjects[i].refused == NULL) {
            subjects[i].refused = compare_walks(&subjects[i]);
            all = all && subjects[i].refused == NULL;
        }
    free(room);
    return all;
}
