/* SPDX-License-Identifier: BSD-3-Clause */
/* lists.h - the comma-separated lists of the command line. */
#ifndef PERF_LISTS_H
#define PERF_LISTS_H

#include <stdbool.h>
#include <stddef.h>

/* What the names of a list stand for.  All items of a list have the same type. */
struct list {
    void *items;
    size_t count;
};

/* Adds the items that a name stands for, which need not be terminated.  Returns false, with a
   message, where it stands for nothing. */
typedef bool list_reader(struct list *list, const char *name, size_t length);

/* Reads a whole text into a list.  Returns false, with a message, where a name stands for
   nothing, as the empty one does.  The caller frees the items in either case. */
bool list_read(struct list *list, const char *text, list_reader *read);

/* Adds a copy of an item.  Returns false, with a message, when memory runs out. */
bool list_add(struct list *list, const void *item, size_t size);

/* Adds the index in `words`, which NULL ends, as an int. */
bool list_add_choice(struct list *list, const char *what, const char *const *words,
                     const char *name, size_t length);

/* Reads lengths as ints, as in "63,4K,1M,1..4096:7": K and M are 1024-fold, and a range may
   have a stride. */
list_reader read_length;

/* Returns whether a name, which need not be terminated, is that word. */
bool name_is(const char *name, size_t length, const char *word);

/* Writes to standard error that there is no such thing.  Returns false. */
bool name_unknown(const char *what, const char *name, size_t length);

#endif
