/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbouring blocks of a member as one operation. */
#include "config.h"

#include "internal.h"

static bool joins(const struct run *run, unsigned role, uint64_t offset)
{
    return run->count > 0 && run->count < CORE_PIECES && run->role == role &&
           run->offset + (uint64_t)run->count * CORE_BLOCK == offset;
}

void run_add(struct run *run, struct io *io, unsigned role, uint64_t offset, void *bytes)
{
    if (!joins(run, role, offset)) {
        run_end(run);
        run->role = role;
        run->offset = offset;
        run->first = io;
    } else {
        run->last->more = io;
    }
    io->more = NULL;
    run->last = io;
    run->piece[run->count++] = (struct iovec){bytes, CORE_BLOCK};
}

/* The first one is what the member is given; the others get its error. */
void run_end(struct run *run)
{
    struct io *first = run->first, *more;
    const struct iovec *piece = run->piece;
    const unsigned count = run->count;
    if (count == 0)
        return;
    run->piece += count;
    run->count = 0;
    more = first->more;
    const struct core_member *member = io_begin(run->core, run->task, first, run->role);
    first->more = more;
    first->shared = count > 1;
    for (struct io *io = more; io != NULL; io = more) {
        more = io->more;
        *io = *first;
        io->more = more;
    }
    if (member == NULL)
        return;
    if (run->writes)
        member->calls->write(member->self, run->offset, piece, count, false, io_done, first);
    else
        member->calls->read(member->self, run->offset, piece, count, io_done, first);
}
