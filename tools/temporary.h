/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files under temporary names.  SIGINT, SIGTERM, SIGHUP and SIGPIPE remove them and end the
 * program.  A lock on each file tells that the program is still at work, so that its files can
 * be distinguished from those of a program that was killed.
 */
#ifndef PXR_TOOLS_TEMPORARY_H
#define PXR_TOOLS_TEMPORARY_H

#include <signal.h>
#include <stdbool.h>

/* Call it once, in the main thread, before other threads start. */
void temporary_catch_signals(void);

/* Between these two calls the signals wait. */
void temporary_block_signals(sigset_t *before);
void temporary_restore_signals(const sigset_t *before);

/* Returns a new temporary name in the directory of a path, allocated, or NULL with errno set.
 */
char *temporary_path(const char *path);

/* Returns whether temporary_path() could have made this name, which is the last component of a
   path. */
bool temporary_name(const char *name);

/*
 * Creates the file, for its owner alone, and returns a descriptor, or -1 with errno set.  The
 * string must stay where it is until it is forgotten.
 */
int temporary_create(const char *temporary);

/* After this call a signal does not remove the file. */
void temporary_forget(const char *temporary);

/* Removes the file, and forgets its name. */
void temporary_remove(const char *temporary);

#endif
