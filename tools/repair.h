/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of permxor repair share. */
#ifndef PXR_TOOLS_REPAIR_H
#define PXR_TOOLS_REPAIR_H

#include "homes.h"
#include "journal.h"
#include "place.h"
#include "publish.h"
#include "recover.h"
#include "survey.h"

struct repair {
    const struct options *options;
    struct shard_set set;
    struct survey survey;                  /* of the current pass */
    bool chosen[PXR_MAX_SHARDS];           /* shards that the current pass writes */
    bool done[PXR_MAX_SHARDS];             /* shards written or mended by a pass before */
    struct output outputs[PXR_MAX_SHARDS]; /* of the current pass, without gaps */
    unsigned output_of[PXR_MAX_SHARDS];
    unsigned count;                         /* outputs */
    struct homes homes;                     /* of the missing shards */
    enum place_state place[PXR_MAX_SHARDS]; /* what is in their places */
    bool in_the_way;                        /* something is, of some of them */
    /* Of the current pass: cells that are bad, in stripes that cannot be healed. */
    uint64_t beyond[PXR_MAX_SHARDS];
    /* To be left as it is: a cell is unreadable and can be had from nowhere else. */
    bool spared[PXR_MAX_SHARDS];
    struct seen_file guards[PXR_MAX_SHARDS]; /* the set, by index, as it should be */
    struct recovered recovered;

    bool mends[PXR_MAX_SHARDS];  /* shards that the current pass may mend in place */
    bool wanted[PXR_MAX_SHARDS]; /* chosen, or to be mended */
    pthread_mutex_t mending;     /* guards what follows, while a pass reads the shards */
    bool whole[PXR_MAX_SHARDS];  /* shards that cannot be mended in place */
    struct journal journals[PXR_MAX_SHARDS]; /* of the current pass, where there is one */
    uint64_t mended[PXR_MAX_SHARDS];         /* cells in the journal */
    uint64_t healed;                         /* shards, by all passes */
};

/* A shard that a command has left under a temporary name is missing as well. */
bool repair_lacks_name(const struct repair *r, unsigned index);

/* An output for each chosen shard: in its place, or under its usual name. */
int repair_create_outputs(struct repair *r);

/* Guard the shards that were read; and, in a later pass, those that a pass has written. */
int repair_guard_set(struct repair *r);
int repair_guard_written(struct repair *r);

/*
 * Mending in place (repair_mend.c): which shards may be; a cell that was bad and
 * is rebuilt, from any thread; after the pass, header and trailer; is there
 * anything to mend of a shard?  What takes too much is left to the next pass.
 */
bool repair_may_mend(const struct repair *r, unsigned index);
int repair_mend_cell(struct repair *r, struct stripe *stripe, unsigned index);
int repair_mend_flaws(struct repair *r);
bool repair_is_mended(const struct repair *r, unsigned index);
void repair_mend_discard(struct repair *r);

/* A line for each shard that a pass has written or mended. */
void repair_report(const struct repair *r);

/*
 * Name the files that stay as they are although they are not wholly good.  True
 * where some of them are only unreadable.
 */
bool repair_leave_alone(const struct repair *r);

/* Say what could not be healed; the exit status. */
int repair_remains(const struct repair *r, bool unreadable);

#endif
