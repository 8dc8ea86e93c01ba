/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "publish.h"

#include "flush.h"
#include "identity.h"
#include "lock.h"
#include "message.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -------------------------------------------------------------- checks -- */

static int changed(const char *path)
{
    return complain(STATUS_SYSTEM, "%s: changed while the command ran; nothing is replaced",
                    path);
}

static int exists_already(const char *path)
{
    return complain(STATUS_SYSTEM, "%s: already exists: it was created while the command ran",
                    path);
}

static bool as_seen(const struct output *output)
{
    struct stat status;
    if (lstat(output->path, &status) != 0)
        return errno == ENOENT && !output->occupied;
    return output->occupied && same_file(&status, &output->seen);
}

static int check_seen(const struct publication *p)
{
    struct stat status;
    for (unsigned i = 0; i < p->count; i++)
        if (!as_seen(&p->outputs[i]))
            return p->outputs[i].flags & OUTPUT_REPLACE ? changed(p->outputs[i].path)
                                                        : exists_already(p->outputs[i].path);
    for (unsigned i = 0; i < p->guard_count; i++) {
        const struct seen_file *guard = &p->guards[i];
        if (guard->path != NULL &&
            (stat(guard->path, &status) != 0 || !same_file(&status, &guard->status)))
            return changed(guard->path);
    }
    return STATUS_OK;
}

/* --------------------------------------------------------------- rename -- */

static int rename_flagged(const struct output *output, unsigned flags)
{
    return renameat2(AT_FDCWD, output->temporary, AT_FDCWD, output->path, flags);
}

static int cannot_rename(const struct output *output)
{
    if (errno == EEXIST)
        return exists_already(output->path);
    return complain(STATUS_SYSTEM, "%s: cannot give the new file this name: %s", output->path,
                    strerror(errno));
}

/*
 * For file systems that cannot do better.  Between the check and the renaming, only the lock
 * keeps others out.
 */
static int rename_plainly(struct output *output)
{
    if (!as_seen(output))
        return output->occupied ? changed(output->path) : exists_already(output->path);
    if (rename(output->temporary, output->path) != 0)
        return cannot_rename(output);
    output->published = true;
    output->displaced = output->occupied;
    return STATUS_OK;
}

/* Undoes step_aside().  If this fails, the scan of the folder finds the file. */
static void step_back(struct output *output)
{
    if (output->aside != NULL)
        (void)rename(output->aside, output->path);
    free(output->aside);
    output->aside = NULL;
}

/* Gives the file that is to be replaced a temporary name, in case a later rename fails. */
static int step_aside(struct output *output)
{
    if (!as_seen(output))
        return changed(output->path);
    output->aside = temporary_path(output->path);
    if (output->aside != NULL && rename(output->path, output->aside) == 0)
        return STATUS_OK;
    int status = cannot_rename(output);
    free(output->aside);
    output->aside = NULL;
    return status;
}

/* Renames one output of several in two steps, without an exchange. */
static int rename_in_steps(struct output *output)
{
    int status = step_aside(output);
    if (status != STATUS_OK)
        return status;
    if (rename(output->temporary, output->path) == 0) {
        output->published = true;
        return STATUS_OK;
    }
    status = cannot_rename(output);
    step_back(output);
    return status;
}

/* For any failure other than a name that is taken, a simpler way may work. */
static int rename_to_free_name(struct output *output)
{
    if (rename_flagged(output, RENAME_NOREPLACE) != 0) {
        if (errno == EEXIST)
            return cannot_rename(output);
        if (link(output->temporary, output->path) != 0)
            return errno == EEXIST ? cannot_rename(output) : rename_plainly(output);
        unlink(output->temporary);
    }
    output->published = true;
    return STATUS_OK;
}

/*
 * Some file systems report success for an exchange without making one.  They may have renamed
 * plainly, and then the old file is gone.
 */
static int check_exchange(struct output *output)
{
    struct stat displaced;
    output->published = true;
    if (lstat(output->temporary, &displaced) != 0) {
        output->displaced = true;
        return STATUS_OK;
    }
    output->exchanged = true;
    if (same_but_renamed(&displaced, &output->seen))
        return STATUS_OK;
    if (rename_flagged(output, RENAME_EXCHANGE) == 0)
        output->published = output->exchanged = false;
    else
        temporary_forget(output->temporary);
    return changed(output->path);
}

