/* SPDX-License-Identifier: BSD-3-Clause */
#include "raid_subject.h"

#include <stdlib.h>
#include <string.h>

struct raid_subject raid_subject_of(const struct raid_op *op, const struct entry *entry,
                                    const char *suffix)
{
    struct raid_subject s = {.op = op, .name = entry->name, .entry = entry};
    library_lookup(&entry->library, op->name, entry_suffix(entry, suffix), &s.call.any);
    s.refused = s.call.any == NULL ? "no such function, or no such variant of it"
                                   : entry_refuses(entry, suffix);
    return s;
}

void raid_subject_select(const struct raid_subject *s)
{
    if (s->entry != NULL)
        entry_select(s->entry);
    else
        pxr_kernel_select(s->set);
}

/* ----------------------------------------------------------------- layout -- */

static size_t width(const struct raid_subject *s)
{
    return raid_op_data(s->op, s->n) + s->op->parities;
}

/* What a decode has, with NULL for what it has not, and what it wants. */
static void arrange_decode(const struct raid_subject *s, size_t stripe, u8 **have)
{
    u8 **want = have + s->n + 2;
    for (unsigned i = 0; i < s->n + 2; i++) {
        have[i] = walk_shard(s->walk, stripe, i);
        want[i] = NULL;
    }
    for (unsigned i = 0; i < s->lost_count; i++) {
        want[s->lost[i]] = have[s->lost[i]];
        have[s->lost[i]] = NULL;
    }
}

/* Every second disk: NULL stands for the others. */
static void arrange_second(const struct raid_subject *s, size_t stripe, u8 **row)
{
    const unsigned data = raid_op_data(s->op, s->n);
    for (unsigned i = 0; i < s->n; i++)
        row[i] = i % 2 == 0 ? walk_shard(s->walk, stripe, i / 2) : NULL;
    for (unsigned i = 0; i < s->op->parities; i++)
        row[s->n + i] = walk_shard(s->walk, stripe, data + i);
}

static void arrange_plain(const struct raid_subject *s, size_t stripe, u8 **row)
{
    for (size_t i = 0; i < width(s); i++)
        row[i] = walk_shard(s->walk, stripe, i);
}

static void arrange(const struct raid_subject *s, size_t stripe, u8 **row)
{
    if (s->op->decodes)
        arrange_decode(s, stripe, row);
    else if (s->op->count == COUNT_SECOND)
        arrange_second(s, stripe, row);
    else
        arrange_plain(s, stripe, row);
    if (s->op->lost & WITHOUT_P)
        row[s->n] = NULL;
}

static size_t row_pointers(const struct raid_subject *s)
{
    if (s->op->decodes)
        return 2 * (s->n + 2);
    return s->op->count == COUNT_SECOND ? s->n + s->op->parities : width(s);
}

static void note_losses(struct raid_subject *s)
{
    const unsigned index[] = {0, s->n / 2, s->n, s->n + 1};
    for (unsigned i = 0; i < 4; i++)
        if (s->op->lost & 1u << i)
            s->lost[s->lost_count++] = index[i];
}

static const char *subject_open(struct raid_subject *s)
{
    s->first = raid_op_first(s->op, s->n);
    s->span = raid_op_span(s->op, s->n);
    note_losses(s);
    s->row_pointers = row_pointers(s);
    s->rows = malloc(s->walk->stripes * s->row_pointers * sizeof *s->rows);
    if (s->rows == NULL)
        return out_of_memory;
    for (size_t i = 0; i < s->walk->stripes; i++)
        arrange(s, i, s->rows + i * s->row_pointers);
    /* Every number of data blocks that raid_op_refuses() lets pass has this code. */
    if (s->op->decodes && pxr_code_create(&s->code, s->n, 2, PXR_JERASURE_R6, NULL) != PXR_OK)
        return out_of_memory;
    return NULL;
}

const char *raid_subjects_open(struct raid_subject *subjects, size_t count,
                               const struct raid_shape *shape,
                               const struct placement *placement, struct arena *arena,
                               struct walk *walks)
{
    const char *reason = NULL;
    size_t bytes = 0, used = 0;
    for (size_t i = 0; i < count; i++) {
        struct raid_subject *s = &subjects[i];
        s->n = shape->n;
        s->len = (size_t)shape->len;
        for (size_t w = 0; w < used && s->walk == NULL; w++)
            if (walks[w].width == width(s))
                s->walk = &walks[w];
        if (s->walk != NULL)
            continue;
        s->walk = &walks[used++];
        *s->walk = walk_plan(width(s), s->len, shape->mode, placement);
        bytes += s->walk->stripes * s->walk->width * s->walk->distance;
    }
    if (!arena_reserve(arena, bytes))
        return out_of_memory;
    walks[0].first = arena->base + placement->offset;
    if (used > 1)
        walks[1].first = walk_shard(&walks[0], walks[0].stripes, 0);
    for (size_t i = 0; i < count && reason == NULL; i++)
        reason = subject_open(&subjects[i]);
    return reason;
}

void raid_subjects_close(struct raid_subject *subjects, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(subjects[i].rows);
        pxr_code_free(subjects[i].code);
        subjects[i] = (struct raid_subject){0};
    }
}

/* ---------------------------------------------------------------- staging -- */

static void put_parity(const struct raid_subject *s, size_t stripe)
{
    uint8_t *data[PXR_RAID_MAX_DATA];
    for (unsigned i = 0; i < s->n; i++)
        data[i] = walk_shard(s->walk, stripe, i);
    u8 *const q = s->op->parities == 2 ? walk_shard(s->walk, stripe, s->n + 1) : NULL;
    if (pxr_raid_generate(s->n, s->len, data, walk_shard(s->walk, stripe, s->n), q) != PXR_OK)
        abort(); /* nothing that it refuses comes here */
}

void raid_subject_stage_stripe(const struct raid_subject *s, size_t stripe)
{
    u8 *first = walk_shard(s->walk, stripe, 0);
    switch (s->op->stage) {
    case STAGE_ANY:
        break;
    case STAGE_PARITY:
        put_parity(s, stripe);
        break;
    case STAGE_WRONG:
        put_parity(s, stripe);
        for (size_t i = 0; i < s->len; i++)
            first[i] ^= 0x55;
        break;
    case STAGE_ZERO:
        memset(first, 0, s->len);
        break;
    case STAGE_EQUAL:
        memcpy(walk_shard(s->walk, stripe, 1), first, s->len);
        break;
    }
}

void raid_subject_stage(const struct raid_subject *s)
{
    for (size_t stripe = 0; stripe < s->walk->stripes; stripe++)
        raid_subject_stage_stripe(s, stripe);
}

/* ----------------------------------------------------------------- timing -- */

void raid_subject_batch(void *context, size_t calls)
{
    const struct raid_subject *s = context;
    raid_subject_select(s);
    for (; calls > 0; calls--)
        s->op->run(s, s->rows + walk_step(s->walk) * s->row_pointers);
}
