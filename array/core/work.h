/* SPDX-License-Identifier: BSD-3-Clause */
/* What is done with rows: reads and writes, rebuilds, and scrubs. */
#ifndef PXA_CORE_WORK_H
#define PXA_CORE_WORK_H

#include "commit.h"

/* ----------------------------------------------------------------- row.c -- */

struct row {
    unsigned row;               /* of the stripe */
    bool blank;                 /* nothing was ever written to it, or not since a trim */
    bool trimmed;               /* and there was a trim */
    pxa_mask whole, partial;    /* blocks of data that are written, or `whole`: that are read */
    pxa_mask known, bad, asked; /* bad: what was read is no good */
    pxa_mask cached;            /* of the known ones those that were on the way */
    bool all;                   /* all blocks that are there are read */
    bool settled;               /* the bad ones have been compared with what the others give */
    bool torn;                  /* its blocks contradict each other */
    pxa_mask rebuild;
    enum pxa_method method;
    struct page *page[PXA_MAX_MEMBERS];  /* by block: its contents */
    struct page *fresh[PXA_MAX_MEMBERS]; /* by block of data: its new contents */
};

enum part_kind { PART_READ, PART_WRITE, PART_TRIM, PART_SYNC, PART_SCRUB };

/* What is done at once: some rows of a stripe. */
struct part {
    struct task task;
    enum part_kind kind;
    struct core_op *op;
    int status;
    struct claim claim;
    unsigned pages_wanted;
    uint64_t stripe;
    pxa_mask lost; /* blocks of the stripe's rows whose member does not have them */
    struct pxa_row where;
    struct sums *sums;
    unsigned sync_role, sync_serial, sync_block;
    bool repair; /* of a scrub */
    uint64_t rows_left;
    unsigned count;
    struct row *row;
    struct iovec *piece; /* one for each block of each row */
    bool apart;          /* blocks are read one by one: a run has failed */
    struct part *next;
};

uint64_t block_on_member(const struct core *core, uint64_t stripe, unsigned row);
uint64_t block_at(const struct core *core, uint64_t block); /* where it is on a member */
uint64_t page_block(const struct core *core, const struct page *page); /* of a record */
void part_locate(const struct core *core, struct part *part);
/* The task waits until the part has all pages that its rows may need. */
void rows_want_pages(struct core *core, struct part *part);
void rows_get_pages(struct core *core, struct part *part);
void rows_free(struct core *core, struct part *part);
/* Takes what is on the way to its place. */
void rows_take_cached(struct core *core, struct part *part);
/* Begins the reads that rows still need.  Returns whether there are any.  Rows of which too
   little is left set part->status. */
bool rows_ask(struct core *core, struct part *part);
void rows_take(struct core *core, struct part *part); /* looks at what has been read */
/* Begins all reads that still are needed.  Returns whether there are any to wait for. */
bool rows_ask_on(struct core *core, struct part *part);
/* Takes and asks in turn, until no row needs anything more. */
bool rows_read_on(struct core *core, struct part *part);
int rows_rebuild(struct core *core, struct part *part);
/* Gives back all that the part holds. */
void part_release(struct core *core, struct part *part);

/* -------------------------------------------------------------- clean.c -- */

/* The blocks of a row that a part may take from the cache.  A member that is not there, or
   whose block is bad, is not asked there, either. */
pxa_mask row_clean(const struct core *core, const struct part *part, const struct row *row);
/* Takes those of them that a plan has to know.  Returns false if some of them were wrong: they
   are gone, so there has to be another plan. */
bool row_take_clean(struct core *core, const struct part *part, struct row *row, pxa_mask clean,
                    const struct pxa_plan *plan);
void row_count_misses(struct core *core, const struct part *part, const struct row *row);
/* Leaves in the cache what is clean of a part's pages. */
void rows_keep(struct core *core, struct part *part);

/* ------------------------------------------------------------- settle.c -- */

/* Compares bad blocks with what the others give.  Returns whether rows have to be asked for
   again. */
bool rows_settle(struct core *core, struct part *part);
/* Whether k - 1 known blocks and this one, whose page is filled, give what the checksums of bad
   ones say, so that it belongs to them. */
bool row_fits(const struct core *core, const struct part *part, const struct row *row,
              unsigned block);

/* ------------------------------------------------------------ defects.c -- */

/* A read of one block has failed; the member fails if there are too many such blocks. */
void defect_note(struct core *core, const struct io *io, uint64_t block);
/* The block was written. */
void defect_heal(struct core *core, unsigned role, uint64_t block);

/* ------------------------------------------------------------- direct.c -- */

