/* SPDX-License-Identifier: BSD-3-Clause */
/* lists.h - the comma-separated lists of the command line. */
#ifndef PERF_LISTS_H
#define PERF_LISTS_H

#include <stdbool.h>
#include <stddef.h>

/* Takes the next name of a list and moves *at behind it.  Returns false at the list's end. */
bool name_next(const char **at, const char **name, size_t *length);

/* Returns whether a name, which need not be terminated, is that word. */
bool name_is(const char *name, size_t length, const char *word);

/* Writes to standard error that there is no such thing.  Returns false. */
bool name_unknown(const char *what, const char *name, size_t length);

/* Takes the next item of a list of words and moves *at behind it; *choice becomes its index in
   `words`, which NULL ends.  Returns false at the list's end.  An unknown word gives false with
   a message, and *at becomes NULL. */
bool choice_next(const char **at, const char *what, const char *const *words, int *choice);

/*
 * Walk through a list such as "63,4K,1M,1..4096:7" (K and M are 1024-fold; a range may have a
 * stride).  Start with *at at the list's first character and *previous 0; each call gives the
 * next length.  Returns false at the end.  Sets *at to NULL when the list cannot be understood.
 */
bool lengths_next(const char **at, long *previous, int *length);

/* Returns whether all of a list can be understood.  Writes a message when not. */
bool lengths_valid(const char *lengths);

#endif
