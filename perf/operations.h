/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operations.h - what ec_perf can time, one row of a table per operation.
 *
 * A new operation is one batch function and one row.
 */
#ifndef PERF_OPERATIONS_H
#define PERF_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "engine.h"
#include "lineup.h"
#include "workload.h"

/* One library at work on a workload; the context of an operation's batches. */
struct subject {
    const struct entry *entry;
    const char *refused;    /* why it cannot be timed, or NULL */
    struct functions call;  /* to be timed: its own */
    struct functions setup; /* those it lacks are the reference's */
    struct workload *work;
    u8 *generator;  /* (k+m) * k, identity on top */
    u8 *rows;       /* m * k coefficients that the tables are made from */
    u8 *tables;     /* 32 bytes for each of them */
    u8 *consumed;   /* k * k, the copy that gf_invert_matrix destroys */
    pxr_code *code; /* NULL where the operation or the library has none */
};

struct operation {
    const char *name;
    const char *what;                          /* for the help */
    enum { READS_K, READS_ONE } reads;         /* sources of one call */
    enum { WRITES_M, WRITES_ONE } writes;      /* targets of one call */
    enum { CODE_K_M, CODE_N, CODE_NONE } code; /* parameters that matter */
    bool sized;                                /* works on shards: length and mode matter */
    bool generates;                            /* applies the generator's own rows */
    bool adds;                                 /* to what the targets hold */
    int least;                                 /* length that ISA-L promises to do right */
    engine_batch *batch;

    /* Rows, tables and inputs.  NULL, or the reason why the shape cannot be run. */
    const char *(*prepare)(struct subject *subject);
    /* Leave all results for stripe 0 in its targets; NULL: one call does. */
    void (*produce)(struct subject *subject);
    /* Leave there what the results must be, found on another way; NULL: no other way. */
    void (*expect)(struct subject *subject);
};

extern const struct operation operations[];
extern const size_t operation_count;

/* The operation with this name (need not be terminated), or NULL. */
const struct operation *operation_find(const char *name, size_t length);

/* Operations that do not work on shards have a length, a mode and a layout of their own. */
void operation_fix_shape(struct shape *shape);

/* Bytes of source data that one call works off; 0 where that has no meaning. */
size_t operation_bytes(const struct shape *shape);

/* Rows of ones among the coefficients of one call: 1 where Vandermonde's first is.  Where
   that is the only row of the parity, it is also the last one, and the inverse's. */
int operation_has_ones_row(const struct shape *shape);

/* "10+4", "n=64" or "-". */
void operation_code(const struct shape *shape, char *text, size_t size);

/*
 * Make an entry ready for the workload; `refused` says where it cannot be.  Matrices that
 * it cannot generate or invert it takes from the reference, which is itself or was opened
 * before.
 */
void subject_open(struct subject *subject, const struct entry *entry,
                  const struct subject *reference, struct workload *work);

void subject_close(struct subject *subject);

/* The operation `calls` times, with the entry's kernel set: an engine_batch. */
void subject_batch(void *subject, size_t calls);

/*
 * Whether all of subjects[0..count) that are not refused give the same, and the expected,
 * bytes on stripe 0.  Those that do not are refused.
 */
bool subjects_compare(struct subject *subjects, size_t count);

#endif
