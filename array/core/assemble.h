/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PXA_CORE_ASSEMBLE_H
#define PXA_CORE_ASSEMBLE_H

#include "candidates.h"
#include "internal.h"

/* A segment that was found whole. */
struct found {
    uint64_t epoch, position, previous, committed;
    pxa_mask members;
    unsigned role, count;
    unsigned blocks; /* that are in the ring */
    bool torn;       /* blocks that the segment has in place are not what it says */
};

/* A block that the log has in place, and that cannot be read. */
struct unread {
    uint64_t epoch, block;
    unsigned role;
};

struct replay {
    struct found *found;
    struct unread *unread;
    size_t unreads, unread_room;
    size_t count, room, at;
    bool no_memory;
    uint64_t last;    /* the last epoch to replay */
    uint64_t highest; /* the highest number that any segment has */
    uint64_t dropped; /* epochs behind `last` */
    bool gap;         /* a committed epoch cannot be replayed */
    uint8_t *scratch; /* a segment of the greatest length */
    struct io *io;    /* of the blocks in the ring, and then one for each entry */
    struct iovec *piece;
    unsigned ios;
    struct disk_segment segment;
};

void replay_add(struct replay *replay, const struct disk_segment *segment, bool torn);
void replay_add_unread(struct replay *replay, const struct unread *unread);
pxa_mask replay_decide(struct replay *replay, pxa_mask current, unsigned data, uint64_t tail,
                       uint64_t committed);
void replay_destroy(struct replay *replay);

struct assembly {
    struct job job;
    struct core_member devices[PXA_MAX_MEMBERS];
    struct candidate candidate[PXA_MAX_MEMBERS];
    struct chosen chosen;
    unsigned count;
    uint8_t *blocks; /* DISK_PLACES for each device */
    struct io io[DISK_PLACES * PXA_MAX_MEMBERS];
    uint64_t page;
    unsigned role; /* whose log is being looked at */
    uint64_t position, walked, last;
    struct replay replay;
    struct task child; /* the stage under way; it wakes the job's task */
    int status;        /* of that stage */
    unsigned entry;
    struct sums *sums;
    uint64_t ticket;
};

/* The stages, as tasks. */
bool scan_step(struct core *core, struct task *task);
bool map_step(struct core *core, struct task *task);
bool replay_step(struct core *core, struct task *task);

static inline struct assembly *assembly_of(struct task *child)
{
    return (struct assembly *)((char *)child - offsetof(struct assembly, child));
}

#endif
