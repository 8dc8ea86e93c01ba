/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advisory locks on folders.  Only one command at a time gives files their names in a folder,
 * and no other command looks at the files meanwhile.  On file systems without locks, commands
 * work without them.
 */
#ifndef PXR_TOOLS_LOCK_H
#define PXR_TOOLS_LOCK_H

#include <stdbool.h>
#include <sys/types.h>

struct lock_folder {
    dev_t device;
    ino_t inode;
    int fd;
};

/* Initialize with zeros (memset). */
struct lock {
    struct lock_folder *folders;
    unsigned count;
    size_t room;
};

/*
 * Adds the folder of a path.  Returns STATUS_OK, also when it cannot be opened, or
 * STATUS_SYSTEM with a message when resources are missing.
 */
int lock_add(struct lock *lock, const char *path);

/* Does the same for the folder itself. */
int lock_add_folder(struct lock *lock, const char *directory);

/* Waits for all of the folders, in an order that is the same in every program. */
void lock_take(struct lock *lock);

/*
 * Does the same for a command that only looks at files, together with other such commands.
 * Returns false when another process has held a folder for seconds.  Then a reader continues
 * without the lock, because that process may have been stopped, or may be the one that started
 * the reader.
 */
bool lock_share(struct lock *lock);

/* Releases what was taken, and frees. */
void lock_release(struct lock *lock);

/*
 * Returns whether another process holds an open file against this flock() operation.  It does
 * not wait, and keeps the lock if it gets it.  On file systems without locks it returns false.
 */
bool lock_is_held(int fd, int operation);

#endif
