/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lineup.h - the subjects that a command line names: libraries, and their kernel sets.
 *
 *     [NAME=]PATH[@[SET][,SETTING]...]
 *     [NAME=]PATH[:SUFFIX]
 *     PATH@all
 *
 * A setting is a line of doc/tune.md for pxr_tune_apply(), for example "way dot own=sources 4".
 *
 * The first subject is the reference, with which all others are compared.  The same file may be
 * named several times: with several sets, or for a self-test under several names. @all makes a
 * subject of each of the file's sets that runs here; the subject has the set's name.
 */
#ifndef PERF_LINEUP_H
#define PERF_LINEUP_H

#include <stdbool.h>
#include <stddef.h>

#include "library.h"

#define LINEUP_MOST 16
#define LINEUP_LONGEST_NAME 39

struct entry {
    char *copy;           /* of the word that names the subject, with its parts terminated */
    const char *name;     /* the file's name and @SET, unless NAME= is given */
    const char *set;      /* kernel set to work with; "": the library's own choice */
    const char *settings; /* one a line; "": none */
    const char *suffix;   /* ending of its functions' names, or "" */
    struct library library;
    int (*select)(const char *set);     /* NULL: no entry selects a set of this file */
    const char *selection;              /* its argument: `set`, or the library's own choice */
    int (*apply)(const char *settings); /* NULL: no entry changes a setting of this file */
};

struct lineup {
    size_t count;
    struct entry entry[LINEUP_MOST];
};

/* Load the subjects that the words name, which must stay where they are.  Where one of them
   cannot be loaded, returns false, with a message and nothing left open. */
bool lineup_open(struct lineup *lineup, char *const *words, size_t count);

void lineup_close(struct lineup *lineup);

/* Print what was loaded. */
void lineup_describe(const struct lineup *lineup);

/* The reason why a subject is not timed when memory runs out.  Callers compare its address:
   every other reason lies in the subject, while this one makes the run fail. */
extern const char out_of_memory[];

/* The set or suffix of all entries where these are all the same.  "dispatched" where they
   differ, or there is none. */
const char *lineup_variant(const struct lineup *lineup);

/* The kernel set that calls use unless they ask for another one, according to a library's
   pxr_kernel_info(). */
typedef int kernel_info_fn(unsigned index, struct pxr_kernel_info *row, size_t size);
const char *selected_set(kernel_info_fn *info);

/* Make the library work with the entry's set and settings from now on.  Entries of one file
   share one selection, so every batch calls this.  Each subject begins its turn with a batch
   that is not timed, and only there does the call take time. */
void entry_select(const struct entry *entry);

#endif
