/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "journal.h"

#include "flush.h"
#include "identity.h"
#include "io.h"
#include "lock.h"
#include "output.h"
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* ---------------------------------------------------------------- begin -- */

char *journal_path(const char *shard)
{
    char name[JOURNAL_NAME_SIZE];
    char *directory = path_directory(shard);
    journal_name(path_base(shard), name);
    char *path = directory != NULL ? path_join(directory, name) : NULL;
    free(directory);
    return path;
}

/* Returns whether permission, a usable name or room is missing.  Another way may work then. */
static bool is_forbidden(int error)
{
    return error == EACCES || error == EPERM || error == EROFS || error == ETXTBSY ||
           error == ENAMETOOLONG || error == ENOSPC || error == EDQUOT;
}

/* Returns whether no process holds the journal that is in the way. */
static bool is_abandoned(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    bool held = fd >= 0 && lock_is_held(fd, LOCK_SH);
    if (fd >= 0)
        close(fd);
    return !held;
}

/* In an overlay, opening a file of a lower layer for writing copies it, and the copy has
   another ctime. */
static void see_copy(struct journal *j)
{
    struct stat opened;
    if (fstat(j->shard_fd, &opened) == 0 && same_but_renamed(&opened, &j->seen))
        j->seen = opened;
}

static bool open_both(struct journal *j, const char *path)
{
    j->shard = realpath(path, NULL);
    char *journal = j->shard != NULL ? journal_path(j->shard) : NULL;
    if (journal == NULL)
        return false;
    j->shard_fd = open(j->shard, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (j->shard_fd >= 0)
        j->fd = temporary_create(journal);
    if (j->fd >= 0) {
        j->path = journal;
        see_copy(j);
        return true;
    }
    int error = errno;
    if (error == EEXIST && is_abandoned(journal))
        error = EACCES;
    free(journal);
    errno = error;
    return false;
}

enum journal_begun journal_begin(struct journal *journal, const struct shard_header *shard,
                                 const char *path, const struct stat *seen, bool sync)
{
    *journal = (struct journal){.fd = -1,
                                .shard_fd = -1,
                                .seen = *seen,
                                .head = {.shard = *shard},
                                .end = JOURNAL_HEAD_SIZE,
                                .sync = sync};
    if (open_both(journal, path))
        return JOURNAL_BEGUN;
    int error = errno;
    journal_discard(journal);
    errno = error;
    return is_forbidden(error) ? JOURNAL_ELSEWHERE : JOURNAL_FAILED;
}

/* ------------------------------------------------------------------ add -- */

/*
 * Reads the bytes of an entry: those that the shard has there, zeros where it is too short, and
 * header and trailer as they should be.
 */
static bool read_surroundings(struct journal *j, const struct journal_entry *entry,
                              uint8_t *extent)
{
    uint8_t header[SHARD_HEADER_SIZE];
    const struct shard_header *shard = &j->head.shard;
    j->unread =
        io_read_at(j->shard_fd, extent, (size_t)entry->length, (off_t)entry->offset) < 0;
    if (j->unread)
        return false;
    shard_header_encode(shard, header);
    journal_overlay(entry, extent, 0, header, sizeof header);
    journal_overlay(entry, extent, shard_file_size(shard) - sizeof header, header,
                    sizeof header);
    return true;
}

static bool append(struct journal *j, struct journal_entry *entry, uint8_t *extent)
{
    uint8_t head[JOURNAL_ENTRY_SIZE];
    struct iovec vector[] = {{head, sizeof head}, {extent, (size_t)entry->length}};
    journal_entry_encode(entry, extent, head);
    ssize_t written = io_write_vector(j->fd, vector, 2, j->end);
    if (written < 0)
        return false;
    j->end += written;
    j->head.entries++;
    return true;
}

bool journal_add(struct journal *journal, uint64_t offset, const uint8_t *bytes, size_t length)
{
    struct journal_entry entry = journal_extent(&journal->head.shard, offset, length);
    uint8_t *extent = calloc(1, (size_t)entry.length);
    if (extent == NULL || !read_surroundings(journal, &entry, extent)) {
        free(extent);
        return false;
    }
    journal_overlay(&entry, extent, offset, bytes, length);
    bool added = append(journal, &entry, extent);
    free(extent);
    return added;
}

/* ------------------------------------------------------------- complete -- */

bool journal_flush(const struct journal *journal)
{
    return flush_file(journal->fd, journal->sync) == 0;
}

/* Returns whether both files are unchanged, and the journal still has a name. */
static bool is_unchanged(const struct journal *j)
{
    struct stat shard, journal;
    if (fstat(j->shard_fd, &shard) != 0 || fstat(j->fd, &journal) != 0)
        return false;
    errno = ESTALE;
    return same_file(&shard, &j->seen) && journal.st_nlink > 0;
}

bool journal_complete(struct journal *journal)
{
    uint8_t head[JOURNAL_HEAD_SIZE];
    journal_head_encode(&journal->head, head);
    return is_unchanged(journal) && io_write_at(journal->fd, head, sizeof head, 0) >= 0 &&
           journal_flush(journal) && (!journal->sync || flush_directory(journal->path) == 0);
}

/* ---------------------------------------------------------------- apply -- */

typedef bool visit_fn(struct journal *j, const struct journal_entry *entry, uint8_t *bytes);

static bool read_exactly(int fd, uint8_t *bytes, size_t length, off_t offset)
{
    ssize_t got = io_read_at(fd, bytes, length, offset);
    if (got >= 0)
        errno = EBADMSG;
    return got == (ssize_t)length;
}

/* Reads an entry.  Its bytes are allocated, or NULL. */
static uint8_t *read_entry(const struct journal *j, struct journal_entry *entry, off_t at,
                           off_t size)
{
    uint8_t head[JOURNAL_ENTRY_SIZE];
    if (!read_exactly(j->fd, head, sizeof head, at))
        return NULL;
    if (!journal_entry_decode(entry, head, &j->head.shard,
                              (uint64_t)(size - at) - sizeof head)) {
        errno = EBADMSG;
        return NULL;
    }
    uint8_t *bytes = malloc((size_t)entry->length);
    if (bytes == NULL)
        return NULL;
    if (read_exactly(j->fd, bytes, (size_t)entry->length, at + (off_t)sizeof head) &&
        journal_entry_intact(entry, bytes))
        return bytes;
    free(bytes);
    return NULL;
}

/* NULL as visitor: only checks that all entries are there and intact. */
static bool walk(struct journal *j, visit_fn *visit)
{
    struct stat status;
    off_t at = JOURNAL_HEAD_SIZE;
    if (fstat(j->fd, &status) != 0)
        return false;
    for (uint64_t n = 0; n < j->head.entries; n++) {
        struct journal_entry entry;
        uint8_t *bytes = read_entry(j, &entry, at, status.st_size);
        bool done = bytes != NULL && (visit == NULL || visit(j, &entry, bytes));
        free(bytes);
        if (!done)
            return false;
        at += JOURNAL_ENTRY_SIZE + (off_t)entry.length;
    }
    errno = EBADMSG;
    return at == status.st_size;
}

/* A record that cannot be read, or cannot be read yet, is overwritten: that is what the journal
   is for. */
static bool write_extent(struct journal *j, const struct journal_entry *entry, uint8_t *bytes)
{
    uint64_t first, end;
    const struct shard_header *shard = &j->head.shard;
    uint8_t *record = malloc(SHARD_CHECK_SIZE + (size_t)shard->cell);
    if (record == NULL)
        return false;
    journal_stripes(shard, entry, &first, &end);
    for (uint64_t s = first; s < end; s++) {
        size_t size = SHARD_CHECK_SIZE + (size_t)shard_cell_length(shard, s);
        if (read_exactly(j->shard_fd, record, size, (off_t)shard_record_offset(shard, s)))
            journal_keep_record(shard, entry, bytes, s, record);
        else
            j->unread = true;
    }
    free(record);
    return io_write_at(j->shard_fd, bytes, (size_t)entry->length, (off_t)entry->offset) >= 0;
}

/*
 * When a record could not be read, one entry may have overwritten what another entry had mended
 * in the same block.  Now that everything is written, the record can be read.
 */
static bool write_shard(struct journal *j)
{
    bool written = walk(j, write_extent);
    if (!written || !j->unread)
        return written;
    j->unread = false;
    written = walk(j, write_extent);
    if (written)
        errno = EIO;
    return written && !j->unread;
}

static bool settle_size(const struct journal *j)
{
    struct stat status;
    off_t size = (off_t)shard_file_size(&j->head.shard);
    return fstat(j->shard_fd, &status) == 0 &&
           (status.st_size == size || ftruncate(j->shard_fd, size) == 0);
}

static bool remove_applied(struct journal *j)
{
    if (unlink(j->path) != 0)
        return false;
    temporary_forget(j->path);
    j->stage = JOURNAL_DONE;
    return !j->sync || flush_directory(j->path) == 0;
}

bool journal_apply(struct journal *journal)
{
    journal->stage = JOURNAL_APPLIES;
    temporary_forget(journal->path); /* from here on no signal may remove it */
    return walk(journal, NULL) && write_shard(journal) && settle_size(journal) &&
           flush_file(journal->shard_fd, journal->sync) == 0 && remove_applied(journal);
}

/* -------------------------------------------------------------- discard -- */

void journal_close(struct journal *journal)
{
    if (journal->fd >= 0)
        close(journal->fd);
    if (journal->shard_fd >= 0)
        close(journal->shard_fd);
    free(journal->path);
    free(journal->shard);
    *journal = (struct journal){.fd = -1, .shard_fd = -1};
}

void journal_discard(struct journal *journal)
{
    if (journal->path == NULL && journal->shard == NULL)
        return;
    if (journal->path != NULL && journal->stage == JOURNAL_GROWS)
        temporary_remove(journal->path);
    else if (journal->path != NULL)
        temporary_forget(journal->path);
    journal_close(journal);
}