/*
 * An exchange keeps the old file in case a later rename fails.  If an exchange is not possible,
 * and there is no later rename, a plain rename is the only single step.
 */
static int publish_one(struct output *output, bool alone)
{
    if (!output->occupied)
        return rename_to_free_name(output);
    if (rename_flagged(output, RENAME_EXCHANGE) == 0)
        return check_exchange(output);
    return alone ? rename_plainly(output) : rename_in_steps(output);
}

/*
 * If the old file is gone, the new file is better than none.  If taking back fails, both files
 * stay: then a signal must not remove the old one either.
 */
static void take_back(struct output *outputs, unsigned count)
{
    while (count-- > 0) {
        struct output *output = &outputs[count];
        if (output->displaced || !output->published)
            continue;
        int result = output->exchanged ? rename_flagged(output, RENAME_EXCHANGE)
                                       : rename(output->path, output->temporary);
        if (result == 0) {
            output->published = output->exchanged = false;
            step_back(output);
        } else {
            temporary_forget(output->temporary);
        }
    }
}

/* ---------------------------------------------------------------- flush -- */

static int cannot_write(const struct output *output)
{
    return complain(STATUS_SYSTEM, "%s: cannot write: %s", output->path, strerror(errno));
}

static int cannot_write_journal(const struct journal *journal)
{
    return complain(STATUS_SYSTEM, "%s: cannot write: %s", journal->path, strerror(errno));
}

static int flush_all(const struct publication *p)
{
    /* Starts to write all of them, then waits for each. */
    for (unsigned i = 0; i < p->count; i++)
        if (p->outputs[i].flags & OUTPUT_SYNC)
            sync_file_range(p->outputs[i].fd, 0, 0, SYNC_FILE_RANGE_WRITE);
    for (unsigned i = 0; i < p->count; i++)
        if (flush_file(p->outputs[i].fd, p->outputs[i].flags & OUTPUT_SYNC) != 0)
            return cannot_write(&p->outputs[i]);
    for (unsigned i = 0; i < p->journal_count; i++)
        if (p->journals[i].path != NULL && !journal_flush(&p->journals[i]))
            return cannot_write_journal(&p->journals[i]);
    return STATUS_OK;
}

static int settle_all(const struct publication *p)
{
    int status = STATUS_OK;
    for (unsigned i = 0; i < p->count && status == STATUS_OK; i++)
        status = output_settle(&p->outputs[i]);
    return status;
}

/* -------------------------------------------------------------- publish -- */

static int rename_all(const struct publication *p)
{
    int status = STATUS_OK;
    for (unsigned i = 0; i < p->count && status == STATUS_OK; i++)
        status = publish_one(&p->outputs[i], p->count == 1);
    for (unsigned i = 0; i < p->count && status == STATUS_OK; i++)
        if ((p->outputs[i].flags & OUTPUT_SYNC) && flush_directory(p->outputs[i].path) != 0)
            status = cannot_write(&p->outputs[i]);
    if (status != STATUS_OK)
        take_back(p->outputs, p->count);
    return status;
}

/* Replaced files are removed only when the new names are on the disk. */
static void remove_old(const struct publication *p)
{
    for (unsigned i = 0; i < p->count; i++) {
        if (p->outputs[i].exchanged)
            unlink(p->outputs[i].temporary);
        if (p->outputs[i].aside != NULL)
            unlink(p->outputs[i].aside);
        temporary_forget(p->outputs[i].temporary);
    }
}

static int cannot_remove(const struct seen_file *file)
{
    return complain(STATUS_SYSTEM, "%s: cannot remove: %s", file->path, strerror(errno));
}

/* No shard is left for which the journal could be used. */
static void remove_journal(const struct seen_file *doomed)
{
    char *path = journal_path(doomed->path);
    if (path != NULL)
        unlink(path);
    free(path);
}

/* Of a symbolic link to a doomed file, the link is removed. */
static int remove_one(const struct seen_file *doomed)
{
    struct stat status;
    if (stat(doomed->path, &status) != 0)
        return errno == ENOENT ? STATUS_OK : cannot_remove(doomed);
    if (!same_file(&status, &doomed->status))
        return STATUS_OK;
    if (unlink(doomed->path) != 0)
        return cannot_remove(doomed);
    remove_journal(doomed);
    return STATUS_OK;
}

