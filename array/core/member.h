/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the writing core needs of a member: a device that reads, writes and flushes.  The core
 * itself does no input or output.
 */
#ifndef PXA_CORE_MEMBER_H
#define PXA_CORE_MEMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* The unit of everything: of checksums, of input and output, and of the cache. */
#define CORE_BLOCK 4096u

/* The most pieces of a read or a write. */
#define CORE_PIECES 256

/* A size of a table, a queue or a batch.  With CORE_SMALL, which only the simulator's tests
   define, all of them are so small that short histories fill them.  Then members have another
   format. */
#ifdef CORE_SMALL
#define CORE_SIZE(usual, small) (small)
#else
#define CORE_SIZE(usual, small) (usual)
#endif

/* A member says with it that a call has ended.  error is 0, or a number of errno.h. */
typedef void core_io_done(void *token, int error);

/*
 * The functions of a member.
 *
 * Every offset and every length is a multiple of CORE_BLOCK, and no range ends behind size().
 * Each call begins an operation, and the member calls done(token, error) exactly once for it:
 * within the call, or later.  It calls it in the thread that turns the core.  done() only notes
 * the result, and it never begins another operation, so it may be called at any moment, also
 * within core_turn().  The operations of one member may overlap each other, may end in any
 * order, and may take effect in any order.  The core never has two operations under way at once
 * on overlapping ranges if one of them writes.
 *
 * A read or a write has one range of the member, and 1 to CORE_PIECES pieces of memory, each of
 * a length that is a multiple of CORE_BLOCK.  They lie in the range one behind the other.  The
 * vector and the pieces belong to the core.  They stay in place, and what a write has does not
 * change, until done() is called.  An error says that any of the pieces has failed.
 *
 * What a write has written may be in a volatile cache of the member when done() is called.  It
 * is durable when its `durable` flag was set and done() has said 0, or when a flush that began
 * after that done() has said 0.  The same holds for zero, which has no flag.  After a crash,
 * each write that was not durable may have taken effect in whole, in part (in sectors of 512
 * bytes, in any order), or not at all.  After an error, a write may have done the same.
 */
struct core_member_calls {
    /* Reads into the pieces. */
    void (*read)(void *self, uint64_t offset, const struct iovec *piece, unsigned count,
                 core_io_done *done, void *token);
    /* Writes the pieces.  When `durable` is set, these bytes alone are durable at its end. */
    void (*write)(void *self, uint64_t offset, const struct iovec *piece, unsigned count,
                  bool durable, core_io_done *done, void *token);
    /* Makes durable whatever has ended before this call. */
    void (*flush)(void *self, core_io_done *done, void *token);
    /* Makes len bytes read as zeros. */
    void (*zero)(void *self, uint64_t offset, uint64_t len, core_io_done *done, void *token);
    /* The size of the member in bytes, which does not change. */
    uint64_t (*size)(void *self);
};

/* A member.  calls == NULL stands for a member that is missing. */
struct core_member {
    const struct core_member_calls *calls;
    void *self; /* what the functions get */
};

#endif
