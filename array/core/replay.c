/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The log after a crash.  The segments of each member are followed from where its superblock
 * says that they begin.  Then epochs are replayed in order, up to the first of which a current
 * member lacks its segment: that one was not committed, so nothing of it was promised or went
 * into place, and neither did anything behind it.
 */
#include "config.h"

#include "assemble.h"

#include <stdlib.h>

static int by_epoch(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    return x->epoch < y->epoch ? -1 : x->epoch > y->epoch;
}

void replay_add(struct replay *replay, const struct disk_segment *segment, bool torn)
{
    if (replay->count == replay->room) {
        const size_t room = replay->room == 0 ? 64 : 2 * replay->room;
        struct found *more = realloc(replay->found, room * sizeof *more);
        if (more == NULL) {
            replay->no_memory = true;
            return;
        }
        replay->found = more;
        replay->room = room;
    }
    replay->found[replay->count++] = (struct found){.epoch = segment->epoch,
                                                    .position = segment->position,
                                                    .previous = segment->previous,
                                                    .committed = segment->committed,
                                                    .members = segment->members,
                                                    .role = segment->role,
                                                    .count = segment->count,
                                                    .blocks = disk_segment_blocks(segment),
                                                    .torn = torn};
}

void replay_add_unread(struct replay *replay, const struct unread *unread)
{
    if (replay->unreads == replay->unread_room) {
        const size_t room = 2 * replay->unread_room + 16;
        struct unread *more = realloc(replay->unread, room * sizeof *more);
        if (more == NULL) {
            replay->no_memory = true;
            return;
        }
        replay->unread = more;
        replay->unread_room = room;
    }
    replay->unread[replay->unreads++] = *unread;
}

/* Whether of each row that an epoch has in place so many blocks can be read that they give the
   rest.  A row has blocks of the same number on all members. */
static bool rows_are_left(const struct replay *replay, uint64_t epoch, pxa_mask current,
                          unsigned data)
{
    for (size_t i = 0; i < replay->unreads; i++) {
        const struct unread *one = &replay->unread[i];
        pxa_mask left = current;
        for (size_t j = 0; one->epoch == epoch && j < replay->unreads; j++)
            if (replay->unread[j].epoch == epoch && replay->unread[j].block == one->block)
                left &= ~mask_of(replay->unread[j].role);
        if (mask_count(left) < data)
            return false;
    }
    return true;
}

/*
 * The members that have a segment of the epoch whose segments begin at `first`.  Blocks in
 * place belong to the segment as those in the ring do.  If the epoch was committed they all
 * were there, so those that are not now are bad, and the segment counts.
 */
static pxa_mask members_with(const struct replay *replay, size_t first, uint64_t committed,
                             size_t *end)
{
    pxa_mask members = 0;
    size_t i = first;
    for (; i < replay->count && replay->found[i].epoch == replay->found[first].epoch; i++)
        if (!replay->found[i].torn || replay->found[i].epoch <= committed)
            members |= mask_of(replay->found[i].role);
    *end = i;
    return members;
}

/*
 * Decides how far the log is replayed.  `current` are the members that count, and `committed`
 * is the last epoch that superblocks say was committed.  Returns the members that lack a
 * segment of an epoch that is known to have been committed: their logs are damaged.  An epoch
 * of which that is not known does not count if a row of it, of which `data` blocks are needed,
 * would be lost.
 */
pxa_mask replay_decide(struct replay *replay, pxa_mask current, unsigned data, uint64_t tail,
                       uint64_t committed)
{
    uint64_t next = tail;
    pxa_mask damaged = 0;
    bool whole = true;
    if (committed < tail)
        committed = tail - 1;
    if (replay->count > 0)
        qsort(replay->found, replay->count, sizeof *replay->found, by_epoch);
    for (size_t i = 0; i < replay->count; i++)
        if (mask_has(current, replay->found[i].role) && replay->found[i].committed > committed)
            committed = replay->found[i].committed;
    replay->last = tail - 1;
    replay->highest = tail - 1;
    replay->dropped = 0;
    for (size_t i = 0, end; i < replay->count; i = end) {
        const pxa_mask have = members_with(replay, i, committed, &end) & current;
        const struct found *found = &replay->found[i];
        if (found->epoch > replay->highest)
            replay->highest = found->epoch;
        if (found->epoch < tail || have == 0)
            continue;
        const pxa_mask lack = found->members & current & ~have;
        whole = whole && found->epoch == next && lack == 0;
        if (found->epoch <= committed)
            damaged |= lack;
        else
            whole = whole && rows_are_left(replay, found->epoch, current, data);
        if (whole)
            replay->last = found->epoch;
        else
            replay->dropped++;
        next++;
    }
    replay->gap = replay->last < committed;
    return damaged;
}

void replay_destroy(struct replay *replay)
{
    free(replay->found);
    free(replay->scratch);
    free(replay->unread);
    free(replay->io);
    free(replay->piece);
    *replay = (struct replay){.found = NULL};
}
