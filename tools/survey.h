/* SPDX-License-Identifier: BSD-3-Clause */
/* What a pass over a set has found out about its cells. */
#ifndef PXR_TOOLS_SURVEY_H
#define PXR_TOOLS_SURVEY_H

#include "shardset.h"
#include "stripe.h"

#include <pthread.h>

/* The lowest few members of a set of stripe numbers, and how many there are. */
enum { TALLY_LISTED = 8 };
struct tally {
    uint64_t count;
    uint64_t lowest[TALLY_LISTED]; /* ascending */
};

struct survey {
    pthread_mutex_t lock;
    struct tally corrupt[PXR_MAX_SHARDS]; /* by shard: stripes with a bad cell */
    struct tally lost;                    /* stripes with fewer than k good cells */
    struct tally disagreeing;             /* stripes whose parity is not the data's */
    unsigned fewest;                      /* good cells in any stripe */
};

void survey_init(struct survey *survey);

/* Count the cells of a stripe; from any thread. */
void survey_add(struct survey *survey, const struct shard_set *set,
                const struct stripe *stripe);

/* Count stripes from, from + 1, ... to the end, of which no cell is left. */
void survey_add_rest(struct survey *survey, const struct shard_set *set, uint64_t from);
void survey_add_disagreeing(struct survey *survey, const struct stripe *stripe);

/* Corrupt cells in all shards. */
uint64_t survey_corrupt_cells(const struct survey *survey);

/* " 1, 2, 3" and ", ..." when there are more; out holds TALLY_TEXT bytes. */
enum { TALLY_TEXT = TALLY_LISTED * 22 + 8 };
void tally_text(const struct tally *tally, char out[TALLY_TEXT]);

/* "damaged header, cut short", for the flaws of a shard; "" for none. */
enum { FLAWS_TEXT = 96 };
void flaws_text(unsigned flaws, char out[FLAWS_TEXT]);

#endif
