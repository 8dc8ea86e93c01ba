/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folders that hold the shards of a set, or into which shards may be put.  Each folder is
 * taken for a disk of its own: its contents are lost together.
 */
#ifndef PXR_TOOLS_FOLDERS_H
#define PXR_TOOLS_FOLDERS_H

#include "permxor.h"

#include <stdbool.h>
#include <sys/types.h>

#define FOLDER_OPERAND 1u /* an operand of the command */
#define FOLDER_OUTPUT 2u  /* given by --output */

struct folder {
    char *path;
    bool known; /* it exists, and has these numbers: */
    dev_t device;
    ino_t inode;
    unsigned roles;             /* FOLDER_...; none if only a shard led here */
    bool holds[PXR_MAX_SHARDS]; /* the shards that are there, or will be */
};

/* Initialize with zeros (memset). */
struct folders {
    struct folder *list;
    unsigned count;
    size_t room;
};

/*
 * Finds the folder of a path in the list, even if it was added under another path, or adds it.
 * A folder that does not exist is added, too: creating a file in it later fails with its own
 * message.  Returns STATUS_OK, or STATUS_SYSTEM with a message when there is no memory.
 */
int folders_add(struct folders *folders, const char *path, unsigned roles, unsigned *number);

/* Adds the folders of --output.  A folder that is given twice is refused: STATUS_USAGE. */
int folders_add_outputs(struct folders *folders, const char *command, const char *const *paths,
                        unsigned count);
void folders_free(struct folders *folders);

/* Returns the number of shards in a folder. */
unsigned folder_shards(const struct folder *folder);

/* Return the number of folders with any shard, and with a certain shard. */
unsigned folders_used(const struct folders *folders);
unsigned folders_with(const struct folders *folders, unsigned shard);

/*
 * Returns the largest n for which any n folders may be lost, when `spare` shards may be lost. A
 * shard with copies in several folders may make the true number larger, but not smaller.
 */
unsigned folders_losable(const struct folders *folders, unsigned spare);

/* Prints this number in one line to standard output, for this many shards in all. */
void folders_say_losable(const struct folders *folders, unsigned shards, unsigned spare);

#endif
