/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files under temporary names.  SIGINT, SIGTERM, SIGHUP and SIGPIPE remove them
 * and end the program.  A lock on each says that the program is still at it, so
 * that its files are told from those of one that was killed.
 */
#ifndef PXR_TOOLS_TEMPORARY_H
#define PXR_TOOLS_TEMPORARY_H

#include <signal.h>
#include <stdbool.h>

/* Call once, in the main thread, before other threads start. */
void temporary_catch_signals(void);

/* Between these the signals wait. */
void temporary_block_signals(sigset_t *before);
void temporary_restore_signals(const sigset_t *before);

/* A new temporary name in the directory of a path, allocated; NULL with errno set. */
char *temporary_path(const char *path);

/* Could temporary_path() have made this name, the last component of a path? */
bool temporary_name(const char *name);

/*
 * Create the file, for its owner alone, and return a descriptor, or -1 with
 * errno set.  The name must stay where it is until it is forgotten.
 */
int temporary_create(const char *temporary);

/* Leave the name alone when a signal comes. */
void temporary_forget(const char *temporary);

/* Remove and forget it. */
void temporary_remove(const char *temporary);

#endif
