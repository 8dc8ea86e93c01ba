/* SPDX-License-Identifier: BSD-3-Clause */
/* The core's own structures.  Each file's functions are declared under its name below. */
#ifndef PXA_CORE_INTERNAL_H
#define PXA_CORE_INTERNAL_H

#include "core.h"
#include "disk.h"
#include "mask.h"
#include "task.h"

/* ---------------------------------------------------------------- task.c -- */

/* An operation of a member that a task waits for. */
struct io {
    struct core *core;
    struct task *task;
    unsigned role, serial; /* which member it was */
    int error;             /* 0: it has succeeded */
};

void tasks_run(struct core *core);

/* The operation fails at once if the member takes none. */
void io_read(struct core *core, struct task *task, struct io *io, unsigned role,
             uint64_t offset, size_t len, void *buffer);
void io_write(struct core *core, struct task *task, struct io *io, unsigned role,
              uint64_t offset, size_t len, const void *buffer, bool durable);
void io_flush(struct core *core, struct task *task, struct io *io, unsigned role);
void io_zero(struct core *core, struct task *task, struct io *io, unsigned role,
             uint64_t offset, uint64_t len);

/* --------------------------------------------------------------- pages.c -- */

struct line;

/* A block in memory.  While it is a record of an epoch, it says where it belongs. */
struct page {
    uint8_t *bytes;
    struct page *next; /* in the list that holds it */
    struct io io;
    struct line *line;
    unsigned block;        /* of the row */
    unsigned role, serial; /* the member, and which one in this role */
    bool logged;           /* it is written to the member's log, and then to its place */
    bool direct; /* if so: only its checksum is in the log, for it is in its place already */
    uint32_t sum;
    uint64_t epoch; /* whose record it is */
};

struct pool {
    uint8_t *memory;
    struct page *pages, *free;
    unsigned total, available, least;
    struct task_queue waiters; /* in order; each wants `pages_wanted` of its part */
};

int pool_make(struct pool *pool, unsigned total);
void pool_destroy(struct pool *pool);
struct page *page_take(struct pool *pool); /* of those that the part has been granted */
void page_give(struct core *core, struct page *page);

/* -------------------------------------------------------------- claims.c -- */

/* Rows of a stripe that a part holds or waits for. */
struct claim {
    uint64_t stripe;
    uint64_t rows;
    bool exclusive, held;
    struct task *task;
    struct claim *next; /* in its shard, in the order of arrival */
};

/* One of the parts of the table of claims.  A claim touches one shard only. */
struct shard {
    struct claim *first;
    uint64_t claims, contended;
    unsigned waiting;
};

/* Takes rows for the running task, or makes it wait until it has them. */
void claim_take(struct core *core, struct claim *claim, struct task *task);
void claim_release(struct core *core, struct claim *claim);
const char *claims_check(const struct core *core);

/* ---------------------------------------------------------------- sums.c -- */

/* Checksums of DISK_SUMS_ENTRIES blocks of every member, at one place. */
struct sums {
    uint64_t index;
    struct sums *next; /* in the hash table */
    bool loaded;
    unsigned pins;
    pxa_mask dirty;  /* roles whose page is newer than on disk */
    pxa_mask fresh;  /* roles whose member was replaced while it was loaded */
    pxa_mask unread; /* roles whose page could not be read, and that are still needed */
    pxa_mask again;  /* roles whose member has come back, and whose sums were read anew */
    uint64_t sequence[PXA_MAX_MEMBERS];
    uint8_t slot[PXA_MAX_MEMBERS]; /* where the newest page on disk is */
    uint64_t checkpoint;           /* the last one that has written pages of it */
    uint64_t direct_epoch;         /* the last one that has put rows directly into place */
    uint64_t direct[DISK_SUMS_ENTRIES / 64]; /* such rows, since the tail passed others */
    uint32_t *sum;                           /* by role */
    struct task_queue waiters;
    struct task loader;
    uint8_t *buffer; /* while it is loaded */
    struct io *io;
};

struct sums_table {
    struct sums *bucket[256];
    unsigned count;
};

/*
 * Pins the sums of a stripe; the task waits until they are loaded.  NULL: out of memory.  If
 * sums_are_whole() says no then, sums on disk could not be read, so that nothing may be
 * written.
 */
struct sums *sums_pin(struct core *core, uint64_t stripe, struct task *task);
void sums_unpin(struct sums *sums);
bool sums_are_whole(const struct sums *sums);
uint32_t sums_get(const struct sums *sums, unsigned role, uint64_t block);
void sums_set(struct sums *sums, unsigned role, uint64_t block, uint32_t sum);
/* A new member has this role, and all of its sums are DISK_ZEROS. */
void sums_forget(struct core *core, unsigned role);
/* What memory has of the sums of a member that comes back does not count any more. */
void sums_make_strange(struct core *core, unsigned role);
/* A structure that does not have the sums of a member that has come back, or NULL. */
struct sums *sums_find_strange(struct core *core, unsigned role);
/* Reads the sums of such a member anew; the caller waits, and calls sums_take_again(). */
void sums_read_again(struct core *core, struct task *task, struct sums *sums, struct io io[2],
                     uint8_t *buffer, unsigned role);
