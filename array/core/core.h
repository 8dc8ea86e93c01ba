/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The writing core of an array: a state machine that has no threads, does no input or output,
 * and knows no clock and no random numbers.  So a test that answers for the members decides
 * about everything that happens.  doc/array-core.md has the format on disk and the rules.
 *
 * How it is driven.  The caller submits operations and calls core_turn(), which does all that
 * can be done and returns when it waits for members.  When members have said that operations
 * have ended, the caller turns it again.  All calls for one core are made by one thread at a
 * time.  A `done` of the caller is called from core_turn(), and it may submit other operations.
 * The one exception: if there is no memory for a job, its `done` says PXR_ENOMEM before the
 * call that was to begin it returns.
 *
 *     core_create(&core, &options);
 *     core_format(core, &shape, members, n, finished, &result); turn until finished
 *     core_assemble(core, members, n, finished, &result);       turn until finished
 *     core_submit(core, &op);                                   turn until op.done
 *     core_stop(core, finished, &result);                       turn until finished
 *     core_free(core);
 *
 * A status is PXR_OK or another value of enum pxr_status or enum pxa_status.
 */
#ifndef PXA_CORE_H
#define PXA_CORE_H

#include "member.h"
#include "permxor_array.h"

struct core;

/* A job has ended.  `why` is "" if status is PXR_OK, else a sentence; it lives during the call.
 */
typedef void core_job_done(void *token, int status, const char *why);

/* ---------------------------------------------------------------- options -- */

/* What is no property of the array on disk.  0 stands for the default. */
struct core_options {
    unsigned shards; /* of the table of claims, 1 to 64; default 32 */
    /*
     * Pages of CORE_BLOCK bytes in the pool; default 4096.  They hold blocks from the moment a
     * row is claimed until they are in place.  core_assemble() refuses a pool that is smaller
     * than core_least_pages() says.
     */
    unsigned pages;
    /*
     * Pages beyond the pool; 0, which is the default: there is no cache.  If there is one, it
     * has these pages and those that the pool can spare at the moment.  It keeps blocks that
     * were read or written last.
     */
    unsigned cache;
    unsigned batch; /* the most rows that an operation claims at once, 1 to 64; default 8 */
    unsigned sync_window; /* stripes of a rebuild, or parts of a scrub, under way; default 32 */
    /*
     * A member fails when so many of its blocks could not be read, and were not written since;
     * at most 4096, default 16.  Blocks that a scrub repairs do not count.
     */
    unsigned error_limit;
    unsigned sum_pages; /* pages of checksums that memory keeps, of each member; default 1024 */
};

/* The most pages of the pool, and of the cache. */
#define CORE_MOST_PAGES (1u << 30)

/* The least pool for k + m members. */
unsigned core_least_pages(unsigned k, unsigned m);

/*
 * Makes a core without an array.  Returns PXR_OK, PXR_EINVAL or PXR_ENOMEM.  options may be
 * NULL.
 */
int core_create(struct core **core, const struct core_options *options);

/*
 * Frees a core, at any moment but within a `done` of the caller.  Operations that are under way
 * are never answered.  No member may call done() for an operation of this core any more.
 * Nothing is written: this is what a crash is, and core_stop() is the orderly way.
 */
void core_free(struct core *core);

/* -------------------------------------------------------------- formatting -- */

/* What an array is. */
struct core_shape {
    unsigned data, parity; /* k and m; k + m <= 64 */
    uint32_t chunk;        /* a power of two, 4096 to 262144 */
    uint64_t region;       /* the size of a region on a member, a multiple of chunk;
                              0: 64 MiB, doubled until there are at most 2^20 */
    uint64_t log;          /* the size of the ring on a member, at least 32 KiB, a
                              multiple of 4096; 0: 1 % of it, at most 256 MiB */
    uint8_t uuid[16];      /* of the array, not all zeros */
    uint8_t member_uuid[PXA_MAX_MEMBERS][16]; /* of the members, all different, not zeros */
    char name[32];                            /* ends with a 0 */
};

/*
 * Writes a new array on k + m members, none of which may be missing.  When done says PXR_OK,
 * all of it is durable.  The core has no array afterwards.  It is PXR_EINVAL when the shape is
 * impossible or a member too small, and PXA_EIO when a member failed.
 */
void core_format(struct core *core, const struct core_shape *shape,
                 const struct core_member *members, unsigned count, core_job_done *done,
                 void *token);

/* -------------------------------------------------------------- assembling -- */

