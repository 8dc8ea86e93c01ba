/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library for LD_PRELOAD that makes one system call of a program fail, or ends the program
 * there as a crash would.  unit/faults/faults.py drives it.  The environment says what to do:
 *
 *   FAULTS_ROOT   the folder whose files are watched; all else is left alone
 *   FAULTS_LOG    a file that gets a line for each call: NUMBER NAME PATH
 *   FAULTS_AT     the number of the call, from 1 on, or 0
 *   FAULTS_DO     an error number; `zero` (0 bytes moved), `short` (half of them), `kill`
 *                 (SIGKILL after the call), `torn` (SIGKILL after half the bytes), `stop`
 *                 (SIGSTOP before the call)
 *   FAULTS_STAYS  1: later calls of that name fail as well
 *   FAULTS_LACKS  the name of a call that always fails with EINVAL, as in a file system that
 *                 does not have this call
 *   FAULTS_LOSS   what a crash loses (see loss.c); the crash is at the kill or, without a kill,
 *                 at the exit
 *   FAULTS_SEED   a number that the program's random numbers depend on
 *   FAULTS_KEEP   a folder outside FAULTS_ROOT on the same file system, where files are kept
 *                 that a crash may bring back
 */
#ifndef PXR_UNIT_FAULTS_H
#define PXR_UNIT_FAULTS_H

#include <stdbool.h>
#include <sys/types.h>

/* ---------------------------------------------------------- faults.c -- */

enum verdict { PASS, FAIL, ZERO, SHORT, KILL, TORN, STOP };

/*
 * Every watched call is made between these two functions.  Between them a lock is held, so that
 * the numbers are in the order of the calls.  call_end() does not return if the program is
 * killed.  It keeps errno and, after FAIL, sets errno to the requested error.
 */
enum verdict call_begin(const char *name, const char *path);
void call_end(enum verdict verdict);

/* False before main(): constructors of other libraries may run before ours, and make calls. */
bool is_watching(void);

/* The absolute path, or NULL if it is not watched.  The result of watched_path() stays valid
   during the thread's next three calls of watched_path(). */
const char *watched_path(int folder, const char *path);
const char *watched_fd(int fd);
void watch_fd(int fd, const char *path); /* NULL: stop watching */

/* The C library's function of this name.  The caller knows its type. */
void *next_function(const char *name);

/* ------------------------------------------------------------ loss.c -- */

/* Call these before and after the contents of a file change through a descriptor.  Length 0
   means that only the size changed. */
void loss_before_write(int fd);
void loss_written(int fd, off_t offset, size_t length);
void loss_synced(int fd); /* fd may be a file or a folder */

/*
 * Call this when fsync or close reports an error.  The kernel has then thrown away what it
 * could not write, and a second sync that succeeds does not bring it back.
 */
void loss_of_unsynced(int fd);

/*
 * A close passes what was written on to the file system (loss_closed), or reports that it could
 * not (loss_at_close).  In the second case, everything since the last sync is lost.  A further
 * close of the same file has nothing left to pass on.
 */
void loss_closed(int fd);
void loss_at_close(int fd);

/*
 * Changes of names.  Call loss_keep() before a name goes, so that its file is kept.  Pass the
 * result, which may be NULL, to loss_record() after the call.
 */
enum change { MADE, REMOVED, RENAMED, EXCHANGED };
char *loss_keep(const char *path);
void loss_record(enum change change, const char *from, const char *to, char *kept);

/* The crash.  Loses what `mode`, the value of FAULTS_LOSS, says. */
void loss_apply(const char *mode);

#endif
