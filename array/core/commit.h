/* SPDX-License-Identifier: BSD-3-Clause */
/* The way of a write to its place: epochs, checkpoints, and superblocks. */
#ifndef PXA_CORE_COMMIT_H
#define PXA_CORE_COMMIT_H

#include "maps.h"

/* --------------------------------------------------------------- epoch.c -- */

/* Writes that go to the log together. */
struct epoch {
    uint64_t number;
    struct page *first, *last;        /* the records */
    unsigned count[PXA_MAX_MEMBERS];  /* by role */
    unsigned blocks[PXA_MAX_MEMBERS]; /* of these, those that go to the ring */
    pxa_mask members;                 /* that have a segment of it */
    struct task_queue plain, fua;     /* wait until it is written, or committed */
    uint64_t end[PXA_MAX_MEMBERS], chain[PXA_MAX_MEMBERS]; /* of the segments */
    uint8_t *header;                                       /* a block for each role */
    struct io io[PXA_MAX_MEMBERS];
    struct epoch *next;
};

struct epoch_list {
    struct epoch *first, *last;
    unsigned count;
};

struct epochs {
    struct epoch *all, *open, *writing;
    struct epoch_list free, written, committed;
    uint64_t last_written, last_committed, last_placed;
    unsigned most; /* blocks in a segment */
    struct task writer, committer, placer;
    bool committing, placing, commit_wanted;
    uint64_t commit_to;
    struct io io[PXA_MAX_MEMBERS];         /* of flushes */
    struct iovec *log_piece, *place_piece; /* of what is written to the log, and into place */
    struct task_queue room;                /* parts that wait for another epoch */
    struct task_queue placed;              /* wait until one more epoch is in place */
    struct core_op *flushes;               /* waiting; each for the epoch in `next` */
    uint64_t bare; /* entries without blocks in the ring, since a checkpoint */
};

enum { EPOCHS = 16 };

/* log.c: begins to write the open epoch, and log_written() takes it back. */
bool log_begin(struct core *core);
void log_written(struct core *core, struct epoch *epoch);
int epochs_make(struct core *core);
void epochs_destroy(struct core *core);
unsigned segment_most(uint64_t log_blocks);
uint64_t segment_place(const struct core *core, uint64_t at);
uint64_t log_at(const struct core *core, uint64_t block); /* where it is on a member */
/* Whether the open epoch, if there can be one, takes so many blocks for each member. */
bool epoch_has_room(struct core *core, unsigned rows);
void epoch_add(struct core *core, struct page *page);
void epochs_flush(struct core *core, struct core_op *op);
bool epochs_drive(struct core *core);
void epochs_abort(struct core *core); /* wakes all that wait, after the array has died */
uint64_t epochs_last_used(const struct core *core);

/* ---------------------------------------------------------- checkpoint.c -- */

/* So many structures of checksums are written at the same time. */
enum { CHECKPOINT_BATCH = CORE_SIZE(8, 2) };

struct checkpoint {
    struct task task;
    bool running, wanted, cursor_wanted, sums_wanted;
    uint64_t number;             /* of the running one, from 1 on */
    struct task_queue next, now; /* wait for one that begins later; for the running one */
    unsigned bucket;
    uint64_t page;
    struct sums *sums[CHECKPOINT_BATCH];
    unsigned batch;  /* how many of these are being written */
    uint8_t *buffer; /* a block for each of them and each member */
    struct io io[CHECKPOINT_BATCH][PXA_MAX_MEMBERS];
    uint64_t tail, start[PXA_MAX_MEMBERS], chain[PXA_MAX_MEMBERS], ticket;
    uint64_t cursor;
    unsigned cursor_serial; /* of the member that was being rebuilt */
};

/* The task waits for a whole checkpoint. */
void checkpoint_want(struct core *core, struct task *task);
bool checkpoint_drive(struct core *core);

/* -------------------------------------------------------------- config.c -- */

/* What the superblocks say about the log and the rebuild. */
struct log_ends {
    uint64_t tail, start[PXA_MAX_MEMBERS], chain[PXA_MAX_MEMBERS], cursor, ticket;
};

struct config {
    struct task task;
    bool running, wanted;
    uint64_t durable_events, durable_sequence; /* of the superblocks that all members have */
    uint64_t newest_page; /* the highest sequence of a page that was read */
    struct task_queue waiters;
    uint8_t *buffer;
    struct io io[PXA_MAX_MEMBERS];
    uint64_t events;               /* that this round writes */
    struct log_ends next, writing; /* the next round's, and this one's */
    uint64_t served;               /* the ticket of the last round that is durable */
};

/* Asks for superblocks with what config.next has now.  They are durable when `served` is at
   least the number that is returned; config_wait() waits for the end of a round. */
uint64_t config_request(struct core *core);

/* The highest sequence of superblocks and of pages that were read.  The next superblocks get a
   higher one. */
uint64_t config_sequence(const struct core *core);
void config_saw_page(struct core *core, uint64_t sequence);

/* Whether the superblocks say what the core believes about its members. */
bool config_is_durable(const struct core *core);
void config_wait(struct core *core, struct task *task);
bool config_drive(struct core *core);
void member_fail(struct core *core, unsigned role);
/* Lets a member fail of which an operation has failed, if it still is the same. */
void member_failed(struct core *core, const struct io *io);
bool member_takes_io(const struct core *core, unsigned role);
bool member_is_current(const struct core *core, unsigned role); /* in sync or being rebuilt */
/* Whether a member has what belongs to a stripe: one that is being rebuilt has it below its
   cursor. */
bool member_has(const struct core *core, unsigned role, uint64_t stripe);
unsigned members_in_sync(const struct core *core);
pxa_mask members_current(const struct core *core);
bool member_can_go(const struct core *core, unsigned role); /* and the array goes on */

#endif
