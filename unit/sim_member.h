/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A simulated disk with a volatile cache, as array/core/member.h describes a member.
 *
 * A request waits until the test chooses it.  Then it takes effect and is answered.  Each piece
 * of a read or a write is a request of its own, so the pieces take effect in any order, and a
 * crash or a fault hits some of them; the core is answered when all of them are.  A write
 * goes into the cache, where reads see it.  It becomes durable at a flush.  At a crash, each
 * write that is not durable, whether it was answered or not, takes effect as a whole, in part,
 * or not at all.
 *
 * The disk also judges the core: it counts as wrong a request that is not aligned or not inside
 * the disk, two requests on one range of which one writes, and a buffer that changes before the
 * answer.
 */
#ifndef PXR_UNIT_SIM_MEMBER_H
#define PXR_UNIT_SIM_MEMBER_H

#include "corrupt_random.h"
#include "core/member.h"
#include "sim_image.h"
#include "sim_tally.h"

enum sim_kind { SIM_READ, SIM_WRITE, SIM_ZERO, SIM_FLUSH, SIM_KINDS };

/* The pieces of one read or write of the core. */
struct sim_pieces {
    unsigned left; /* that have not been answered */
    int error;
    core_io_done *done;
    void *token;
};

struct sim_request {
    enum sim_kind kind;
    bool durable;
    uint64_t offset, len;
    void *buffer;        /* of a read */
    const void *source;  /* of a write */
    uint8_t *bytes;      /* of a write: a copy of the source; NULL for zeros */
    uint64_t flushes_to; /* of a flush: the writes that ended before it are below this number */
    uint64_t ended;      /* of a write in the cache: its number */
    core_io_done *done;
    void *token;
    struct sim_pieces *pieces; /* if it is one of several */
};

struct sim_requests {
    unsigned count, room;
    struct sim_request *request;
};

/* What goes wrong.  A counter of 1 hits the next request of its kind, and 0 none. */
struct sim_faults {
    unsigned error[SIM_KINDS]; /* EIO; a write may take effect in part all the same */
    unsigned lose;             /* a write is answered and never takes effect */
    unsigned misdirect;        /* a write takes effect at another place */
    uint64_t again;            /* the next read there fails; 0: none */
    bool dead;                 /* every request fails */
};

struct sim_member {
    struct sim_image stable;     /* what is durable */
    struct sim_image view;       /* what reads return */
    struct sim_requests waiting; /* in the order of their submission */
    struct sim_requests cached;  /* writes that were answered and are not durable */
    uint64_t ended;              /* how many writes were answered */
    uint64_t writes;             /* how many writes, zeros and flushes were answered */
    bool at_once;                /* requests are answered within the call */
    bool lied;                   /* a write was lost or misdirected */
    struct sim_faults faults;
    struct dice *dice;
    struct sim_tally *tally;
};

extern const struct core_member_calls sim_calls;

/* Makes a disk with this content, which it takes over. */
void sim_member_make(struct sim_member *member, struct sim_image content, struct dice *dice,
                     struct sim_tally *tally);
void sim_member_free(struct sim_member *member);

/* Answers a waiting request.  Returns whether it was not a read. */
bool sim_member_answer(struct sim_member *member, unsigned which);

/* Changes a bit in the stable content and in the cache. */
void sim_member_flip(struct sim_member *member, uint64_t offset, unsigned bit);

/* -------------------------------------------------------------- crashes -- */

/* How a write that is not durable ends in a crash. */
enum sim_fate { SIM_NOT, SIM_WHOLE, SIM_PREFIX, SIM_SECTORS, SIM_FATES };

/* How many writes the crash decides about. */
unsigned sim_member_undecided(const struct sim_member *member);

/* Returns the fate of undecided write `number` of a member. */
typedef enum sim_fate sim_choose(void *context, unsigned number);

/* Returns what the disk holds after a crash now.  The disk itself stays as it is. */
struct sim_image sim_member_crash(const struct sim_member *member, sim_choose *choose,
                                  void *context, struct dice *dice);

/*
 * Makes a disk with what another one has after the process has crashed, but not the machine:
 * the cache is still there.  Of the writes that were not answered, some have reached it.
 */
void sim_member_kill(const struct sim_member *member, struct sim_member *rest,
                     struct dice *dice);

#endif
