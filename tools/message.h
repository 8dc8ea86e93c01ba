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
 * Print "permxor: " and one line on standard error, after wiping a progress
 * line.  complain() returns code, so that a failing function can end with it.
 */
int complain(enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Called before each message, while a progress line is on the terminal. */
void message_before(void (*wipe)(void));

#endif
