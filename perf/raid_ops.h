/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * raid_ops.h - what raid_perf can time, one row of a table per operation.
 *
 * A call works on one row of pointers: by default the shards of a stripe, which are the
 * data blocks that the call reads and then its parity blocks.
 */
#ifndef PERF_RAID_OPS_H
#define PERF_RAID_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "library.h"
#include "permxor.h"
#include "walk.h"

struct raid_subject;

/* One call; what it returns is compared, too. */
typedef size_t raid_run(const struct raid_subject *subject, u8 **row);

enum raid_data {
    DATA_ALL,    /* n blocks */
    DATA_SOME,   /* `count` of them, or every second one */
    DATA_CHANGE, /* one, as it was and as it is to be */
    DATA_ONE,    /* a buffer: there are no disks */
    DATA_PAIR    /* two of them */
};

/* What the blocks have to hold for a call to do all its work. */
enum raid_stage {
    STAGE_ANY,
    STAGE_PARITY, /* the parity of the data */
    STAGE_WRONG,  /* the same, but every byte of the first block has changed */
    STAGE_ZERO,
    STAGE_EQUAL
};

enum raid_place { PLACE_FRONT, PLACE_MIDDLE, PLACE_END };

/* What a recovery has lost; data blocks 0 and n/2. */
enum raid_lost { LOST_X = 1, LOST_Y = 2, LOST_P = 4, LOST_Q = 8, WITHOUT_P = 16 };

/* In place of a count: half of the disks, or one in two of them. */
enum { COUNT_HALF = 1000, COUNT_SECOND };

struct raid_op {
    const char *name, *what;
    enum raid_data data;
    unsigned parities; /* blocks behind the data: P, or P and Q */
    enum raid_stage stage;
    bool writes; /* the parities */
    bool adds;   /* to what they hold */
    enum raid_place place;
    unsigned count; /* of DATA_SOME */
    unsigned lost;
    raid_run *run;
    bool decodes;        /* by the general path: rows of struct raid_subject's second kind */
    const char *against; /* the operation that is its baseline, or NULL */
    bool same;           /* that one does the same work: the results are to be equal */
};

/* ISA-L's functions, found in a library under the operation's name. */
extern const struct raid_op raid_peers[];
extern const size_t raid_peer_count;

/* Those of permxor.h, and baselines for them. */
extern const struct raid_op raid_own[];
extern const size_t raid_own_count;

/* The operation of that name (need not be terminated), or NULL. */
const struct raid_op *raid_op_find(const struct raid_op *ops, size_t count, const char *name,
                                   size_t length);

/* Whether the number of disks matters. */
bool raid_op_has_disks(const struct raid_op *op);

/* Data blocks among the shards of a stripe. */
unsigned raid_op_data(const struct raid_op *op, unsigned n);

/* The disks that a change is of: the first of them, and how many up to the last. */
unsigned raid_op_span(const struct raid_op *op, unsigned n);
unsigned raid_op_first(const struct raid_op *op, unsigned n);

/* Bytes of source data that a call works off. */
size_t raid_op_bytes(const struct raid_op *op, unsigned n, size_t len);

/* Whether n disks are enough, and not too many: NULL, or what is wrong. */
const char *raid_op_refuses(const struct raid_op *op, unsigned n);

#endif
