/* SPDX-License-Identifier: BSD-3-Clause */
/* A core over members in memory, and what it should hold: for the tests of the writing core. */
#ifndef PXR_UNIT_ARRAY_RIG_H
#define PXR_UNIT_ARRAY_RIG_H

#include "core/core.h"
#include "core/disk.h"

#include <stdbool.h>
#include <stdint.h>

enum { MEMBER_SIZE = 1 << 20, LARGE_MEMBER = 16 << 20 };

/* A member in memory.  Every operation ends within its call, or when the rig drains. */
struct store {
    uint8_t *bytes;
    bool later;
    bool broken; /* every operation fails */
    struct {
        core_io_done *done;
        void *token;
    } waiting[4096];
    unsigned waits;
    struct {
        core_io_done *done; /* NULL: nothing is held */
        void *token;
        uint64_t offset;
        const struct iovec *piece; /* what a write has; NULL: it is a read */
        unsigned count;
    } held;
    unsigned reads, writes;
    uint64_t data_at, data_end;
    uint64_t placed, elsewhere; /* bytes that were written to the data, and not to it */
    bool hold_read;             /* the next read is held until rig_release() */
    uint64_t watch_at;          /* a page with two slots; 0: nobody looks at them */
    bool hold_write;     /* the next write to them is held, and nothing of it is there before
                            rig_release() */
    unsigned unflushed;  /* bit i: slot i was written since the last flush */
    bool both_unflushed; /* that was so of both slots */
    unsigned zeroed;     /* ranges that were zeroed since the last flush */
    bool unreadable[LARGE_MEMBER / CORE_BLOCK]; /* by block, until it is written */
    bool cut_zero; /* the next long range is zeroed in part, and then it fails */
};

struct rig {
    struct store store[PXA_MAX_MEMBERS];
    struct core_member member[PXA_MAX_MEMBERS];
    unsigned width;
    uint64_t size; /* of each member; MEMBER_SIZE if rig_begin() finds a 0 */
    struct core *core;
    uint64_t capacity;
    uint8_t *model, *buffer; /* of `capacity` bytes: what the array holds, and for reads */
};

extern struct rig rig;

/* How a job or an operation ended. */
struct outcome {
    bool ended;
    int status;
};

/* The `done` of jobs, whose token is an outcome, and of operations, whose user is one. */
void rig_job_done(void *token, int status, const char *why);
void rig_op_done(struct core_op *op, int status);

struct core_shape rig_shape(unsigned k, unsigned m, uint32_t chunk);

/* Makes members, formats them, and assembles the array. */
void rig_begin(unsigned k, unsigned m, uint32_t chunk, bool later,
               const struct core_options *options);
void rig_end(void);
int rig_assemble(unsigned first, unsigned count);
int rig_stop(void); /* and frees the core */
/* The core is gone, and with it the operations that members hold. */
void rig_crash(void);
/* And then `count` members from `first` on are assembled again. */
void rig_crash_and_assemble(unsigned first, unsigned count);

/* Turns the core until nothing is under way any more. */
void rig_drain(void);
/* Ends the operation that a member holds.  A write takes effect if there is no error. */
void rig_release(struct store *store, int error);
int rig_run(enum core_kind kind, uint64_t offset, uint64_t len, void *bytes, bool fua);
/* Random bytes, durably. */
void rig_write(uint64_t offset, uint64_t len);
void rig_trim(uint64_t offset, uint64_t len, bool fua);
/* A member that has left comes back. */
void rig_readd(unsigned role);
/* Random operations; reads are checked. */
void rig_random_ops(unsigned count);
void rig_check_all(void);
/* Stops, assembles with `count` members from `first` on, and reads everything. */
void rig_reassemble(const struct core_options *options, unsigned first, unsigned count);
struct core_status rig_scrub(bool repair);

/* The newest superblock of a member. */
struct disk_super rig_super(unsigned role);
uint64_t rig_stripe_size(void); /* its data */
/* A copy of a member's pages of checksums, to be freed. */
uint8_t *rig_copy_sums(unsigned role);
/* Puts a copy of one page, or of all, back: the member has lost what was written since. */
void rig_bring_back_page(unsigned role, const uint8_t *copy, uint64_t page);
void rig_bring_back_sums(unsigned role, const uint8_t *copy);
/*
 * A crash may leave a page whose sequence is two above that of the superblocks, if these were
 * under way when the page was written.  Makes the first page of a member such a page.
 * Returns false if it was never written.
 */
bool rig_make_page_newer(unsigned role);
/* The roles of which one block is read alone for each of the first two blocks of data. */
void rig_find_readers(unsigned readers[2]);
uint64_t rig_below(uint64_t limit);

#endif
