/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "message.h"

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

static void (*volatile wipe_progress)(void);

void message_before(void (*wipe)(void))
{
    wipe_progress = wipe;
}

/* ------------------------------------------------------------ printable -- */

/*
 * Returns the number of bytes of the UTF-8 character at `s`, or 0 when it must not reach a
 * terminal: a control character of one byte or of two (U+0080 to U+009F), or a byte that does
 * not belong to any character.
 */
static size_t printable_length(const unsigned char *s)
{
    unsigned char low = 0x80, high = 0xbf;
    if (s[0] < 0x80)
        return s[0] >= 0x20 && s[0] != 0x7f;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    /* The limits of the second byte exclude characters with a shorter form, and surrogates. */
    if (s[0] == 0xc2 || s[0] == 0xe0)
        low = 0xa0;
    else if (s[0] == 0xf0)
        low = 0x90;
    if (s[0] == 0xed)
        high = 0x9f;
    else if (s[0] == 0xf4)
        high = 0x8f;
    if (s[1] < low || s[1] > high)
        return 0;
    size_t length = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    for (size_t i = 2; i < length; i++)
        if (s[i] < 0x80 || s[i] > 0xbf)
            return 0;
    return length;
}

static void make_printable(char *text)
{
    while (*text != '\0') {
        size_t length = printable_length((unsigned char *)text);
        if (length == 0)
            *text = '?';
        text += length == 0 ? 1 : length;
    }
}

/*
 * Room for a message with two paths of any length that the system accepts; longer text is cut.
 * It is on the stack, because the message may report that memory has run out.
 */
enum { LINE_MAX_BYTES = 2 * PATH_MAX + 1024 };

static void print(FILE *file, const char *prefix, const char *format, va_list arguments,
                  const char *end)
{
    char text[LINE_MAX_BYTES];
    vsnprintf(text, sizeof text, format, arguments);
    make_printable(text);
    flockfile(file);
    fputs(prefix, file);
    fputs(text, file);
    fputs(end, file);
    funlockfile(file);
}

/* ------------------------------------------------------------- messages -- */

void message_wipe(void)
{
    void (*wipe)(void) = wipe_progress;
    if (wipe != NULL)
        wipe();
}

static void print_line(const char *format, va_list arguments)
{
    message_wipe();
    print(stderr, "permxor: ", format, arguments, "\n");
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

void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(stdout, "", format, arguments, "");
    va_end(arguments);
}

void say_line(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(stdout, "", format, arguments, "\n");
    va_end(arguments);
}
