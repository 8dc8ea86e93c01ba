/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operations.h - what ec_perf can time, one row of a table per operation, and the subjects that
 * do it.
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
    const char *refused;        /* why it cannot be timed, or NULL */
    struct functions call;      /* to be timed: its own */
    union timed_function timed; /* of RAID, scans and code objects */
    struct functions setup;     /* those it lacks are the reference's */
    struct workload *work;
    u8 *generator;     /* (k+m) * k, identity on top */
    u8 *rows;          /* m * k coefficients that the tables are made from */
    u8 *tables;        /* 32 bytes for each of them */
    u8 *last_row;      /* the tables of the last row: general coefficients where m > 1 */
    u8 *consumed;      /* k * k, the copy that gf_invert_matrix destroys */
    pxr_code *code;    /* NULL where the operation or the library has none */
    pxr_plan *plan;    /* the same */
    uintptr_t leopard; /* a peer's Leopard code, or 0 */
    struct jerasure_code *jerasure; /* NULL where code objects do the work */
    struct gf_field *field;         /* of an operation on gf-complete's regions */
    size_t value;                   /* what the last call returned, where that is compared */
};

/* What operations are of; the names are those of operation_group_name(). */
enum group {
    GROUP_CODING,
    GROUP_RAID,     /* RAID and scans by ISA-L's names */
    GROUP_OWN,      /* the same of permxor_raid.h */
    GROUP_BASELINE, /* what operations are held against */
    GROUP_JERASURE, /* jerasure's codes, by permxor.h or by its calls */
    GROUP_GF,       /* regions in gf-complete's fields */
    GROUPS
};

/* In place of a number of parity shards: m of them. */
enum { PARITY_M = -1 };

/* In place of the number of disks that change: half of them, or one in two. */
enum { COUNT_HALF = 1000, COUNT_SECOND };

/* What has to be rebuilt: data blocks 0 and n/2, P, Q, or the first m data shards. */
enum lost { LOST_X = 1, LOST_Y = 2, LOST_P = 4, LOST_Q = 8, WITHOUT_P = 16, LOST_M = 32 };

struct operation {
    const char *name;
    const char *what; /* for the help */
    enum group group;
    const char *function; /* that is timed; NULL: `prepare` finds it */
    const char *lacks;    /* what is said where a library has none */

    /* The data shards of one call, the parity shards behind them, and which it writes. */
    enum { READS_K, READS_ONE, READS_TWO, READS_SOME } reads;
    int parity;
    enum { WRITES_PARITY, WRITES_NOTHING, WRITES_LOST } writes;
    unsigned lost; /* flags of enum lost */
    /* The pointers that it is given: to the data, to all shards, or to those that it has, NULL
       for the lost ones, and then to those that it wants, NULL for the others. */
    enum { ROW_DATA, ROW_ALL, ROW_HAVE_WANT } row;
    enum { CODE_K_M, CODE_N, CODE_DISKS, CODE_NONE } code; /* parameters that matter */

    bool sized;     /* works on shards: length and mode matter */
    bool generates; /* applies the generator's own rows */
    bool adds;      /* to what the targets hold */
    bool judges;    /* returns whether the bytes are as they ought to be */
    bool aligned;   /* ISA-L promises nothing off 32-byte boundaries */
    bool whole;     /* nor for lengths that are no multiple of 32 */
    int least;      /* length that ISA-L promises to do right */
    /* The disks of a partial change: where they lie among all, and of READS_SOME how many. */
    enum { PLACE_FRONT, PLACE_MIDDLE, PLACE_END } place;
    unsigned count;
    /* What the shards have to hold for a call to do all its work: the parity of the data, the
       same but for the first block's bytes, zeros in the first, the same in the first two. */
    enum { HOLDS_ANY, HOLDS_PARITY, HOLDS_WRONG, HOLDS_ZERO, HOLDS_EQUAL } holds;
    int field;           /* bits of the words of a region, or 0 */
    bool altmap;         /* how the words lie in it */
    const char *against; /* the operation that is its baseline, or NULL */
    engine_batch *batch;

    /* Codes, tables and inputs.  NULL, or the reason why the shape cannot be run. */
    const char *(*prepare)(struct subject *subject);
    /* Leave all results for stripe 0 in its targets; NULL: one call does. */
    void (*produce)(struct subject *subject);
    /* Leave there what the results must be, found on another way; NULL: no other way. */
    void (*expect)(struct subject *subject);
};

/* For a row: the function that a library needs. */
#define TIMES(name) .function = (name), .lacks = "no such variant of " name

/* The parts of the table; of all its rows number `number`, or NULL behind the last one. */
extern const struct operation coding_operations[], code_operations[], raid_operations[],
    gf_operations[];
extern const size_t coding_operation_count, code_operation_count, raid_operation_count,
    gf_operation_count;
const struct operation *operation_number(size_t number);

/* The operation with this name (need not be terminated), or NULL. */
const struct operation *operation_find(const char *name, size_t length);

const char *operation_group_name(enum group group);

/* Parameters that do not matter to an operation, or that it knows better, become its own, and
   the length a whole number of the matrix's units. */
void operation_fix_shape(struct shape *shape);

/* Why there is no such shape, or NULL. */
const char *operation_refuses(const struct shape *shape);

/* Data shards that one call reads, and parity shards behind them. */
size_t operation_data(const struct shape *shape);
size_t operation_parity(const struct shape *shape);

/* The disks that a change is of: the first of them, and how many up to the last. */
unsigned operation_first(const struct shape *shape);
unsigned operation_span(const struct shape *shape);

/* Bytes of source data that one call works off; 0 where that has no meaning. */
size_t operation_bytes(const struct shape *shape);

/* Rows of ones among the coefficients of one call: 1 where Vandermonde's first is.  Where
   that is the only row of the parity, it is also the last one, and the inverse's. */
int operation_has_ones_row(const struct shape *shape);

/* "10+4", "n=64", "8 disks" or "-". */
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
 * bytes and verdicts on stripe 0.  Those that do not are refused.
 */
bool subjects_compare(struct subject *subjects, size_t count);

#endif
