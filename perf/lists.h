/* SPDX-License-Identifier: BSD-3-Clause */
/* lists.h - the comma-separated lists of the command line. */
#ifndef PERF_LISTS_H
#define PERF_LISTS_H

#include <stdbool.h>
#include <stddef.h>

/* Next name of a list, which *at moves along; false at its end. */
bool name_next(const char **at, const char **name, size_t *length);

/* Whether a name, which need not be terminated, is that word. */
bool name_is(const char *name, size_t length, const char *word);

/* Tells standard error that there is no such thing; false. */
bool name_unknown(const char *what, const char *name, size_t length);

/* Next of a list of the words, which NULL ends, as its number; *at moves along.  False at the
   list's end, or, with a message, where there is no such word: *at is NULL then. */
bool choice_next(const char **at, const char *what, const char *const *words, int *choice);

/*
 * Walk through a list such as "63,4K,1M,1..4096:7" (K and M are 1024-fold; a
 * range may have a stride).  Start with *at at the list's first character and
 * *previous 0; each call gives the next length.  False at the end; sets *at to
 * NULL when the list cannot be understood.
 */
bool lengths_next(const char **at, long *previous, int *length);

/* Whether all of a list can be understood; else there is a message. */
bool lengths_valid(const char *lengths);

#endif
