/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of permxor repair share. */
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
    bool done[PXR_MAX_SHARDS];             /* shards that an earlier pass wrote or mended */
    struct output outputs[PXR_MAX_SHARDS]; /* of the current pass, without gaps */
    unsigned output_of[PXR_MAX_SHARDS];
    unsigned count;                         /* number of outputs */
    struct homes homes;                     /* folders of the missing shards */
    enum place_state place[PXR_MAX_SHARDS]; /* what is in the places of missing shards */
    bool in_the_way;                        /* something is in the way of a missing shard */
    bool barred[PXR_MAX_SHARDS];            /* no output can be created; a message said so */
    struct tally disagreeing; /* stripes rebuilt although their good cells disagree; guarded by
                                 the survey's lock */
    /* Bad cells of the current pass, in stripes that cannot be rebuilt. */
    uint64_t beyond[PXR_MAX_SHARDS];
    /* Shards that stay as they are, because a cell is unreadable and exists nowhere else. */
    bool spared[PXR_MAX_SHARDS];
    struct seen_file guards[PXR_MAX_SHARDS]; /* the set, by index, as it has to be */
    struct recovered recovered;

    bool mends[PXR_MAX_SHARDS];  /* shards that the current pass may mend in place */
    bool wanted[PXR_MAX_SHARDS]; /* chosen, or may be mended */
    pthread_mutex_t mending;     /* guards the following fields, while a pass reads the shards
                                  */
    bool whole[PXR_MAX_SHARDS];  /* shards that cannot be mended in place */
    struct journal journals[PXR_MAX_SHARDS]; /* of the current pass, if there is one */
    uint64_t mended[PXR_MAX_SHARDS];         /* cells in the journal */
    uint64_t healed;                         /* number of shards healed by all passes */
};

/* A shard that a command has left under a temporary name counts as missing, too. */
bool repair_lacks_name(const struct repair *r, unsigned index);

/* Creates an output for each chosen shard: in the shard's place, or under its usual name.  A
   shard for which the system refuses it is reported, and is not chosen any more. */
int repair_create_outputs(struct repair *r);

/* Guard the shards that were read; and, in a later pass, the shards that a pass has written. */
int repair_guard_set(struct repair *r);
int repair_guard_written(struct repair *r);

/*
 * Mending in place (repair_mend.c). repair_may_mend(): may this shard be mended?
 * repair_mend_cell(): mends a cell that was bad and is rebuilt; any thread may call it.
 * repair_mend_flaws(): mends header and trailer after the pass. repair_is_mended(): is there
 * anything to mend in this shard?  A shard that needs too much is left to the next pass.
 */
bool repair_may_mend(const struct repair *r, unsigned index);
int repair_mend_cell(struct repair *r, struct stripe *stripe, unsigned index);
int repair_mend_flaws(struct repair *r);
bool repair_is_mended(const struct repair *r, unsigned index);
void repair_mend_discard(struct repair *r);

/* Prints a line for each shard that a pass has written or mended. */
void repair_report(const struct repair *r);

/*
 * Names the files that stay as they are although they are not wholly good.  Returns true when
 * some of them are only unreadable.
 */
bool repair_leave_alone(const struct repair *r);

/* Reports what could not be healed.  Returns the exit status. */
int repair_remains(const struct repair *r, bool unreadable);

#endif