void sums_take_again(struct core *core, struct sums *sums, const struct io io[2],
                     const uint8_t *buffer, unsigned role);
void sums_destroy(struct core *core);

/* ------------------------------------------------------------- direct.c -- */

struct part;
struct row;
struct epoch;

/* Whether nothing was ever written to a row, so that it is zeros whatever is in place. */
bool row_is_blank(const struct core *core, const struct part *part, unsigned row);
/* Takes the zeros of a blank row. */
void blank_take(struct core *core, const struct part *part, struct row *row);
/* The blocks that a write of a blank row leaves, and of which the place is not known yet. */
pxa_mask blank_unchecked(const struct core *core, const struct part *part,
                         const struct row *row);
/* Looks at the place of such a block.  What is no zeros is written, too. */
void blank_check(struct row *row, unsigned block, bool failed);
/* Whether a row may go directly into place. */
bool row_is_direct(const struct core *core, const struct part *part, const struct row *row);
/* A record that went directly into place is committed. */
void direct_note(const struct core *core, const struct page *page);
/* Whether the log still needs what is in the places of an epoch's records. */
bool direct_blocks(const struct core *core, const struct epoch *epoch);

/* -------------------------------------------------------------- region.c -- */

struct region_map {
    uint64_t count;
    uint64_t *generation; /* by region */
    uint64_t *touched;    /* by region: the last epoch that has a record there */
    uint64_t *sequence;   /* by page */
    bool *dirty;      /* by page: a generation has changed, and the members do not know yet */
    uint64_t version; /* grows with each page that is written */
    bool held;        /* no region may begin now */
    struct task_queue waiters;
    struct task task; /* makes a region ready */
    bool running;
    uint64_t wanted; /* the region that it makes ready */
    uint8_t *page;
    struct io io[PXA_MAX_MEMBERS];
};

uint64_t region_of(const struct core *core, uint64_t stripe);
bool region_is_written(const struct core *core, uint64_t stripe);
/* Whether a member that left then, or a blank one if 0, lacks what a stripe's region has. */
bool region_is_newer(const struct core *core, uint64_t stripe, uint64_t left);
/* A stripe is written to.  Members that are away will lack that. */
void region_touch(struct core *core, uint64_t stripe);
/* An epoch has a record of a stripe. */
void region_note(struct core *core, uint64_t stripe, uint64_t epoch);
/* A member has left.  It may lack whatever the log still has. */
void regions_lose(struct core *core);
/* Begins to write a page of the map; the caller waits, and calls region_page_written(). */
void region_page_write(struct core *core, struct task *task, uint64_t page);
void region_page_written(struct core *core);
/* The task waits; it asks again when it goes on. */
void region_want(struct core *core, uint64_t stripe, struct task *task);
void region_page_make(const struct core *core, uint64_t page, uint8_t *block);
uint64_t region_page_at(const struct core *core, uint64_t page);

/* ------------------------------------------------------------- overlay.c -- */

/* A row of which some blocks are newer in memory than in place. */
struct line {
    uint64_t stripe;
    unsigned row;
    unsigned records; /* of all epochs */
    struct line *next;
    struct sums *sums;
    struct page **newest; /* by block of the row */
};

struct overlay {
    struct line *lines, *free, **bucket;
    struct page **newest;
    unsigned buckets, used;
};

int overlay_make(struct overlay *overlay, unsigned lines, unsigned width);
void overlay_destroy(struct overlay *overlay);
struct line *overlay_find(const struct core *core, uint64_t stripe, unsigned row);
struct line *overlay_get(struct core *core, uint64_t stripe, unsigned row, struct sums *sums);
/* A record of the line has gone. */
void overlay_drop(struct core *core, struct page *page);

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
    struct io io[PXA_MAX_MEMBERS]; /* of flushes */
    struct task_queue room;        /* parts that wait for another epoch */
    struct task_queue placed;      /* wait until one more epoch is in place */
    struct core_op *flushes;       /* waiting; each for the epoch in `next` */
    uint64_t direct;               /* rows that went directly into place since a checkpoint */
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

