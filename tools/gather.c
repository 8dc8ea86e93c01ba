/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "gather.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* The result of loading one shard's cell. */
struct loading {
    const struct shard_file *good; /* a copy that has the good cell, or NULL */
    int error;                     /* of a copy that cannot be read, or 0 */
};

/* Tries the copies one after the other: up to a good one, or every one. */
static struct loading try_copies(const struct shard_set *set, struct stripe *stripe,
                                 unsigned index, bool every, struct survey *survey)
{
    struct loading l = {NULL, 0};
    bool spoilt = false;
    struct shard_file *file = set->shard[index];
    for (; file != NULL && (every || l.good == NULL); file = file->next) {
        enum cell_state state = stripe_load(stripe, &set->header, index, file->fd);
        int error = errno;
        survey_add_cell(survey, file, stripe->number, state, error);
        if (state == CELL_GOOD)
            l.good = file;
        else if (state == CELL_UNREADABLE)
            l.error = error;
        spoilt = state != CELL_GOOD;
    }
    /* A bad copy has overwritten the good one in memory. */
    if (l.good != NULL && spoilt &&
        stripe_load(stripe, &set->header, index, l.good->fd) != CELL_GOOD)
        l.good = NULL;
    return l;
}

static void load(const struct shard_set *set, struct stripe *stripe, unsigned index, bool every,
                 struct survey *survey)
{
    struct loading l = try_copies(set, stripe, index, every, survey);
    if (l.good != NULL) {
        stripe->have[index] = stripe->cell[index];
        stripe->good++;
    } else if (l.error != 0) {
        stripe->unread[index] = true;
        stripe->unreadable++;
        stripe->error = l.error;
    }
}

void gather_cells(const struct shard_set *set, struct stripe *stripe, unsigned enough,
                  struct survey *survey)
{
    unsigned size = shard_set_size(set);
    stripe_begin(stripe, &set->header, stripe->number);
    for (unsigned i = 0; i < size && stripe->good < enough; i++)
        load(set, stripe, i, enough == size, survey);
    survey_add(survey, set, stripe);
}

static int too_few(const struct shard_set *set, struct stripe *stripe)
{
    char name[SHARD_NAME_TEXT_SIZE];
    shard_name_text(&set->header, name);
    if (stripe->good + stripe->unreadable >= set->header.k)
        return stripe_fail(
            stripe, STATUS_SYSTEM,
            "%s: cannot be restored: stripe %" PRIu64
            " has %u intact cells and %u that cannot be read (%s), but %u are needed",
            name, stripe->number, stripe->good, stripe->unreadable, strerror(stripe->error),
            set->header.k);
    return stripe_fail(stripe, STATUS_LOST,
                       "%s: cannot be restored: stripe %" PRIu64
                       " has %u intact cells in %u of %u shards, but %u are needed",
                       name, stripe->number, stripe->good, shard_set_present(set),
                       shard_set_size(set), set->header.k);
}

int gather_rebuild(const struct shard_set *set, struct stripe *stripe, unsigned count,
                   const bool *wanted)
{
    unsigned missing = 0;
    if (stripe->good < set->header.k)
        return too_few(set, stripe);
    for (unsigned i = 0; i < count; i++)
        if (stripe->have[i] == NULL && (wanted == NULL || wanted[i])) {
            stripe->want[i] = stripe->cell[i];
            missing++;
        }
    if (missing == 0)
        return STATUS_OK;
    int result = pxr_reconstruct(set->code, stripe->length, stripe->have, stripe->want);
    if (result == PXR_OK)
        return STATUS_OK;
    return stripe_fail(stripe, STATUS_SYSTEM, "stripe %" PRIu64 " cannot be restored: %s",
                       stripe->number, pxr_strerror(result));
}

int gather_compare(const struct shard_set *set, const struct stripe *stripe)
{
    uint8_t *cells[PXR_MAX_SHARDS];
    for (unsigned i = 0; i < shard_set_size(set); i++)
        cells[i] = i < set->header.k ? stripe->cell[i] : stripe->have[i];
    return pxr_verify(set->code, stripe->length, cells, NULL);
}
