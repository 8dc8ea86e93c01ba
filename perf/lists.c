/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "lists.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool list_read(struct list *list, const char *text, list_reader *read)
{
    *list = (struct list){0};
    for (;; text++) {
        const size_t length = strcspn(text, ",");
        if (!read(list, text, length))
            return false;
        text += length;
        if (*text == '\0')
            return true;
    }
}

bool list_add(struct list *list, const void *item, size_t size)
{
    char *const items = realloc(list->items, (list->count + 1) * size);
    if (items == NULL) {
        fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
        return false;
    }
    memcpy(items + list->count++ * size, item, size);
    list->items = items;
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

bool list_add_choice(struct list *list, const char *what, const char *const *words,
                     const char *name, size_t length)
{
    for (int i = 0; words[i] != NULL; i++)
        if (name_is(name, length, words[i]))
            return list_add(list, &i, sizeof i);
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

bool read_length(struct list *list, const char *name, size_t length)
{
    const char *at = name;
    long first = number(&at), last = first, stride = 1;
    if (strncmp(at, "..", 2) == 0) {
        at += 2;
        last = number(&at);
        if (*at == ':') {
            at++;
            stride = number(&at);
        }
    }
    if (first < 1 || last < first || stride < 1 || at != name + length)
        return name_unknown("length", name, length);
    for (; first <= last; first += stride) {
        const int value = (int)first;
        if (!list_add(list, &value, sizeof value))
            return false;
    }
    return true;
}