/*
 * Finds the array on members, which may come in any order, and may be fewer than k + m.  It
 * decides which members are current, replays the log, and makes that durable.  When done says
 * PXR_OK, operations can be submitted.  Otherwise the core has no array, and `why` says why:
 *
 *   PXA_ENONE     no member has a superblock
 *   PXR_ETOOFEW   fewer than k members are current
 *   PXA_EREFUSED  two arrays, or two candidates for one array: members that were changed
 *                 without each other; or one member twice; or features that have to be known
 *                 before anything is written
 *   PXA_EDAMAGED  the log of a committed epoch is missing on more members than parity replaces,
 *                 or no member has a page of the region map
 *   PXA_EIO       too many members failed during it, or checksums could not be read of a member
 *                 that is needed
 *   PXR_EINVAL    the pool is too small, or more than 64 members
 *   PXR_ENOMEM    there is not enough memory
 *
 * A member whose superblocks are unreadable, or that is stale, is left out: it counts as
 * failed, and core_status() says so.  When a member is left out, that fact is durable on the
 * others before the log is replayed.
 */
void core_assemble(struct core *core, const struct core_member *members, unsigned count,
                   core_job_done *done, void *token);

/* -------------------------------------------------------------- operations -- */

enum core_kind {
    CORE_READ,
    CORE_WRITE,
    CORE_ZERO, /* writes zeros; there is no buffer */
    CORE_TRIM, /* whole rows become zeros, and are forgotten; other bytes stay as they are */
    CORE_FLUSH /* there is no offset, length or buffer */
};

/*
 * An operation.  The caller fills in the first part, and keeps the structure and the buffer
 * until done() is called.  Bytes and lengths need no alignment.  A range that ends behind the
 * capacity is PXR_EINVAL, and a length of 0 is allowed.
 *
 * done() says PXR_OK, or PXA_EIO: too much is lost; after a write the bytes of its range are
 * then old or new in each block.
 *
 * A row is a block of each of the k chunks of data of a stripe, at the same offset in all of
 * them.  A trim is a write of zeros to the rows that its range covers as a whole.
 *
 * Promises.  A read returns what the writes that were answered before its submission have
 * written; of a write that is under way at the same time, each block is old or new.  When a
 * write, zero or trim with `fua` is answered with PXR_OK, its bytes survive a crash.  When a
 * flush is answered with PXR_OK, so do the bytes of all writes that were answered before the
 * submission of the flush.  Of any other write each block of 4096 bytes of the array's
 * addresses is old or new after a crash.  All this holds while, failed and lost members
 * together, no more than m are missing.  "Old" is any content that the block has had since the
 * last such promise about it. Writes that overlap and are under way together take effect in any
 * order; one that was submitted after the other's answer comes after it, also across a crash.
 */
struct core_op {
    enum core_kind kind;
    bool fua;
    uint64_t offset;
    uint64_t len;
    void *buffer; /* of a write it is only read */
    void (*done)(struct core_op *op, int status);
    void *user; /* the caller's */

    /* The core's. */
    int status;
    unsigned parts;     /* not finished yet */
    bool submitted_all; /* all parts have been made */
    uint64_t next;      /* the stripe of the next part */
    uint64_t rows_left; /* of this stripe */
    uint64_t began;     /* when, by core_now(); UINT64_MAX if that is not known */
    struct core_op *link;
};

void core_submit(struct core *core, struct core_op *op);

/*
 * Does all that can be done now.  Returns whether something is still under way, so that the
 * caller must wait for members.  Writes that were answered without fua are nothing under way:
 * they wait for a flush, core_commit(), or shortage of pages or log.
 */
bool core_turn(struct core *core);

/*
 * Makes the answered writes durable and puts them in place, as a driver does once a second.
 * There is no answer.
 */
void core_commit(struct core *core);

/*
 * Commits everything, puts it in place and empties the log; later operations are PXR_EINVAL.
 * The caller submits it when no operation is under way.
 */
void core_stop(struct core *core, core_job_done *done, void *token);

/* ----------------------------------------------------------------- members -- */

/*
 * Takes a member out of the array, as an error of a write does.  Before any write without the
 * member is answered, that fact is durable on the others.  It is PXR_EINVAL when the member is
 * not part of the array any more, and PXR_ETOOFEW when the array cannot do without it.
 */
int core_fail(struct core *core, unsigned role);

/*
 * Puts a member in the place of one that has failed, and rebuilds it.  done is called when the
 * member takes part: PXR_OK, PXR_EINVAL (the role has not failed, the member is too small,
 * the uuid is another member's), or PXA_EIO.  The rebuild then goes on by itself, also after a
 * crash, from where it was; core_status() has its progress.  The member may be the one that was
 * there before, with its old uuid.
 */
void core_replace(struct core *core, unsigned role, struct core_member member,
                  const uint8_t uuid[16], core_job_done *done, void *token);

/*
 * Takes a member back that has failed, or was missing, with what it has.  Only regions are
 * rebuilt that were written to since it left, or shortly before.  done is called when it takes
 * part: PXR_OK; PXR_EINVAL (the role has not failed, or the member is not the one that left it,
 * or was being rebuilt then: core_replace() takes it); PXA_EREFUSED (it was changed without the
 * others, or has features that are not known); PXA_ENONE (it has no superblock); or PXA_EIO.
 */
