/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "message.h"

#include <stdarg.h>
#include <stdio.h>

static void (*wipe_progress)(void);

void message_before(void (*wipe)(void))
{
    wipe_progress = wipe;
}

static void print_line(const char *format, va_list arguments)
{
    if (wipe_progress != NULL)
        wipe_progress();
    flockfile(stderr);
    fputs("permxor: ", stderr);
    vfprintf(stderr, format, arguments);
    putc('\n', stderr);
    funlockfile(stderr);
}

int complain(enum exit_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    return code;
}

void warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}
