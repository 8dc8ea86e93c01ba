/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advisory locks on folders, so that of several commands one at a time gives
 * files their names there, and none looks at them meanwhile.  File systems
 * without locks go without.
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

/* Start with memset 0. */
struct lock {
    struct lock_folder *folders;
    unsigned count;
    size_t room;
};

/*
 * Add the folder of a path.  Returns STATUS_OK, also where it cannot be
 * opened, or STATUS_SYSTEM for want of resources, with a message.
 */
int lock_add(struct lock *lock, const char *path);

/* The same for the folder itself. */
int lock_add_folder(struct lock *lock, const char *directory);

/* Wait for all of the folders, in an order that is the same in every program. */
void lock_take(struct lock *lock);

/*
 * The same with others who only look at files.  False where somebody else has
 * held a folder for seconds: a reader goes on without, for the one who holds
 * it may have been stopped, or be the one who started the reader.
 */
bool lock_share(struct lock *lock);

/* Give up what was taken, and free. */
void lock_release(struct lock *lock);

/*
 * Can this flock() operation not be had of an open file, since another process
 * holds it?  Does not wait, and keeps what it gets; on file systems without locks
 * nobody holds one.
 */
bool lock_is_held(int fd, int operation);

#endif
