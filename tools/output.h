/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that are written under temporary names in their own directories, until publish() gives
 * them their final names.
 */
#ifndef PXR_TOOLS_OUTPUT_H
#define PXR_TOOLS_OUTPUT_H

#include "access_list.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#define OUTPUT_REPLACE 1u /* a file that has the name may be replaced */
#define OUTPUT_SYNC 2u    /* publish when the disk has everything */

struct output {
    char *path;
    char *temporary;
    int fd;
    unsigned flags;
    mode_t mode;      /* when published; until then only the owner has access */
    mode_t most;      /* what others may have in addition, if mode cannot be set */
    bool copies;      /* mode is that of an original; report it if it cannot be set */
    bool occupied;    /* a file had the name when the output was created: */
    struct stat seen; /* the file that is to be replaced */
    bool inherits;    /* owner and group are those of another file: */
    uid_t uid;
    gid_t gid;
    struct access_list list; /* of the replaced file */
    bool published;          /* it has its final name */
    bool exchanged;          /* the replaced file has the temporary name */
    bool displaced;          /* the replaced file is gone */
    char *aside;             /* the temporary name that the replaced file was given, or NULL */
    bool lacks_cells; /* of a shard: its journal, if there is one, may have what it lacks */
};

/*
 * Creates one output.  Without OUTPUT_REPLACE a path that exists is refused at once (and again
 * when publishing). size: bytes to reserve, 0 if not known.  Prints messages, and returns
 * STATUS_OK or STATUS_SYSTEM.
 */
int output_create(struct output *output, const char *path, unsigned flags, uint64_t size);

/* Returns whether this is a file or a symbolic link.  Nothing else is ever replaced: a device
   would become a file. */
bool output_may_replace(const struct stat *status);

/*
 * Restricts the output so that nobody can read it who could not read its source, a file of this
 * mode.
 */
int output_keep_private(struct output *output, mode_t source);

/*
 * Gives the output the mode `original`, but restricts it: nobody can read or write it who could
 * not read or write its sources, files of mode `source`.  A file system with its own modes may
 * give others at most the rights that the sources give.
 */
int output_restore_mode(struct output *output, mode_t original, mode_t source);

/*
 * Gives the output, as far as the system allows, the owner and the group of this file, and at
 * most its rights.
 */
int output_belong(struct output *output, const struct stat *mate);

/*
 * Makes the output replace exactly this file, which is open as fd.  It takes over the mode and,
 * as far as the system allows, the owner, the group and the access list.
 */
int output_succeed(struct output *output, const struct stat *old, int fd);

/* Gives the file its owner and its final mode.  This is a part of publishing. */
int output_settle(struct output *output);

/*
 * Tells that a range has been written to the file.  From time to time this makes the disk begin
 * to write, so that publishing need not wait for everything.
 */
void output_written(const struct output *output, off_t offset, size_t length);

/* Removes what is not published, and frees.  Any state is allowed, also zeros (memset). */
void output_discard(struct output *outputs, unsigned count);

/* Returns DIRECTORY/NAME, allocated.  With "" or NULL as directory it is NAME alone. */
char *path_join(const char *directory, const char *name);

/* Returns the directory of a path, allocated; "." if the path has none. */
char *path_directory(const char *path);

/* Returns the last component of a path, as a part of it. */
const char *path_base(const char *path);

#endif
