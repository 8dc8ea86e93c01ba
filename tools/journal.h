/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A shard is mended in place by way of a journal beside it, in these steps:
 *
 *     begin, add   the journal grows, and says nothing yet
 *     flush        what was added is on the disk
 *     complete     so is the head, which makes the journal valid
 *     apply        the shard is written; when the disk has it, the journal goes
 *
 * A crash before `complete` has changed nothing in the shard.  After it, the
 * journal has all that apply may have left half done, and recover.h finds it.
 * Functions that return bool leave the reason for false in errno.
 */
#ifndef PXR_TOOLS_JOURNAL_H
#define PXR_TOOLS_JOURNAL_H

#include "journal_format.h"

#include <sys/stat.h>
#include <sys/types.h>

struct journal {
    char *path; /* NULL: there is none */
    int fd;
    char *shard; /* what is mended, behind symbolic links */
    int shard_fd;
    struct stat seen; /* what the shard was when it was read */
    struct journal_head head;
    off_t end; /* of what was added */
    bool sync;
    bool unread; /* something of the shard could not be read */
    enum {
        JOURNAL_GROWS,   /* the shard is as it was */
        JOURNAL_APPLIES, /* the shard may be half written: only the journal can tell */
        JOURNAL_DONE     /* the shard is mended and the journal removed */
    } stage;
};

/* The path of the journal of a shard, itself behind no symbolic link; allocated. */
char *journal_path(const char *shard);

/*
 * Create the journal of a shard, which was found under a path in a state.
 * Elsewhere: neither file can be written, or another journal is in the way, and
 * a whole new shard may do.
 */
enum journal_begun { JOURNAL_BEGUN, JOURNAL_ELSEWHERE, JOURNAL_FAILED };
enum journal_begun journal_begin(struct journal *journal, const struct shard_header *shard,
                                 const char *path, const struct stat *seen, bool sync);

/*
 * What is to be at an offset of the shard.  Where that fails and `unread` is
 * true, the shard cannot be read around it.
 */
bool journal_add(struct journal *journal, uint64_t offset, const uint8_t *bytes, size_t length);

bool journal_flush(const struct journal *journal);

/* Fails with ESTALE when the shard is not what it was, or the journal has been removed. */
bool journal_complete(struct journal *journal);

/*
 * Read all of a complete journal, write the shard, and remove the journal.
 * EBADMSG: the journal is damaged, and nothing is written.
 */
bool journal_apply(struct journal *journal);

/* Close both files and free; the journal stays where it is. */
void journal_close(struct journal *journal);

/* Remove the journal unless the shard may need it, and free; also after memset 0. */
void journal_discard(struct journal *journal);

#endif
