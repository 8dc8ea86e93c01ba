/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that appear under their names all at once, complete, or not at all.
 *
 * Each is written under a temporary name in its own directory.  Publishing
 * flushes all of them to the disk, and only then renames one after the other;
 * if one cannot be renamed, those before it are taken back.  SIGINT, SIGTERM,
 * SIGHUP and SIGPIPE remove the temporary files and end the program; they wait
 * while the renaming goes on.
 */
#ifndef PXR_TOOLS_OUTPUT_H
#define PXR_TOOLS_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define OUTPUT_REPLACE 1u /* what has the name now may be replaced */
#define OUTPUT_SYNC 2u    /* publish when the disk has everything */

struct output {
    char *path;
    char *temporary;
    int fd;
    unsigned flags;
    bool published; /* it has its final name */
    bool exchanged; /* what had the name before has the temporary name now */
    bool displaced; /* what had the name before is gone */
};

/* Call once, in the main thread, before other threads start. */
void output_catch_signals(void);

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
int output_keep_private(const struct output *output, mode_t source);

/*
 * Say that a range has been written to the file.  Now and then this has the
 * disk begin with what is there, so that publishing need not wait for it all.
 */
void output_written(const struct output *output, off_t offset, size_t length);

/* Publish all outputs, or none. */
int output_publish(struct output *outputs, unsigned count);

/* Remove what is not published, and free; for any state, also after memset 0. */
void output_discard(struct output *outputs, unsigned count);

/* DIRECTORY/NAME, allocated; "" and NULL as directory give NAME alone. */
char *path_join(const char *directory, const char *name);

/* The directory of a path, allocated; "." where the path has none. */
char *path_directory(const char *path);

/* The last component of a path, a part of it. */
const char *path_base(const char *path);

#endif
