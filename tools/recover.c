/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "recover.h"

#include "identity.h"
#include "io.h"
#include "journal.h"
#include "lock.h"
#include "message.h"
#include "output.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ----------------------------------------------------------------- find -- */

/*
 * Opens the journal of a shard.  Without a shard or a journal, fd is -1 and errno is ENOENT.
 * j->path and j->shard are allocated, or NULL.
 */
static void find(struct journal *j, const char *path, int flags)
{
    *j = (struct journal){.fd = -1, .shard_fd = -1};
    j->shard = realpath(path, NULL);
    if (j->shard != NULL)
        j->path = journal_path(j->shard);
    if (j->path != NULL)
        j->fd = open(j->path, flags | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
}

/* Returns whether a cell in the file proves which shard it is. */
static bool has_cell(const struct journal *j, const struct shard_file *file)
{
    const struct shard_header *shard = &j->head.shard;
    uint64_t stripes = shard_stripes_within(shard, (uint64_t)file->status.st_size);
    uint8_t *record = malloc(SHARD_CHECK_SIZE + (size_t)shard->cell);
    int fd = record != NULL ? shard_file_open(j->shard) : -1;
    bool found = false;
    for (uint64_t s = 0; fd >= 0 && s < stripes && !found; s++) {
        size_t length = (size_t)shard_cell_length(shard, s), size = SHARD_CHECK_SIZE + length;
        off_t offset = (off_t)shard_record_offset(shard, s);
        found = io_read_at(fd, record, size, offset) == (ssize_t)size &&
                shard_cell_intact(shard, shard->index, s, record + SHARD_CHECK_SIZE, length,
                                  record);
    }
    if (fd >= 0)
        close(fd);
    free(record);
    return found;
}

/* Returns whether the file in the place of the journal's shard is this shard, as far as is
   visible. */
static bool belongs(const struct journal *j, const struct shard_file *file)
{
    char name[SHARD_FILE_NAME_SIZE];
    const struct shard_header *shard = &j->head.shard;
    if (file->usable)
        return shard_same_set(shard, &file->header) && shard->index == file->header.index;
    shard_file_name(shard, shard->index, name);
    return file->headless && (strcmp(path_base(j->shard), name) == 0 || has_cell(j, file));
}

/* An error of reading is in errno; otherwise errno is 0. */
static enum journal_state examine(struct journal *j)
{
    uint8_t bytes[JOURNAL_HEAD_SIZE] = {0};
    struct stat status;
    errno = 0;
    if (fstat(j->fd, &status) != 0)
        return JOURNAL_DAMAGED;
    if (!S_ISREG(status.st_mode))
        return JOURNAL_DAMAGED;
    if (io_read_at(j->fd, bytes, sizeof bytes, 0) < 0)
        return JOURNAL_DAMAGED;
    errno = 0;
    return journal_head_decode(&j->head, bytes, (uint64_t)status.st_size);
}

/* ------------------------------------------------------------- complete -- */

static int cannot(const struct journal *j, const char *what)
{
    return complain(STATUS_SYSTEM, "%s: %s: %s", j->path, what, strerror(errno));
}

static int leave_alone(const struct journal *j)
{
    warn("%s: not used: this journal is damaged, or does not belong to %s", j->path, j->shard);
    return STATUS_OK;
}

/* A repair replaces also a file that its owner has made read-only, so it writes to it, too. */
static int open_shard(const char *path)
{
    struct stat status;
    const int flags = O_RDWR | O_CLOEXEC | O_NONBLOCK;
    int fd = open(path, flags);
    if (fd >= 0 || errno != EACCES)
        return fd;
    if (stat(path, &status) == 0 && chmod(path, (status.st_mode & 07777) | S_IWUSR) == 0) {
        fd = open(path, flags);
        (void)chmod(path, status.st_mode & 07777);
    }
    errno = EACCES;
    return fd;
}

static int apply(struct journal *j, bool *in_doubt)
{
    j->shard_fd = open_shard(j->shard);
    if (j->shard_fd >= 0 && journal_apply(j))
        return STATUS_OK;
    if (errno == EBADMSG)
        return leave_alone(j);
    /* One bad disk does not keep the other shards from being healed. */
    warn("%s: cannot complete the interrupted repair: %s", j->shard, strerror(errno));
    *in_doubt = true;
    return STATUS_OK;
}

/* Returns whether the open journal is still in the folder.  A command that completes it, or
   puts another shard in the place of its shard, removes it. */
static bool is_there(const struct journal *j)
{
    struct stat opened, named;
    return fstat(j->fd, &opened) == 0 && lstat(j->path, &named) == 0 &&
           same_inode(&opened, &named);
}

/* Only one command at a time changes shards in a folder.  What this command has seen before it
   waited may have changed. */
static int apply_locked(struct journal *j, bool *in_doubt)
{
    sigset_t before;
    struct lock lock = {0};
    int status = lock_add(&lock, j->shard);
    if (status == STATUS_OK) {
        lock_take(&lock);
        temporary_block_signals(&before);
        if (is_there(j))
            status = apply(j, in_doubt);
        temporary_restore_signals(&before);
    }
    lock_release(&lock);
    return status;
}

static int complete(struct journal *j, const struct shard_file *file, bool quiet,
                    struct recovered *recovered)
{
    int status = apply_locked(j, &recovered->in_doubt[j->head.shard.index]);
    if (j->stage == JOURNAL_DONE && !quiet)
        say_line("shard %03u: %s: completed an interrupted repair", j->head.shard.index,
                 file->path);
    recovered->any |= j->stage == JOURNAL_DONE;
    return status;
}

/* Only the process that holds the lock may remove the journal. */
static int settle(struct journal *j, const struct shard_file *file,
                  const struct options *options, struct recovered *recovered)
{
    if (lock_is_held(j->fd, LOCK_EX) || !is_there(j))
        return complain(STATUS_SYSTEM, "%s: another 'permxor repair' is working on this shard",
                        j->shard);
    enum journal_state state = examine(j);
    if (errno != 0)
        return cannot(j, "cannot read");
    if (state == JOURNAL_VOID)
        return unlink(j->path) == 0 ? STATUS_OK : cannot(j, "cannot remove");
    if (state == JOURNAL_DAMAGED || !belongs(j, file))
        return leave_alone(j);
    if (!shard_is_of_set(&j->head.shard, options->set)) /* other sets are left alone */
        return STATUS_OK;
    return complete(j, file, options->quiet, recovered);
}

static int recover_file(const struct shard_file *file, const struct options *options,
                        struct recovered *recovered)
{
    struct journal j;
    int status = STATUS_OK;
    find(&j, file->path, O_RDWR);
    j.sync = options->output_flags & OUTPUT_SYNC;
    if (j.fd >= 0)
        status = settle(&j, file, options, recovered);
    else if (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG && file->usable)
        status = complain(STATUS_SYSTEM, "%s: cannot look for its journal: %s", file->path,
                          strerror(errno));
    journal_close(&j);
    return status;
}

int recover(const struct options *options, struct recovered *recovered)
{
    struct shard_list list;
    int status = shard_list_scan(&list, options->operands, options->operand_count);
    shard_list_unlock(&list); /* otherwise it would keep this command itself from changing a
                                 shard */
    for (size_t i = 0; i < list.count && status == STATUS_OK; i++)
        if (!list.files[i].hidden)
            status = recover_file(&list.files[i], options, recovered);
    shard_list_free(&list);
    return status;
}

/* -------------------------------------------------------------- mention -- */

void recover_mention(const struct shard_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct journal j;
        find(&j, list->files[i].path, O_RDONLY);
        if (j.fd >= 0 && !list->files[i].hidden && !lock_is_held(j.fd, LOCK_SH) &&
            examine(&j) == JOURNAL_COMPLETE && belongs(&j, &list->files[i]))
            warn("%s: a repair was interrupted; use 'permxor repair' to complete it",
                 list->files[i].path);
        journal_close(&j);
    }
}
