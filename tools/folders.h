/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folders that the shards of a set lie in, or may be put into.  Each is
 * taken for a disk of its own: what is in one of them is lost together.
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
    bool known; /* it exists, and is this one: */
    dev_t device;
    ino_t inode;
    unsigned roles;             /* FOLDER_..., none where only a shard led here */
    bool holds[PXR_MAX_SHARDS]; /* the shards that are there, or are going to be */
};

/* Start with memset 0. */
struct folders {
    struct folder *list;
    unsigned count;
    size_t room;
};

/*
 * Find the folder of a path in the list, under whatever path it was added, or
 * add it.  One that does not exist is added, too: creating a file in it fails
 * with a message of its own.  Returns STATUS_OK, or STATUS_SYSTEM for want of
 * memory, with a message.
 */
int folders_add(struct folders *folders, const char *path, unsigned roles, unsigned *number);

/* Add those of --output; one that is given twice is refused: STATUS_USAGE. */
int folders_add_outputs(struct folders *folders, const char *command, const char *const *paths,
                        unsigned count);
void folders_free(struct folders *folders);

/* Shards in a folder. */
unsigned folder_shards(const struct folder *folder);

/* Folders with shards, or with a certain one. */
unsigned folders_used(const struct folders *folders);
unsigned folders_with(const struct folders *folders, unsigned shard);

/*
 * The largest number of folders of which any may be lost, where `spare` shards
 * may.  A shard with copies in several folders may make the true number larger,
 * but not smaller.
 */
unsigned folders_losable(const struct folders *folders, unsigned spare);

/* One line of standard output that says so, of so many shards in all. */
void folders_say_losable(const struct folders *folders, unsigned shards, unsigned spare);

#endif
