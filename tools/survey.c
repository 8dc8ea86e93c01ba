/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "survey.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void survey_init(struct survey *survey)
{
    memset(survey, 0, sizeof *survey);
    pthread_mutex_init(&survey->lock, NULL);
    survey->fewest = PXR_MAX_SHARDS;
}

/* Insert in order, dropping the highest when full. */
static void tally_add(struct tally *tally, uint64_t number)
{
    unsigned used = tally->count < TALLY_LISTED ? (unsigned)tally->count : TALLY_LISTED;
    unsigned at = used;
    while (at > 0 && tally->lowest[at - 1] > number)
        at--;
    tally->count++;
    if (at == TALLY_LISTED)
        return;
    unsigned moved = used < TALLY_LISTED ? used - at : TALLY_LISTED - 1 - at;
    memmove(tally->lowest + at + 1, tally->lowest + at, moved * sizeof tally->lowest[0]);
    tally->lowest[at] = number;
}

void survey_add(struct survey *survey, const struct shard_set *set, const struct stripe *stripe)
{
    pthread_mutex_lock(&survey->lock);
    for (unsigned i = 0; i < shard_set_size(set); i++)
        if (stripe->corrupt[i])
            tally_add(&survey->corrupt[i], stripe->number);
    if (stripe->good < set->header.k)
        tally_add(&survey->lost, stripe->number);
    if (stripe->good < survey->fewest)
        survey->fewest = stripe->good;
    pthread_mutex_unlock(&survey->lock);
}

void survey_add_rest(struct survey *survey, const struct shard_set *set, uint64_t from)
{
    struct stripe nothing = {.number = from};
    uint64_t end = shard_stripes(&set->header);
    for (unsigned i = 0; i < shard_set_size(set); i++)
        nothing.corrupt[i] = set->shard[i] != NULL;
    /* One by one as far as they are listed, and the others by their number. */
    for (unsigned i = 0; i < TALLY_LISTED && nothing.number < end; i++, nothing.number++)
        survey_add(survey, set, &nothing);
    survey->lost.count += end - nothing.number;
    for (unsigned i = 0; i < shard_set_size(set); i++)
        if (nothing.corrupt[i])
            survey->corrupt[i].count += end - nothing.number;
}

void survey_add_disagreeing(struct survey *survey, const struct stripe *stripe)
{
    pthread_mutex_lock(&survey->lock);
    tally_add(&survey->disagreeing, stripe->number);
    pthread_mutex_unlock(&survey->lock);
}

uint64_t survey_corrupt_cells(const struct survey *survey)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < PXR_MAX_SHARDS; i++)
        sum += survey->corrupt[i].count;
    return sum;
}

void tally_text(const struct tally *tally, char out[TALLY_TEXT])
{
    int at = 0;
    for (unsigned i = 0; i < TALLY_LISTED && i < tally->count; i++)
        at += snprintf(out + at, (size_t)(TALLY_TEXT - at), "%s%" PRIu64, i > 0 ? ", " : "",
                       tally->lowest[i]);
    snprintf(out + at, (size_t)(TALLY_TEXT - at), "%s",
             tally->count > TALLY_LISTED ? ", ..." : "");
}

void flaws_text(unsigned flaws, char out[FLAWS_TEXT])
{
    static const struct {
        unsigned flaw;
        const char *text;
    } texts[] = {{SHARD_FLAW_HEADER, "damaged header"},
                 {SHARD_FLAW_TRAILER, "damaged trailer"},
                 {SHARD_FLAW_SHORT, "cut short"},
                 {SHARD_FLAW_LONG, "bytes after the end"}};
    int at = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (flaws & texts[i].flaw)
            at += snprintf(out + at, (size_t)(FLAWS_TEXT - at), "%s%s", at > 0 ? ", " : "",
                           texts[i].text);
}
