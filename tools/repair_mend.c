/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "repair.h"

#include "message.h"
#include "temporary.h"

#include <errno.h>
#include <string.h>

/*
 * A shard with more bad cells than this is written anew: its disk has lost more than a sector,
 * and the journal would become almost as large as the shard.
 */
static uint64_t most_cells(const struct repair *r)
{
    uint64_t eighth = shard_stripes(&r->set.header) / 8;
    return eighth > 0 ? eighth : 1;
}

static bool lacks_too_much(const struct repair *r, const struct shard_file *file)
{
    uint64_t there = shard_stripes_within(&r->set.header, (uint64_t)file->status.st_size);
    return shard_stripes(&r->set.header) - there > most_cells(r);
}

/*
 * A shard with copies is excluded, because another copy may have the cells.  A shard that
 * cannot be read is excluded, because it is moved to another place on its disk.
 */
bool repair_may_mend(const struct repair *r, unsigned index)
{
    const struct shard_file *file = r->set.shard[index];
    return !repair_lacks_name(r, index) && file->next == NULL && !r->whole[index] &&
           !file_is_unreadable(file) && !lacks_too_much(r, file);
}

bool repair_is_mended(const struct repair *r, unsigned index)
{
    return r->journals[index].path != NULL;
}

/* A shard that turns out to need more: the next pass writes it anew. */
static void drop(struct repair *r, unsigned index)
{
    r->whole[index] = true;
    journal_discard(&r->journals[index]);
}

/* The first entry creates the journal.  Returns true if the journal does not exist because of
   an error. */
static bool cannot_begin(struct repair *r, unsigned index)
{
    if (repair_is_mended(r, index))
        return false;
    struct seen_file *guard = &r->guards[index];
    struct shard_header own = r->set.header;
    own.index = index;
    r->mended[index] = 0;
    enum journal_begun begun =
        journal_begin(&r->journals[index], &own, guard->path, &guard->status,
                      r->options->output_flags & OUTPUT_SYNC);
    if (begun == JOURNAL_BEGUN)
        guard->status = r->journals[index].seen;
    if (begun == JOURNAL_ELSEWHERE)
        r->whole[index] = true;
    return begun == JOURNAL_FAILED;
}

static bool add(struct repair *r, unsigned index, uint64_t offset, const uint8_t *bytes,
                size_t length)
{
    if (cannot_begin(r, index))
        return false;
    if (r->whole[index] || journal_add(&r->journals[index], offset, bytes, length))
        return true;
    const bool full = errno == ENOSPC || errno == EDQUOT;
    if (!r->journals[index].unread && !full)
        return false;
    drop(r, index);
    return true;
}

static const char *why_not(void)
{
    return errno == EEXIST ? "another 'permxor repair' is working on this shard"
                           : strerror(errno);
}

int repair_mend_cell(struct repair *r, struct stripe *stripe, unsigned index)
{
    int status = STATUS_OK;
    pthread_mutex_lock(&r->mending);
    if (!r->whole[index] &&
        !add(r, index, shard_record_offset(&r->set.header, stripe->number),
             stripe->cell[index] - SHARD_CHECK_SIZE, SHARD_CHECK_SIZE + stripe->length))
        status = stripe_fail(stripe, STATUS_SYSTEM, "%s: cannot heal in place: %s",
                             r->guards[index].path, why_not());
    else if (!r->whole[index] && ++r->mended[index] > most_cells(r))
        drop(r, index);
    pthread_mutex_unlock(&r->mending);
    return status;
}

static bool mend_flaws(struct repair *r, unsigned index)
{
    uint8_t bytes[SHARD_HEADER_SIZE];
    unsigned flaws = r->set.shard[index]->flaws;
    struct shard_header own = r->set.header;
    own.index = index;
    shard_header_encode(&own, bytes);
    if ((flaws & SHARD_FLAW_HEADER) && !add(r, index, 0, bytes, sizeof bytes))
        return false;
    return !(flaws & ~SHARD_FLAW_HEADER) || r->whole[index] ||
           add(r, index, shard_file_size(&own) - sizeof bytes, bytes, sizeof bytes);
}

int repair_mend_flaws(struct repair *r)
{
    for (unsigned i = 0; i < shard_set_size(&r->set); i++) {
        if (!r->mends[i] || r->whole[i])
            continue;
        if (file_is_unreadable(r->set.shard[i]))
            drop(r, i);
        else if (!mend_flaws(r, i))
            return complain(STATUS_SYSTEM, "%s: cannot heal in place: %s", r->guards[i].path,
                            why_not());
    }
    return STATUS_OK;
}

void repair_mend_discard(struct repair *r)
{
    sigset_t before;
    temporary_block_signals(&before);
    for (unsigned i = 0; i < shard_set_size(&r->set); i++)
        journal_discard(&r->journals[i]);
    temporary_restore_signals(&before);
}
