/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Outputs get their names all at once and complete, or not at all.
 *
 * Publishing first flushes all outputs to the disk.  Then it locks their folders and renames
 * one output after the other.  If one cannot be renamed, the earlier ones are taken back.  A
 * file is replaced only if it is the one that the command has seen.  Signals wait during the
 * renaming.
 */
#ifndef PXR_TOOLS_PUBLISH_H
#define PXR_TOOLS_PUBLISH_H

#include "journal.h"
#include "output.h"

/* What was under a path; symbolic links are followed. */
struct seen_file {
    char *path; /* NULL: nothing, and the entry is ignored */
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
    struct journal *journals; /* to be applied; those without a path are ignored */
    unsigned journal_count;
};

/*
 * Publishes all outputs, or none, with a message and STATUS_SYSTEM.  STATUS_SYSTEM is also
 * returned when everything is published but a doomed file cannot be removed.  Shards are mended
 * in place after that, which cannot be undone: when mending a shard fails, the shard keeps its
 * journal.
 */
int publish(const struct publication *p);

#endif
