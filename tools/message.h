/* SPDX-License-Identifier: BSD-3-Clause */
/* Exit codes and error messages of the command. */
#ifndef PXR_TOOLS_MESSAGE_H
#define PXR_TOOLS_MESSAGE_H

enum exit_code {
    STATUS_OK = 0,
    STATUS_DAMAGE = 1, /* verify found damage that repair can heal */
    STATUS_USAGE = 2,  /* the command line makes no sense */
    STATUS_SYSTEM = 3, /* input, output, memory or permission failed */
    STATUS_LOST = 4,   /* more is lost than the parity can restore */
    STATUS_REFUSED = 5 /* the shards do not belong together, or none is usable */
};

/*
 * Names and paths come from whoever made the files, and a terminal obeys what
 * control characters tell it.  So these functions print '?' for each of them,
 * newlines too, and for each byte that is not of UTF-8.
 */

/*
 * Print "permxor: " and one line on standard error, after wiping a progress
 * line.  complain() returns code, so that a failing function can end with it.
 */
int complain(enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print a part of a line on standard output, or a line. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Called before each message, while a progress line is on the terminal; and by
 * message_wipe(), for handlers of signals: it must be safe in them.
 */
void message_before(void (*wipe)(void));
void message_wipe(void);

#endif