struct checkpoint {
    struct task task;
    bool running, wanted, cursor_wanted, sums_wanted;
    uint64_t number;             /* of the running one, from 1 on */
    struct task_queue next, now; /* wait for one that begins later; for the running one */
    unsigned bucket;
    uint64_t page;
    struct sums *sums;
    uint8_t *buffer;
    struct io io[PXA_MAX_MEMBERS];
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
    uint64_t durable_events;
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

/* Whether the superblocks say what the core believes about its members. */
bool config_is_durable(const struct core *core);
void config_wait(struct core *core, struct task *task);
bool config_drive(struct core *core);
void member_fail(struct core *core, unsigned role);
/* Lets a member fail of which an operation has failed, if it still is the same. */
void member_failed(struct core *core, const struct io *io);
bool member_takes_io(const struct core *core, unsigned role);
bool member_is_current(const struct core *core, unsigned role); /* in sync or being rebuilt */
unsigned members_in_sync(const struct core *core);
pxa_mask members_current(const struct core *core);
bool member_can_go(const struct core *core, unsigned role); /* and the array goes on */

/* ----------------------------------------------------------------- row.c -- */

struct row {
    unsigned row;               /* of the stripe */
    bool blank;                 /* nothing was ever written to it */
    pxa_mask whole, partial;    /* blocks of data that are written, or `whole`: that are read */
    pxa_mask known, bad, asked; /* bad: what was read is no good */
    pxa_mask rebuild;
    enum pxa_method method;
    struct page *page[PXA_MAX_MEMBERS];  /* by block: its contents */
    struct page *fresh[PXA_MAX_MEMBERS]; /* by block of data: its new contents */
};

enum part_kind { PART_READ, PART_WRITE, PART_SYNC, PART_SCRUB };

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
    struct part *next;
};

uint64_t block_on_member(const struct core *core, uint64_t stripe, unsigned row);
void part_locate(const struct core *core, struct part *part);
/* The task waits until the part has all pages that its rows may need. */
void rows_want_pages(struct core *core, struct part *part);
void rows_get_pages(struct core *core, struct part *part);
void rows_free(struct core *core, struct part *part);
void rows_take_cached(struct core *core, struct part *part);
/* Begins the reads that rows still need.  Returns whether there are any.  Rows of which too
   little is left set part->status. */
bool rows_ask(struct core *core, struct part *part);
void rows_take(struct core *core, struct part *part); /* looks at what has been read */
int rows_rebuild(struct core *core, struct part *part);
/* Gives back all that the part holds. */
void part_release(struct core *core, struct part *part);

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
/* op.c: the part is done. */
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

/* --------------------------------------------------------------- scrub.c -- */

struct scrub {
    bool running, repair;
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

/* ------------------------------------------------------------- the whole -- */

struct member {
    struct core_member device;
    bool open;       /* it takes operations */
    unsigned serial; /* another one for each device that ever was in a role */
    unsigned under_way;
    uint64_t head, chain;          /* where the next segment goes */
    uint64_t placed, placed_chain; /* behind the last segment that is in place */
    uint64_t start;                /* where the log begins, by the superblocks */
    uint64_t read_errors, bad_sums;
    struct task *idle_waiter; /* waits until nothing is under way */
    struct task *adopter;     /* may use the device although it is not open */
};

/* A job of the caller: format, assemble, replace, stop. */
struct job {
    struct task task;
    core_job_done *done;
    void *token;
    struct pxr_error why;
    void (*destroy)(struct job *job); /* what it has allocated; may be NULL */
    struct job *next;
};

struct core {
    struct core_options options;
    struct task_queue ready;
    unsigned io_under_way;
    bool assembled, dead, stopping;
    struct disk_super super; /* the array; of what differs by member only the roles */
    struct pxa_geometry geometry;
    pxr_code *code;
    unsigned width;       /* n */
    unsigned stripe_rows; /* rows in a stripe */
    struct member member[PXA_MAX_MEMBERS];
    uint64_t tail; /* durable */
    struct pool pool;
    struct shard shards[64];
    struct overlay overlay;
    struct sums_table sums;
    struct region_map map;
    struct epochs epochs;
    struct checkpoint checkpoint;
    struct config config;
    struct parts parts;
    struct sync sync;
    struct scrub scrub;
    struct job *jobs;       /* under way */
    struct task_queue idle; /* wait until nothing at all is under way */
    uint64_t replayed, dropped;
    unsigned serials; /* how many have been given out */
};

/* ----------------------------------------------------------------- job.c -- */

/* Makes a job of `size` bytes, or says at once that there is no memory and returns NULL. */
void *job_make(struct core *core, size_t size, core_job_done *done, void *token);
void job_start(struct core *core, struct job *job, task_step *step);
/* The last thing of a step: answers, and frees the job.  Returns true. */
bool job_end(struct core *core, struct job *job, int status);
void jobs_destroy(struct core *core);

/* core.c: memory for an array whose superblock is known; and the reverse. */
int core_open_array(struct core *core, struct pxr_error *why);
void core_close_array(struct core *core);
uint64_t matrix_hash(const pxr_code *code, unsigned k, unsigned m);
int make_code(pxr_code **code, unsigned k, unsigned m);

#endif
