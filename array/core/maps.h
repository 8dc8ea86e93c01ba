/* SPDX-License-Identifier: BSD-3-Clause */
/* What memory has of the tables on the members: checksums and the region map. */
#ifndef PXA_CORE_MAPS_H
#define PXA_CORE_MAPS_H

#include "disk.h"
#include "memory.h"

/* ---------------------------------------------------------------- sums.c -- */

/* Rows of the blocks of a structure of sums, of which the log has something.  When the tail has
   passed `epoch`, it has not any more. */
struct row_note {
    uint64_t epoch; /* the last one that has noted a row */
    uint64_t rows[(DISK_SUMS_ENTRIES + 63) / 64];
};

/* Checksums of DISK_SUMS_ENTRIES blocks of every member, at one place. */
struct sums {
    uint64_t index;
    struct sums *next; /* in the hash table */
    bool loaded;
    bool put_off; /* it is not loaded before sums_let_go() */
    unsigned pins;
    pxa_mask dirty;  /* roles whose page is newer than on disk */
    pxa_mask fresh;  /* roles whose member was replaced while it was loaded */
    pxa_mask unread; /* roles whose page could not be read, and that are still needed */
    pxa_mask again;  /* roles whose member has come back, and whose sums were read anew */
    uint64_t sequence[PXA_MAX_MEMBERS];
    uint8_t slot[PXA_MAX_MEMBERS]; /* where the newest page on disk is */
    uint64_t checkpoint;           /* the last one that has written pages of it */
    struct row_note direct;        /* that went directly into place */
    struct row_note trimmed;
    uint32_t *sum; /* by role */
    struct task_queue waiters;
    struct task loader;
    uint8_t *buffer; /* while it is loaded */
    struct io *io;
};

struct sums_table {
    struct sums *bucket[256];
    unsigned count;
    bool held; /* what is wanted now is loaded later */
};

/*
 * Pins the sums of a stripe; the task waits until they are loaded.  NULL: out of memory.  If
 * sums_are_whole() says no then, sums on disk could not be read, so that nothing may be
 * written.
 */
struct sums *sums_pin(struct core *core, uint64_t stripe, struct task *task);
void sums_unpin(struct sums *sums);
bool sums_are_whole(const struct sums *sums);
/* Why nothing may be written, or PXR_OK.  `sums` is what sums_pin() has returned. */
int sums_status(const struct sums *sums);
uint32_t sums_get(const struct sums *sums, unsigned role, uint64_t block);
/* Writes what a page has of a member: 4 bytes for each block. */
void sums_put(const struct sums *sums, unsigned role, uint8_t *out);
/* What the cache has of the block is dropped. */
void sums_set(struct core *core, struct sums *sums, unsigned role, uint64_t block,
              uint32_t sum);
/* A new member has this role, and all of its sums are DISK_ZEROS. */
void sums_forget(struct core *core, unsigned role);
/*
 * What memory has of the sums of a member that comes back does not count any more.  So that
 * they do not grow in number while they are read anew, no others are loaded before
 * sums_let_go().
 */
void sums_hold(struct core *core, unsigned role);
void sums_let_go(struct core *core);
/* A structure that does not have the sums of a member that has come back, or NULL. */
struct sums *sums_find_strange(struct core *core, unsigned role);
/* Reads the sums of such a member anew; the caller waits, and calls sums_take_again(). */
void sums_read_again(struct core *core, struct task *task, struct sums *sums, struct io io[2],
                     uint8_t *buffer, unsigned role);
void sums_take_again(struct core *core, struct sums *sums, const struct io io[2],
                     const uint8_t *buffer, unsigned role);
void sums_destroy(struct core *core);

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
    bool writing;    /* a page is on its way: it is not dirty any more, and not durable yet */
    uint64_t making; /* the region that it makes ready, or `count` if it makes none */
    uint8_t *page;
    struct io io[PXA_MAX_MEMBERS];
};

uint64_t region_of(const struct core *core, uint64_t stripe);
bool region_is_written(const struct core *core, uint64_t stripe);
/* Whether records of a stripe may go to the log. */
bool region_is_ready(const struct core *core, uint64_t stripe);
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
/* Where its former state is, or the next one will be. */
uint64_t region_other_page_at(const struct core *core, uint64_t page);

#endif
