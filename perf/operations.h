/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operations.h - what ec_perf can time, one row of a table per operation, and the subjects that
 * do it.
 *
 * A new operation needs one batch function and one row.
 */
#ifndef PERF_OPERATIONS_H
#define PERF_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "engine.h"
#include "lineup.h"
#include "workload.h"

/* One library at work on a workload.  It is the context of an operation's batches. */
struct subject {
    const struct entry *entry;
    const char *refused;    /* why it cannot be timed, or NULL */
    struct functions call;  /* the library's own functions, which are timed */
    struct functions setup; /* as `call`, but what is missing comes from the reference */
    struct workload *work;
    u8 *generator;     /* (k+m) * k, identity on top */
    u8 *rows;          /* m * k coefficients that the tables are made from */
    u8 *tables;        /* 32 bytes for each of them */
    u8 *last_row;      /* tables of the last row, whose coefficients are general where m > 1 */
    u8 *consumed;      /* k * k, the copy that gf_invert_matrix destroys */
    pxr_code *code;    /* NULL where the operation or the library has none */
    pxr_plan *plan;    /* NULL where the operation or the library has none */
    pxr_hash *hash;    /* of an operation that hashes, or NULL */
    uintptr_t leopard; /* a peer's Leopard code, or 0 */
    struct jerasure_code *jerasure; /* NULL where code objects do the work */
    struct gf_field *field;         /* of an operation on gf-complete's regions */
    size_t value;                   /* what the last call returned, for operations that compare
                                       it */
};

/* The groups of operations.  Their names are those of operation_group_name(). */
enum group {
    GROUP_CODING,
    GROUP_RAID,     /* RAID and scans through ISA-L's functions */
    GROUP_OWN,      /* RAID and scans through those of permxor_raid.h */
    GROUP_BASELINE, /* operations with which others are compared */
    GROUP_JERASURE, /* jerasure's codes, through permxor.h or through its own calls */
    GROUP_GF,       /* regions in gf-complete's fields */
    GROUP_HASH,     /* linear hashes, and checksums to compare them with */
    GROUPS
};

/* Stands for m parity shards where a number of them is expected. */
enum { PARITY_M = -1 };

/* Stand for half of the disks, or every second one, where the number of disks that change is
   expected. */
enum { COUNT_HALF = 1000, COUNT_SECOND };

/* What must be rebuilt: data block 0 (X) or n/2 (Y), P, Q, or the first m data shards (M).
   WITHOUT_P: P is missing, and is not rebuilt. */
enum lost { LOST_X = 1, LOST_Y = 2, LOST_P = 4, LOST_Q = 8, WITHOUT_P = 16, LOST_M = 32 };

struct operation {
    const char *name;
    const char *what; /* for the help */
    enum group group;
    const char *function; /* the function that is timed; NULL: `prepare` finds it */
    const char *lacks;    /* what is printed where a library has none */

    /* The data shards that one call reads, the parity shards behind them, and the shards that
       it writes. */
    enum { READS_K, READS_ONE, READS_TWO, READS_SOME } reads;
    int parity;
    enum { WRITES_PARITY, WRITES_NOTHING, WRITES_LOST } writes;
    unsigned lost; /* flags of enum lost */
    /* The pointers that a call is given.  ROW_DATA: to the data.  ROW_ALL: to all shards.
       ROW_HAVE_WANT: first to the shards that it has, with NULL for the lost ones, and then to
       those that it wants, with NULL for the others. */
    enum { ROW_DATA, ROW_ALL, ROW_HAVE_WANT } row;
    enum { CODE_K_M, CODE_N, CODE_DISKS, CODE_NONE } code; /* parameters that matter */

    bool sized;     /* works on shards: length and mode matter */
    bool generates; /* applies the generator's own rows */
    bool adds;      /* adds to what the targets hold */
    bool judges;    /* returns whether the bytes are as they ought to be */
    bool aligned;   /* ISA-L promises nothing off 32-byte boundaries */
    bool whole;     /* ISA-L promises nothing for lengths that are no multiple of 32 */
    int least;      /* shortest length that ISA-L promises to do right */
    /* The disks of a partial change: where they lie among all disks, and for READS_SOME how
       many there are.  Of a hash `count` is its size. */
    enum { PLACE_FRONT, PLACE_MIDDLE, PLACE_END } place;
    unsigned count;
    /* What the shards must hold so that a call does all its work.  HOLDS_PARITY: the parity of
       the data.  HOLDS_WRONG: the same with other bytes in the first block.  HOLDS_ZERO: zeros
       in the first shard.  HOLDS_EQUAL: the same bytes in the first two. */
    enum { HOLDS_ANY, HOLDS_PARITY, HOLDS_WRONG, HOLDS_ZERO, HOLDS_EQUAL } holds;
    int field;           /* bits of a region's words, or 0 */
    bool altmap;         /* the words lie in it in the alternate mapping */
    const char *against; /* the operation that is its baseline, or NULL */
    engine_batch *batch;