void core_readd(struct core *core, unsigned role, struct core_member member,
                core_job_done *done, void *token);

/* ------------------------------------------------------------------- scrub -- */

/*
 * Reads all blocks that were ever written, and compares them with their checksums, and parity
 * with the data.  With `repair`, what is wrong is computed from the rest, and written through
 * the log.  What it finds is in core_status().  done says PXR_OK when all is looked at, and
 * repairs are in place; PXR_EINVAL if a scrub is under way, there is no array, or it is being
 * stopped.
 */
void core_scrub(struct core *core, bool repair, core_job_done *done, void *token);

/* -------------------------------------------------------------------- pace -- */

/* How fast rebuilds and scrubs go.  All 0, as in a new core: as fast as they can. */
struct core_limits {
    /* Bytes of each member that they work on in a second, at most 2^40.  `most` 0: no limit.
       While they are slower than `least`, the latency does not count. */
    uint64_t least, most;
    /* In microseconds: when reads and writes of the caller take longer, fewer stripes are
       worked on at a time, down to one.  0: no goal. */
    uint64_t latency;
};

/* Sets the limits.  They need core_now().  PXR_EINVAL: a rate is too high, or `least` is above
   `most`. */
int core_limit(struct core *core, const struct core_limits *limits);

/* The caller says what time it is, in microseconds since any moment, before it turns the core.
   A time before the last one is taken for the last one. */
void core_now(struct core *core, uint64_t time);

/* When the core has to be turned again although nothing is under way, since a rebuild or a
   scrub may go on then; UINT64_MAX if none waits for that. */
uint64_t core_wake_at(const struct core *core);

/* ------------------------------------------------------------------ status -- */

enum core_member_state {
    CORE_ABSENT = 0, /* there is no such role */
    CORE_IN_SYNC = 1,
    CORE_REBUILDING = 2,
    CORE_FAILED = 3
};

struct core_status {
    bool assembled;
    bool
        dead; /* more than m members have failed since core_assemble(): everything is PXA_EIO */
    unsigned data, parity;
    uint32_t chunk;
    uint64_t capacity; /* in bytes */
    uint64_t events;
    uint64_t stripes;                              /* how many there are */
    enum core_member_state state[PXA_MAX_MEMBERS]; /* in sync: durably */
    uint64_t rebuilt[PXA_MAX_MEMBERS];     /* stripes; of members that are being rebuilt */
    uint64_t read_errors[PXA_MAX_MEMBERS]; /* since core_assemble() */
    uint64_t bad_sums[PXA_MAX_MEMBERS];    /* blocks that did not match their checksums */
    uint64_t lost_rows; /* that rebuilds could not restore, since core_assemble() */
    /* Of scrubs, and of reads that found something wrong, since core_assemble(). */
    bool scrubbing;
    uint64_t scrubbed;       /* stripes; of the scrub that is under way, or the last one */
    uint64_t scrub_rows;     /* rows that were looked at */
    uint64_t scrub_bad;      /* blocks that could not be read, or have a wrong checksum */
    uint64_t scrub_parity;   /* blocks of parity that do not fit, though their checksums do */
    uint64_t scrub_repaired; /* blocks that were written */
    uint64_t scrub_lost;     /* rows of which too little is left, or that could not be read */
    uint64_t epoch, committed,
        tail;          /* the open one, the last durable one, the first to replay */
    uint64_t replayed; /* epochs that core_assemble() replayed */
    uint64_t dropped;  /* epochs that it found incomplete, or behind such a one */
    unsigned pages_free, pages_least_free;
    unsigned page_waiters, claim_waiters;
    unsigned cache, cached; /* pages: of the cache, beyond the pool; and in it, now */
    /* Blocks that reads and writes found in the cache, and those that they had to read from
       members because it did not have them. */
    uint64_t cache_hits, cache_misses;
    uint64_t claims, contended; /* how many claims there were, and how many had to wait */
    unsigned sync_window; /* parts of a rebuild or a scrub that the latency allows at once */
};

void core_status(const struct core *core, struct core_status *status);

/* What the functions of the member in a role get, or NULL if no member takes part there. */
void *core_device(const struct core *core, unsigned role);

/* The uuid of the member in a role, or NULL if no member takes part there. */
const uint8_t *core_uuid(const struct core *core, unsigned role);

/*
 * Says whether anything was ever written to the region of the array that has an address below
 * the capacity, and sets *end to the address where that region ends.  Otherwise the region is
 * zeros.
 */
bool core_is_written(const struct core *core, uint64_t offset, uint64_t *end);

/*
 * For tests: looks for what must never be, such as a free row that has a waiter, or pages that
 * nobody holds.  Returns NULL, or a sentence.  It may be called whenever core_turn() has
 * returned.
 */
const char *core_check(const struct core *core);

#endif