static bool same_directory(const char *a, const char *b)
{
    size_t length = (size_t)(path_base(a) - a);
    return length == (size_t)(path_base(b) - b) && memcmp(a, b, length) == 0;
}

/* A file that cannot be removed does not stop the removal of the others. */
static int remove_doomed(const struct publication *p)
{
    int result = STATUS_OK;
    bool sync = p->count > 0 && (p->outputs[0].flags & OUTPUT_SYNC);
    for (unsigned i = 0; i < p->doomed_count; i++) {
        int status = remove_one(&p->doomed[i]);
        result = result == STATUS_OK ? status : result;
    }
    for (unsigned i = 0; i < p->doomed_count && sync; i++) {
        const struct seen_file *doomed = &p->doomed[i];
        bool done = i > 0 && same_directory(doomed->path, p->doomed[i - 1].path);
        if (!done && flush_directory(doomed->path) != 0)
            result = cannot_remove(doomed);
    }
    return result;
}

/* ------------------------------------------------------------- in place -- */

static int complete_journals(const struct publication *p)
{
    for (unsigned i = 0; i < p->journal_count; i++) {
        struct journal *journal = &p->journals[i];
        if (journal->path != NULL && !journal_complete(journal))
            return errno == ESTALE ? changed(journal->shard) : cannot_write_journal(journal);
    }
    return STATUS_OK;
}

static int apply_journals(const struct publication *p)
{
    int status = STATUS_OK;
    for (unsigned i = 0; i < p->journal_count; i++) {
        struct journal *journal = &p->journals[i];
        if (journal->path != NULL && !journal_apply(journal))
            status = complain(STATUS_SYSTEM,
                              "%s: cannot write: %s; run 'permxor repair' again to complete it",
                              journal->shard, strerror(errno));
    }
    return status;
}

/* ------------------------------------------------------------ with locks -- */

static int lock_all(struct lock *lock, const struct publication *p)
{
    int status = STATUS_OK;
    for (unsigned i = 0; i < p->count && status == STATUS_OK; i++)
        status = lock_add(lock, p->outputs[i].path);
    for (unsigned i = 0; i < p->guard_count && status == STATUS_OK; i++)
        if (p->guards[i].path != NULL)
            status = lock_add(lock, p->guards[i].path);
    for (unsigned i = 0; i < p->journal_count && status == STATUS_OK; i++)
        if (p->journals[i].path != NULL)
            status = lock_add(lock, p->journals[i].path);
    if (status == STATUS_OK)
        lock_take(lock);
    return status;
}

/* A whole shard does not need the journal of the file that had its name before.  Another set's
   journal would never be applied to it, but it would be reported again and again. */
static void remove_stale_journals(const struct publication *p)
{
    for (unsigned i = 0; i < p->count; i++) {
        const struct output *output = &p->outputs[i];
        char *path = journal_path(output->path);
        if (path != NULL && !output->lacks_cells)
            unlink(path);
        else if (path != NULL && access(path, F_OK) == 0)
            warn("%s: a repair was interrupted; use 'permxor repair' again to complete it",
                 output->path);
        free(path);
    }
}

/*
 * The new names are final.  The remaining work is done as far as possible.  While replaced
 * files are still there under temporary names, they tell the next command that more is to be
 * removed.
 */
static int follow_up(const struct publication *p)
{
    int removed = remove_doomed(p);
    remove_old(p);
    remove_stale_journals(p);
    int applied = apply_journals(p);
    return removed != STATUS_OK ? removed : applied;
}

static int rename_locked(const struct publication *p)
{
    sigset_t before;
    struct lock lock = {0};
    int status = lock_all(&lock, p);
    if (status == STATUS_OK) {
        temporary_block_signals(&before);
        status = check_seen(p);
        if (status == STATUS_OK)
            status = complete_journals(p);
        if (status == STATUS_OK)
            status = rename_all(p);
        if (status == STATUS_OK)
            status = follow_up(p);
        temporary_restore_signals(&before);
    }
    lock_release(&lock);
    return status;
}

int publish(const struct publication *p)
{
    int status = settle_all(p);
    if (status == STATUS_OK)
        status = flush_all(p);
    return status == STATUS_OK ? rename_locked(p) : status;
}