    /* Prepare codes, tables and inputs.  Returns NULL, or the reason why the shape cannot be
       run. */
    const char *(*prepare)(struct subject *subject);
    /* Leave all results for stripe 0 in its targets.  NULL: one call does that. */
    void (*produce)(struct subject *subject);
    /* Leave the expected results there, found in another way.  NULL: there is no other way. */
    void (*expect)(struct subject *subject);
};

/* --------------------------------------------- for the parts of the table -- */

/* A row of the table: its name, its text for the help, and further members of the structure. */
#define OPERATION(its_name, text, ...)                   \
    {                                                    \
        .name = (its_name), .what = (text), __VA_ARGS__, \
    }

/* For a row: the name of the function that a library needs. */
#define TIMES(name) .function = (name), .lacks = "no such variant of " name

/* For a row: calls on the shards of a code, on disks, and on buffers.  A call reads so many
   data shards, and behind them are so many parity shards. */
#define ON_CODE(data_shards, parity_shards) \
    .reads = (data_shards), .parity = (parity_shards), .code = CODE_K_M, .sized = true
#define ON_DISKS(data_shards, parity_shards) \
    .reads = (data_shards), .parity = (parity_shards), .code = CODE_DISKS, .sized = true
#define ON_BUFFERS(buffers) \
    .reads = (buffers), .writes = WRITES_NOTHING, .code = CODE_NONE, .sized = true

/*
 * Define the batch NAME, which does CALL `calls` times.  CALL may name the subject `s`, its
 * workload `w`, and the shape's `k`, `m` and `len`; the length is there as `size`, too.  For
 * the current stripe there are `row`, the pointers that a call is given, and `target`, the
 * pointers that it writes to.  The call stands in the loop itself: an indirect call around it
 * would take a measurable share of the time with short shards.
 */
#define BATCH(name, call)                                             \
    static void name(void *context, size_t calls)                     \
    {                                                                 \
        struct subject *const s = context;                            \
        struct workload *const w = s->work;                           \
        const int k = w->shape.k, m = w->shape.m, len = w->shape.len; \
        const size_t size = (size_t)len;                              \
        for (; calls > 0; calls--) {                                  \
            const size_t stripe = walk_step(&w->walk);                \
            u8 **const row = w->sources + stripe * w->inputs;         \
            u8 **const target = w->targets + stripe * w->outputs;     \
            (void)row, (void)target;                                  \
            call;                                                     \
        }                                                             \
        (void)k, (void)m, (void)len, (void)size;                      \
    }

/* Make the code object of the shape.  Returns NULL, or the reason why there is none. */
const char *make_code(struct subject *subject);

/* Times pxr_reconstruct(). */
engine_batch reconstruct_batch;

/* Free a subject's field of gf-complete.  NULL is allowed. */
void gf_field_close(struct gf_field *field);

/* --------------------------------------------------------- the whole table -- */

/* The parts of the table. operation_number() returns row `number` of all parts together, or
   NULL behind the last row. */
extern const struct operation coding_operations[], code_operations[], raid_operations[],
    gf_operations[], hash_operations[];
extern const size_t coding_operation_count, code_operation_count, raid_operation_count,
    gf_operation_count, hash_operation_count;
const struct operation *operation_number(size_t number);

/* The operation with this name, which need not be terminated, or NULL. */
const struct operation *operation_find(const char *name, size_t length);

const char *operation_group_name(enum group group);

/* Put the operation's own values in place of parameters that do not matter to it or that it
   fixes, and make the length a whole number of the matrix's units. */
void operation_fix_shape(struct shape *shape);

/* The reason why there is no such shape, or NULL. */
const char *operation_refuses(const struct shape *shape);

/* The number of data shards that one call reads, and of parity shards behind them. */
size_t operation_data(const struct shape *shape);
size_t operation_parity(const struct shape *shape);

/* The disks that a change concerns: the first of them, and the number of disks from the first
   to the last. */
unsigned operation_first(const struct shape *shape);
unsigned operation_span(const struct shape *shape);

/* Bytes of source data that one call processes; 0 where that has no meaning. */
size_t operation_bytes(const struct shape *shape);

/* The number of rows of ones among the coefficients of one call: 1 where the first row of a
   Vandermonde matrix is among them.  Where that is the only row of the parity, it is also the
   last row, and that of the inverse. */
int operation_has_ones_row(const struct shape *shape);

/* "10+4", "n=64", "8 disks" or "-". */
void operation_code(const struct shape *shape, char *text, size_t size);

/*
 * Make an entry ready for the workload.  `refused` says why where that is impossible.  Matrices
 * that the entry cannot generate or invert come from the reference, which is the subject itself
 * or was opened before.
 */
void subject_open(struct subject *subject, const struct entry *entry,
                  const struct subject *reference, struct workload *work);

void subject_close(struct subject *subject);

/* Do the operation `calls` times with the entry's kernel set.  It is an engine_batch. */
void subject_batch(void *subject, size_t calls);

/*
 * Returns whether all of subjects[0..count) that are not refused give the same, expected bytes
 * and verdicts on stripe 0.  Refuses those that do not.
 */
bool subjects_compare(struct subject *subjects, size_t count);

#endif