/* Finds out whether a row is blank, so that it is zeros whatever is in place. */
void row_look(const struct core *core, const struct part *part, struct row *row);
/* What the checksums of such a row should be. */
uint32_t blank_sum(const struct row *row);
/* Makes zeros of what memory has of a row. */
void row_clear(const struct core *core, struct row *row);
/* Takes the zeros of a blank row. */
void blank_take(struct core *core, const struct part *part, struct row *row);
/* The blocks that a write of a blank row leaves, and of which the place is not known yet. */
pxa_mask blank_unchecked(const struct core *core, const struct part *part,
                         const struct row *row);
/* It could not be read.  It is zeros also if its member leaves before it is asked again. */
void blank_clear(struct row *row, unsigned block);
/* Looks at the place of such a block.  What is no zeros, or unsure, is written, too. */
void blank_check(struct row *row, unsigned block, bool unsure);
/* Whether a row may go directly into place. */
bool row_is_direct(const struct core *core, const struct part *part, const struct row *row);
/* A record is committed and in place. */
void rows_note(const struct core *core, const struct page *page);
/* Whether the log still needs what is in the places of an epoch's records. */
bool direct_blocks(const struct core *core, const struct epoch *epoch);

/* -------------------------------------------------------------- encode.c -- */

/* Which bytes of a block an operation covers. */
struct cut {
    uint32_t begin, end;
    uint64_t from; /* the offset in the caller's buffer of the byte at `begin` */
};

struct cut cut_of(const struct core *core, const struct part *part, unsigned row,
                  unsigned block);
/* Computes the new blocks of a row, and adds them to the open epoch. */
int row_encode(struct core *core, struct part *part, struct row *row);
void row_log(struct core *core, struct part *part, struct row *row);

/* ------------------------------------------------------------------ op.c -- */

struct parts {
    struct part *all, *free;
    struct row *rows;
    struct iovec *pieces;
    unsigned total, batch;
    struct core_op *first, *last; /* operations of which not all parts have begun */
};

int parts_make(struct core *core);
void parts_destroy(struct core *core);
struct part *part_get(struct core *core);
void part_put(struct core *core, struct part *part);
bool ops_drive(struct core *core);
void op_finish(struct core_op *op, int status);
/* pages.c: grants pages to those who wait. */
void pool_serve(struct core *core);

/* --------------------------------------------------------------- steps.c -- */

bool read_step(struct core *core, struct task *task);
bool write_step(struct core *core, struct task *task);
bool trim_step(struct core *core, struct task *task);
/* op.c: the part is done, in vain if the array has died. */
void part_finish(struct core *core, struct part *part);

/* ---------------------------------------------------------------- sync.c -- */

struct sync {
    bool running, finishing;
    unsigned role, serial;        /* which member */
    uint64_t next, cursor, saved; /* the next stripe to begin; those below cursor are done */
    unsigned under_way;
    struct task finisher;
    uint64_t ticket;         /* of the superblocks that say that it is in sync */
    struct task_queue order; /* parts that are done before those below them */
    uint64_t lost_rows;      /* of which too little was left */
};

bool sync_drive(struct core *core);
/* Whether the member that is being rebuilt still is the one with which that began. */
bool sync_is_live(const struct core *core);

/* ---------------------------------------------------------------- pace.c -- */

struct pace {
    struct core_limits limits;
    bool known;            /* the caller has said what time it is */
    uint64_t now, changed; /* and when the window was set last */
    int64_t credit;        /* what may be worked on now, in millionths of a byte */
    int64_t behind;        /* what the least rate still asks for, in the same unit */
    unsigned window;
    unsigned seen, slow; /* operations that were answered since the window was set */
};

/* Whether one part more may begin, of a rebuild or a scrub that has so many. */
bool pace_allows(const struct core *core, unsigned under_way);
/* A part has begun that works on so many bytes of each member. */
void pace_take(struct core *core, uint64_t bytes);
void pace_answered(struct core *core, const struct core_op *op);

/* --------------------------------------------------------------- scrub.c -- */

struct scrub {
    bool running, repair;
    bool whole;                 /* the last one has looked at everything */
    uint64_t stripe, rows_left; /* what is looked at next */
    unsigned under_way;
    struct task *waiter; /* waits until nothing is under way */
    uint64_t rows, bad, parity, repaired, lost;
};

bool scrub_drive(struct core *core);
/* A read has found something wrong in these rows: they are repaired, if there is room for it.
 */
void scrub_rows(struct core *core, const struct part *read);
/* The blocks that are still to be read of a row; when there are none, row->rebuild is set. */
pxa_mask scrub_ask(const struct core *core, const struct part *part, struct row *row);

#endif
