/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library for LD_PRELOAD that makes one call of a program to the system fail, or ends the
 * program there as a crash would.  unit/faults/faults.py drives it; the environment says what:
 *
 *   FAULTS_ROOT   the folder whose files are watched; all else is left alone
 *   FAULTS_LOG    a file that gets a line for each call: NUMBER NAME PATH
 *   FAULTS_AT     the number of the call, from 1 on, or 0
 *   FAULTS_DO     an error number; `zero` (0 bytes moved), `short` (half of them), `kill`
 *                 (SIGKILL after the call), `torn` (SIGKILL after half the bytes), `stop`
 *                 (SIGSTOP before the call)
 *   FAULTS_STAYS  1: later calls of that name fail as well
 *   FAULTS_LACKS  the name of a call that always fails with EINVAL, as file systems do that
 *                 do not have it
 *   FAULTS_LOSS   what a crash loses, at the kill or, without one, at the exit: see loss.c
 *   FAULTS_SEED   a number that the program's random numbers depend on
 *   FAULTS_KEEP   a folder outside FAULTS_ROOT on the same file system
 */
#ifndef PXR_UNIT_FAULTS_H
#define PXR_UNIT_FAULTS_H

#include <stdbool.h>
#include <sys/types.h>

/* ---------------------------------------------------------- faults.c -- */

enum verdict { PASS, FAIL, ZERO, SHORT, KILL, TORN, STOP };

/*
 * Every watched call lies between these two, which hold a lock, so that the numbers are in
 * the order of the calls.  call_end() does not return from a kill; errno is kept, and is the
 * error asked for after FAIL.
 */
enum verdict call_begin(const char *name, const char *path);
void call_end(enum verdict verdict);

/* The absolute path, or NULL where it is not watched.  Of the thread, for four calls. */
const char *watched_path(int folder, const char *path);
const char *watched_fd(int fd);
void watch_fd(int fd, const char *path); /* NULL: no longer */

/* The function that would have been called; its type is the caller's business. */
void *next_function(const char *name);

/* ------------------------------------------------------------ loss.c -- */

/* Before and after the contents change by a descriptor.  Length 0: the size alone changed. */
void loss_before_write(int fd);
void loss_written(int fd, off_t offset, size_t length);
void loss_synced(int fd); /* of a file or a folder */

/*
 * An error of fsync or close: the kernel has thrown away what it could not write, and a
 * second sync that succeeds does not bring it back.
 */
void loss_of_unsynced(int fd);

/*
 * A close hands what was written over to the file system, or reports that it
 * could not, and then all since the last sync is lost.  A further close of the
 * same file has nothing left to hand over.
 */
void loss_closed(int fd);
void loss_at_close(int fd);

/*
 * Names.  keep: before a name goes, hold its file; the result is for the record that
 * follows the call, and may be NULL.
 */
enum change { MADE, REMOVED, RENAMED, EXCHANGED };
char *loss_keep(const char *path);
void loss_record(enum change change, const char *from, const char *to, char *kept);

/* The crash: loses what FAULTS_LOSS says, `mode`. */
void loss_apply(const char *mode);

#endif
