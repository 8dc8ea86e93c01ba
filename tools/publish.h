/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Outputs get their names all at once, complete, or not at all.
 *
 * Publishing flushes all of them to the disk, and only then, with their folders
 * locked, renames one after the other; if one cannot be renamed, those before
 * it are taken back.  Nothing is replaced that is not what the command has
 * seen.  Signals wait while the renaming goes on.
 */
#ifndef PXR_TOOLS_PUBLISH_H
#define PXR_TOOLS_PUBLISH_H

#include "journal.h"
#include "output.h"

/* What was under a path; symbolic links are followed. */
struct seen_file {
    char *path; /* NULL: nothing, the entry is left out */
    struct stat status;
};

struct publication {
    struct output *outputs;
    unsigned count;
    const struct seen_file *guards; /* if one of these has changed, nothing is published */
    unsigned guard_count;
    const struct seen_file
        *doomed; /* to be removed afterwards, unless changed; no path is NULL */
    unsigned doomed_count;
    struct journal *journals; /* to be applied; those without a path are left out */
    unsigned journal_count;
};

/*
 * Publish all outputs, or none, with a message and STATUS_SYSTEM; the latter also
 * where all is published and something that is doomed cannot be removed.  Shards
 * are mended in place after that, which cannot be taken back: one where it fails
 * keeps its journal.
 */
int publish(const struct publication *p);

/* Is this the same file in the same state? */
bool same_file(const struct stat *a, const struct stat *b);

#endif
