/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "lists.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ names -- */

bool name_next(const char **at, const char **name, size_t *length)
{
    if (**at == '\0')
        return false;
    *name = *at;
    *length = strcspn(*at, ",");
    *at += *length;
    if (**at == ',')
        ++*at;
    return true;
}

bool name_is(const char *name, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(name, word, length) == 0;
}

bool name_unknown(const char *what, const char *name, size_t length)
{
    fprintf(stderr, "%s: there is no %s called '%.*s'\n", program_invocation_short_name, what,
            (int)length, name);
    return false;
}

bool choice_next(const char **at, const char *what, const char *const *words, int *choice)
{
    const char *name;
    size_t length;
    if (!name_next(at, &name, &length))
        return false;
    for (*choice = 0; words[*choice] != NULL; ++*choice)
        if (name_is(name, length, words[*choice]))
            return true;
    *at = NULL;
    return name_unknown(what, name, length);
}

/* ---------------------------------------------------------------- lengths -- */

/* Reads a number with its unit, and advances *at.  Returns -1 when there is none. */
static long number(const char **at)
{
    char *end;
    if (**at < '0' || **at > '9')
        return -1;
    long value = strtol(*at, &end, 10);
    long unit = *end == 'K' ? 1024 : *end == 'M' ? 1024 * 1024 : 1;
    *at = unit > 1 ? end + 1 : end;
    return value <= INT_MAX / unit ? value * unit : -1;
}

static bool broken(const char **at)
{
    *at = NULL;
    return false;
}

/*
 * *at stays on a range until the range's end has been reached, so each step reads the range
 * anew; *previous is the length that it gave last.
 */
bool lengths_next(const char **at, long *previous, int *length)
{
    const char *cursor = *at;
    if (*cursor == '\0')
        return false;
    long first = number(&cursor), last = first, stride = 1;
    if (strncmp(cursor, "..", 2) == 0) {
        cursor += 2;
        last = number(&cursor);
        if (*cursor == ':') {
            cursor++;
            stride = number(&cursor);
        }
    }
    if (first < 1 || last < first || stride < 1 || (*cursor != ',' && *cursor != '\0'))
        return broken(at);
    long value = *previous ? *previous + stride : first;
    *length = (int)value;
    *previous = value;
    if (value + stride > last) {
        *previous = 0;
        *at = *cursor == ',' ? cursor + 1 : cursor;
    }
    return true;
}

bool lengths_valid(const char *lengths)
{
    long previous = 0;
    int length;
    const char *at = lengths;
    while (lengths_next(&at, &previous, &length))
        ;
    if (at == NULL)
        fprintf(stderr, "%s: not a list of lengths: %s\n", program_invocation_short_name,
                lengths);
    return at != NULL;
}
