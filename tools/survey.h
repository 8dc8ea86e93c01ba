/* SPDX-License-Identifier: BSD-3-Clause */
/* What a pass over a set has found out about its cells. */
#ifndef PXR_TOOLS_SURVEY_H
#define PXR_TOOLS_SURVEY_H

#include "shardset.h"
#include "stripe.h"

#include <pthread.h>

struct survey {
    pthread_mutex_t lock;     /* also guards the tallies of the files */
    struct tally lost;        /* stripes with fewer than k good cells */
    struct tally blocked;     /* the same, but at least k with those that cannot be read */
    struct tally disagreeing; /* stripes whose parity does not match the data */
    unsigned fewest;          /* the fewest good cells in any stripe */
};

/* Begins a pass.  It also empties the tallies of the files. */
void survey_init(struct survey *survey, struct shard_set *set);

/* Count a cell that is not good, and what is left of a stripe.  Any thread may call them. */
void survey_add_cell(struct survey *survey, struct shard_file *file, uint64_t stripe,
                     enum cell_state state, int error);
void survey_add(struct survey *survey, const struct shard_set *set,
                const struct stripe *stripe);

/* Counts the stripes from, from + 1, ... to the end, of which no cell is left. */
void survey_add_rest(struct survey *survey, const struct shard_set *set, uint64_t from);

/* The number of cells that are not good in all files of the set. */
struct survey_cells {
    uint64_t corrupt, unreadable;
};
struct survey_cells survey_cells(const struct shard_set *set);

/* Return whether anything is wrong with a file, and whether any part of it cannot be read. */
bool file_is_damaged(const struct shard_file *file);
bool file_is_unreadable(const struct shard_file *file);

/*
 * Returns the best of the copies of a shard: one that is wholly good, or else one that may be
 * good except for read errors, or else the first.  A copy under a temporary name, which users
 * may remove, is returned only if no copy has a name of its own.
 */
const struct shard_file *best_copy(const struct shard_file *copies);

/* Writes "damaged header, cut short" for the flaws of a shard, or "" for none. */
enum { FLAWS_TEXT = 96 };
void flaws_text(unsigned flaws, char out[FLAWS_TEXT]);

enum { STATE_TEXT = FLAWS_TEXT + 3 * TALLY_TEXT + 256 };

/*
 * Writes "2 corrupt cells (stripes 3, 6)" from out[at] on, if there are any, and after a comma
 * if `at` is not 0.  Returns where the text ends.
 */
int cells_text(const struct tally *cells, const char *kind, bool stripes, char out[STATE_TEXT],
               int at);

/* Writes all that is wrong with a file, with the stripes if asked for, or "ok". */
void state_text(const struct shard_file *file, bool stripes, char out[STATE_TEXT]);

#endif
