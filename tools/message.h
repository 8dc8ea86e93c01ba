/* SPDX-License-Identifier: BSD-3-Clause */
/* Exit codes and error messages of the command. */
#ifndef PXR_TOOLS_MESSAGE_H
#define PXR_TOOLS_MESSAGE_H

enum exit_code {
    STATUS_OK = 0,
    STATUS_DAMAGE = 1, /* verify found damage that repair can fix */
    STATUS_USAGE = 2,  /* the command line is wrong */
    STATUS_SYSTEM = 3, /* input, output, memory or permission failed */
    STATUS_LOST = 4,   /* more is lost than the parity can restore */
    STATUS_REFUSED = 5 /* the shards do not belong together, or none is usable */
};

/*
 * Names and paths come from the people who made the files, and a terminal obeys control
 * characters.  So these functions print '?' for each control character, also for newlines, and
 * for each byte that is not valid UTF-8.
 */

/*
 * Prints "permxor: " and one line to standard error, after wiping a progress line. complain()
 * returns code, so that a failing function can end with it.
 */
int complain(enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Print a part of a line, and a whole line, to standard output. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Sets the function that is called before each message, while a progress line is on the
 * terminal. message_wipe() also calls it, for handlers of signals, so it must be safe in them.
 */
void message_before(void (*wipe)(void));
void message_wipe(void);

#endif
