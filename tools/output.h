/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that are written under temporary names in their own directories, until
 * publish() gives them their own.
 */
#ifndef PXR_TOOLS_OUTPUT_H
#define PXR_TOOLS_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#define OUTPUT_REPLACE 1u /* what has the name may be replaced */
#define OUTPUT_SYNC 2u    /* publish when the disk has everything */

struct output {
    char *path;
    char *temporary;
    int fd;
    unsigned flags;
    mode_t mode;      /* when published; until then only the owner has access */
    mode_t most;      /* what others may have besides, where mode cannot be had */
    bool copies;      /* mode is that of an original: say so if it cannot be had */
    bool occupied;    /* something had the name when the output was created: */
    struct stat seen; /* what is to be replaced */
    bool inherits;    /* owner and group are those of what is replaced */
    bool published;   /* it has its final name */
    bool exchanged;   /* what had the name before has the temporary name */
    bool displaced;   /* what had the name before is gone */
    char *aside;      /* the temporary name that it has been given, or NULL */
};

/*
 * Create one output.  Without OUTPUT_REPLACE a path that exists is refused at
 * once (and again when publishing).  size: bytes to reserve, 0 if not known.
 * Messages are printed; returns STATUS_OK or STATUS_SYSTEM.
 */
int output_create(struct output *output, const char *path, unsigned flags, uint64_t size);

/*
 * Let nobody read the output who may not read what it was made of, a file of
 * this mode.
 */
int output_keep_private(struct output *output, mode_t source);

/*
 * Let the output have the mode `original`, but nobody read or write it who may
 * not read or write the files of mode `source` that it is made of.  A file system
 * that has modes of its own may give others as much as they have of those.
 */
int output_restore_mode(struct output *output, mode_t original, mode_t source);

/*
 * The output replaces this very file, and takes over its mode and, as far as
 * the system lets us, its owner and group.
 */
int output_succeed(struct output *output, const struct stat *old);

/* Give the file its owner and its final mode: part of publishing. */
int output_settle(struct output *output);

/*
 * Say that a range has been written to the file.  At times this has the disk
 * begin with what is there, so that publishing need not wait for it all.
 */
void output_written(const struct output *output, off_t offset, size_t length);

/* Remove what is not published, and free; for any state, also after memset 0. */
void output_discard(struct output *outputs, unsigned count);

/* DIRECTORY/NAME, allocated; "" and NULL as directory give NAME alone. */
char *path_join(const char *directory, const char *name);

/* The directory of a path, allocated; "." where the path has none. */
char *path_directory(const char *path);

/* The last component of a path, a part of it. */
const char *path_base(const char *path);

#endif
