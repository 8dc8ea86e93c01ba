/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations of members, pages, rows that are claimed, and blocks that are newer than in place.
 */
#ifndef PXA_CORE_MEMORY_H
#define PXA_CORE_MEMORY_H

#include "core.h"
#include "mask.h"
#include "task.h"

/* ---------------------------------------------------------------- task.c -- */

/* An operation of a member that a task waits for. */
struct io {
    struct core *core;
    struct task *task;
    unsigned role, serial; /* which member it was */
    int error;             /* 0: it has succeeded */
    bool shared;           /* others were a part of the same operation, and share its error */
    struct io *more;       /* the next one of these */
    struct iovec piece;    /* if it is alone */
};

void tasks_run(struct core *core);

/* Sets `io` up for an operation that io_done() will end, and returns the member.  If the member
   takes none, the operation has failed, and it returns NULL. */
const struct core_member *io_begin(struct core *core, struct task *task, struct io *io,
                                   unsigned role);
core_io_done io_done;

/* The operation fails at once if the member takes none. */
void io_read(struct core *core, struct task *task, struct io *io, unsigned role,
             uint64_t offset, size_t len, void *buffer);
void io_write(struct core *core, struct task *task, struct io *io, unsigned role,
              uint64_t offset, size_t len, void *buffer, bool durable);
void io_flush(struct core *core, struct task *task, struct io *io, unsigned role);
void io_zero(struct core *core, struct task *task, struct io *io, unsigned role,
             uint64_t offset, uint64_t len);

/* ----------------------------------------------------------------- run.c -- */

/*
 * Reads or writes of blocks that a task begins.  Those that are neighbours, one behind the
 * other on one member, become one operation of the member.  `piece` has room for all that is
 * added before run_end(), and it stays until the operations have ended.
 */
struct run {
    struct core *core;
    struct task *task;
    bool writes;
    struct iovec *piece; /* of what is gathered now */
    unsigned count;
    unsigned role;
    uint64_t offset;
    struct io *first, *last;
};

void run_add(struct run *run, struct io *io, unsigned role, uint64_t offset, void *bytes);
/* Begins what is gathered. */
void run_end(struct run *run);

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
    bool direct;  /* if so: only its checksum is in the log, for it is in its place already */
    bool trimmed; /* the row is: it is zeros, and nothing but DISK_TRIMMED is written of it */
    uint32_t sum;
    uint64_t epoch; /* whose record it is */
    /* In the cache: the block of the member, and the pages that were used after and before. */
    uint64_t place;
    struct page *newer, *older;
};

/* Pages that nobody has been granted are free, or in the cache.  There are more pages than may
   be granted, if there is a cache. */
struct pool {
    uint8_t *memory;
    struct page *pages, *free;
    unsigned total, available, least; /* that may be granted, still, and at the worst moment */
    struct task_queue waiters;        /* in order; each wants `pages_wanted` of its part */
};

int pool_make(struct pool *pool, unsigned total, unsigned more);
void pool_destroy(struct pool *pool);
struct page *page_take(struct core *core); /* of those that the part has been granted */
void page_give(struct core *core, struct page *page);
/* Frees a page in whose place another one was granted, or that was not granted. */
void page_free(struct pool *pool, struct page *page);

/* --------------------------------------------------------------- cache.c -- */

struct cache {
    struct page **bucket; /* NULL: there is no cache */
    uint64_t buckets;     /* a power of two, as many as pages at least */
    struct page *newest, *oldest;
    unsigned count;
    uint64_t hits, misses; /* blocks that were found here, or read from members */
};

/* For `more` pages beyond the pool, 0: no cache.  It may have all idle pages of the pool, too.
 */
int cache_make(struct cache *cache, unsigned pool, unsigned more);
void cache_destroy(struct cache *cache);
bool cache_is_on(const struct core *core);
/* Whether there is a page of a block of a member, right or not. */
bool cache_has(const struct core *core, unsigned role, uint64_t block);
/*
 * If the cache has a block and it matches the checksum of its place, the task gets the page in
 * exchange for its own one.  A page that does not match is dropped.
 */
bool cache_swap(struct core *core, unsigned role, uint64_t block, uint32_t sum,
                struct page **page);
/* Gives a page back like page_give(), but what it has is what is in place. */
void cache_give(struct core *core, struct page *page, unsigned role, uint64_t block);
/* The page of a place is out of date. */
void cache_drop(struct core *core, unsigned role, uint64_t block);
/* Takes out the page that was not used for the longest time.  The cache must not be empty. */
struct page *cache_evict(struct core *core);

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

#endif
