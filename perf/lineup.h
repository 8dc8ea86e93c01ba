/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lineup.h - the subjects that a command line names: libraries, and kernel sets of them.
 *
 *     [NAME=]PATH[@[SET][,SETTING]...]
 *     [NAME=]PATH[:SUFFIX]
 *     PATH@all
 *
 * A setting is a line of doc/tune.md for pxr_tune_apply(), "way dot own=sources 4".
 *
 * The first one is the reference, which all others are compared with.  The same file may
 * be named several times: with several sets, or for a self-test under several names.  All of
 * its sets that run here are subjects by @all, which are called as the sets are.
 */
#ifndef PERF_LINEUP_H
#define PERF_LINEUP_H

#include <stdbool.h>
#include <stddef.h>

#include "library.h"

#define LINEUP_MOST 16
#define LINEUP_LONGEST_NAME 39
#define LINEUP_LONGEST_SETTINGS 1023

struct entry {
    char name[LINEUP_LONGEST_NAME + 1]; /* the file's name and @SET unless NAME= is given */
    char set[LINEUP_LONGEST_NAME +
             1]; /* kernel set to work with; "": the library's own choice */
    char settings[LINEUP_LONGEST_SETTINGS + 1]; /* lines; "": none */
    char suffix[LINEUP_LONGEST_NAME + 1]; /* of its functions' names; "": as the shape says */
    struct library library;
    int (*select)(const char *set);     /* NULL: nobody selects a set of this file */
    const char *selection;              /* what it is called with: `set` or the own choice */
    int (*apply)(const char *settings); /* NULL: nobody changes a setting of this file */
};

struct lineup {
    size_t count;
    struct entry entry[LINEUP_MOST];
};

/* Load the subjects that the words name.  False, with a message and nothing left open,
   where one of them cannot be had. */
bool lineup_open(struct lineup *lineup, char *const *words, size_t count);

void lineup_close(struct lineup *lineup);

/* Say what was loaded. */
void lineup_describe(const struct lineup *lineup);

/* Why a subject is not timed where memory runs out.  It is known by its address: other reasons
   lie in the subject, this one fails the run. */
extern const char out_of_memory[];

/* Why an entry cannot work on a shape with that suffix ("": the dispatched functions); NULL: it
   can. */
const char *entry_refuses(const struct entry *entry, const char *suffix);

/* What its functions' names end in on such a shape. */
const char *entry_suffix(const struct entry *entry, const char *suffix);

/* What all entries are confined to by the suffix, or by their own sets and suffixes where these
   are the same: "dispatched" where they are not. */
const char *lineup_variant(const struct lineup *lineup, const char *suffix);

/* The kernel set that calls use unless another one is asked for, by a library's
   pxr_kernel_info(). */
typedef int kernel_info_fn(unsigned index, struct pxr_kernel_info *row, size_t size);
const char *selected_set(kernel_info_fn *info);

/* Let the library work with the entry's set from now on.  Entries of one file share one
   selection, so this is called in each batch; it takes 20 ns. */
void entry_select(const struct entry *entry);

#endif
