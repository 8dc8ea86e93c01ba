/* SPDX-License-Identifier: BSD-3-Clause */
/* raid_subject.h - an operation made ready for its blocks, and the comparison of two. */
#ifndef PERF_RAID_SUBJECT_H
#define PERF_RAID_SUBJECT_H

#include "lineup.h"
#include "permxor_raid.h"
#include "raid_ops.h"

/* What the number of disks, the length and the memory are. */
struct raid_shape {
    unsigned n;
    int len;
    enum walk_mode mode;
};

/* The context of an operation's batches. */
struct raid_subject {
    const struct raid_op *op;
    const char *name;          /* in tables */
    const char *refused;       /* why it cannot be timed, or NULL */
    const char *set;           /* of permxor.h: the kernel set to run with */
    const struct entry *entry; /* of a library, which knows its own set; or NULL */
    union {
        void *any;
        int (*array)(int vects, int len, void **array);
        int (*detect)(void *mem, size_t len);
        uint32_t (*adler)(uint32_t init, const u8 *buf, uint64_t len);
    } call; /* of raid_peers */

    unsigned n;
    size_t len;
    unsigned first, span; /* of a change */
    unsigned lost[2], lost_count;
    pxr_code *code;    /* of a decode */
    struct walk *walk; /* that of another subject, too, where stripes are the same */
    size_t row_pointers;
    u8 **rows; /* of every stripe; a decode's: n+2 to have, n+2 to want */
};

/* The function `op` of a library, refused where it has none. */
struct raid_subject raid_subject_of(const struct raid_op *op, const struct entry *entry,
                                    const char *suffix);

/*
 * Lay out the blocks of all subjects in the arena.  Those with stripes of another size
 * than the first one's walk over memory of their own; there are no more than two sizes, and
 * room for two walks. NULL, or the reason why it cannot be done; close in either case.
 */
const char *raid_subjects_open(struct raid_subject *subjects, size_t count,
                               const struct raid_shape *shape,
                               const struct placement *placement, struct arena *arena,
                               struct walk *walks);
void raid_subjects_close(struct raid_subject *subjects, size_t count);

/* Put into the blocks of all stripes, or of one, what the operation asks for. */
void raid_subject_stage(const struct raid_subject *subject);
void raid_subject_stage_stripe(const struct raid_subject *subject, size_t stripe);

/* Let calls work with the subject's kernel set from now on. */
void raid_subject_select(const struct raid_subject *subject);

/* The operation `calls` times, along the walk: an engine_batch. */
void raid_subject_batch(void *subject, size_t calls);

/*
 * Whether two subjects return and write the same on stripe 0, with right blocks and
 * with wrong bytes in them.  NULL, or what differs.
 */
const char *raid_subjects_compare(const struct raid_subject *a, const struct raid_subject *b);

/* Whether a subject does what it does with the portable set: NULL, or what differs. */
const char *raid_subject_judge(const struct raid_subject *subject);

#endif
