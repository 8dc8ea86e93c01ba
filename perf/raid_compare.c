/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Do two subjects do the same?  Each works on the same bytes: once as the operation
 * asks for them, and then with one byte of the first block that it reads changed, in the
 * beginning, in the middle and at the end.  What it returns and what it writes is kept.
 */
#include <stdlib.h>
#include <string.h>

#include "raid_subject.h"

enum { TRIALS = 4, MOST_WRITTEN = 2 };

struct outcome {
    size_t value[TRIALS];
    size_t size;
    u8 *bytes; /* TRIALS times the blocks that are written */
};

/* The shards that a call writes: how many, and which. */
static unsigned written(const struct raid_subject *s, unsigned *shard)
{
    const unsigned data = raid_op_data(s->op, s->n);
    if (s->op->lost) {
        memcpy(shard, s->lost, s->lost_count * sizeof *shard);
        return s->lost_count;
    }
    if (!s->op->writes)
        return 0;
    for (unsigned i = 0; i < s->op->parities; i++)
        shard[i] = data + i;
    return s->op->parities;
}

/* The first block that is not lost: it is read. */
static unsigned first_read(const struct raid_subject *s)
{
    unsigned shard = 0;
    /* The lost ones ascend. */
    for (unsigned i = 0; i < s->lost_count && s->lost[i] == shard; i++)
        shard++;
    return shard;
}

static void change_a_byte(const struct raid_subject *s, unsigned trial)
{
    const size_t at[TRIALS] = {0, 0, s->len / 2, s->len - 1};
    if (trial > 0)
        walk_shard(s->walk, 0, first_read(s))[at[trial]] ^= 0x21;
}

/* The same bytes for whoever comes; what is not added to is filled with others, so
   that two which write nothing at all do not agree. */
static void fill(const struct raid_subject *s, unsigned trial, unsigned turn,
                 const unsigned *shard, unsigned shards)
{
    for (size_t i = 0; i < s->walk->width; i++)
        buffers_fill(walk_shard(s->walk, 0, i), s->len, 1 + i);
    pxr_kernel_select("base");
    raid_subject_stage_stripe(s, 0);
    change_a_byte(s, trial);
    for (unsigned i = 0; i < shards && !s->op->adds; i++)
        memset(walk_shard(s->walk, 0, shard[i]), (int)(0xa5 + turn), s->len);
}

static bool outcome_of(const struct raid_subject *s, unsigned turn, struct outcome *o)
{
    unsigned shard[MOST_WRITTEN], shards = written(s, shard);
    *o = (struct outcome){.size = TRIALS * shards * s->len};
    u8 *at = o->bytes = malloc(o->size + 1);
    if (at == NULL)
        return false;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        fill(s, trial, turn, shard, shards);
        raid_subject_select(s);
        o->value[trial] = s->op->run(s, s->rows);
        for (unsigned i = 0; i < shards; i++, at += s->len)
            memcpy(at, walk_shard(s->walk, 0, shard[i]), s->len);
    }
    return true;
}

static const char *difference(const struct outcome *a, const struct outcome *b)
{
    if (memcmp(a->value, b->value, sizeof a->value) != 0)
        return "they return different results";
    if (a->size != b->size || memcmp(a->bytes, b->bytes, a->size) != 0)
        return "they write different bytes";
    return NULL;
}

const char *raid_subjects_compare(const struct raid_subject *a, const struct raid_subject *b)
{
    struct outcome of_a, of_b = {.bytes = NULL};
    const char *reason = out_of_memory;
    if (outcome_of(a, 0, &of_a) && outcome_of(b, 1, &of_b))
        reason = difference(&of_a, &of_b);
    pxr_kernel_select(NULL);
    free(of_a.bytes);
    free(of_b.bytes);
    return reason;
}

const char *raid_subject_judge(const struct raid_subject *subject)
{
    struct raid_subject base = *subject;
    base.set = "base";
    return raid_subjects_compare(subject, &base);
}
