/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mends a shard in place by means of a journal beside it, in these steps:
 *
 *     begin, add   the journal grows, and is not valid yet
 *     flush        the disk has what was added
 *     complete     the disk has the head, too, which makes the journal valid
 *     apply        the shard is written; when the disk has it, the journal is removed
 *
 * A crash before `complete` has changed nothing in the shard.  After it, the journal has
 * everything that apply may have left half done, and recover.h finds the journal.  Functions
 * that return bool set errno when they return false.
 */
#ifndef PXR_TOOLS_JOURNAL_H
#define PXR_TOOLS_JOURNAL_H

#include "journal_format.h"

#include <sys/stat.h>
#include <sys/types.h>

struct journal {
    char *path; /* NULL: there is none */
    int fd;
    char *shard; /* the shard that is mended; symbolic links are resolved */
    int shard_fd;
    struct stat seen; /* the state of the shard when it was read, or opened for writing */
    struct journal_head head;
    off_t end; /* end of what was added */
    bool sync;
    bool unread; /* part of the shard could not be read */
    enum {
        JOURNAL_GROWS,   /* the shard is unchanged */
        JOURNAL_APPLIES, /* the shard may be half written; only the journal knows */
        JOURNAL_DONE     /* the shard is mended, and the journal is removed */
    } stage;
};

/* Returns the path of the journal of a shard whose path has no symbolic link.  It is allocated.
 */
char *journal_path(const char *shard);

/*
 * Creates the journal of a shard, which was found under `path` in the state `seen`.
 * JOURNAL_ELSEWHERE: the shard or the journal cannot be written, or another journal is in the
 * way.  A whole new shard may still be possible.
 */
enum journal_begun { JOURNAL_BEGUN, JOURNAL_ELSEWHERE, JOURNAL_FAILED };
enum journal_begun journal_begin(struct journal *journal, const struct shard_header *shard,
                                 const char *path, const struct stat *seen, bool sync);

/*
 * Adds the bytes that belong at an offset of the shard.  When this fails and `unread` is true,
 * the shard cannot be read around that offset.
 */
bool journal_add(struct journal *journal, uint64_t offset, const uint8_t *bytes, size_t length);

bool journal_flush(const struct journal *journal);

/* Fails with ESTALE when the shard has changed, or the journal was removed. */
bool journal_complete(struct journal *journal);

/*
 * Reads all of a complete journal, writes the shard, and removes the journal.  EBADMSG: the
 * journal is damaged, and nothing is written.
 */
bool journal_apply(struct journal *journal);

/* Closes both files and frees.  The journal file stays. */
void journal_close(struct journal *journal);

/* Removes the journal file unless the shard may need it, and frees.  Zeros (memset) are
   allowed. */
void journal_discard(struct journal *journal);

#endif
