/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "survey.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void survey_init(struct survey *survey, struct shard_set *set)
{
    memset(survey, 0, sizeof *survey);
    pthread_mutex_init(&survey->lock, NULL);
    survey->fewest = PXR_MAX_SHARDS;
    for (size_t i = 0; i < set->list.count; i++) {
        set->list.files[i].corrupt.count = 0;
        set->list.files[i].unreadable.count = 0;
    }
}

void survey_add_cell(struct survey *survey, struct shard_file *file, uint64_t stripe,
                     enum cell_state state, int error)
{
    if (state == CELL_GOOD)
        return;
    pthread_mutex_lock(&survey->lock);
    tally_add(state == CELL_CORRUPT ? &file->corrupt : &file->unreadable, stripe);
    if (state == CELL_UNREADABLE)
        file->error = error;
    pthread_mutex_unlock(&survey->lock);
}

void survey_add(struct survey *survey, const struct shard_set *set, const struct stripe *stripe)
{
    unsigned k = set->header.k;
    pthread_mutex_lock(&survey->lock);
    if (stripe->good + stripe->unreadable < k)
        tally_add(&survey->lost, stripe->number);
    else if (stripe->good < k)
        tally_add(&survey->blocked, stripe->number);
    if (stripe->good < survey->fewest)
        survey->fewest = stripe->good;
    pthread_mutex_unlock(&survey->lock);
}

void survey_add_rest(struct survey *survey, const struct shard_set *set, uint64_t from)
{
    uint64_t end = shard_stripes(&set->header);
    if (from >= end)
        return;
    survey->fewest = 0;
    tally_add_range(&survey->lost, from, end);
    for (unsigned i = 0; i < shard_set_size(set); i++)
        for (struct shard_file *file = set->shard[i]; file != NULL; file = file->next)
            tally_add_range(&file->corrupt, from, end);
}

struct survey_cells survey_cells(const struct shard_set *set)
{
    struct survey_cells sum = {0, 0};
    for (size_t i = 0; i < set->list.count; i++) {
        sum.corrupt += set->list.files[i].corrupt.count;
        sum.unreadable += set->list.files[i].unreadable.count;
    }
    return sum;
}

bool file_is_damaged(const struct shard_file *file)
{
    return file->flaws != 0 || file->corrupt.count > 0;
}

bool file_is_unreadable(const struct shard_file *file)
{
    return file->error != 0 || file->unreadable.count > 0;
}

const struct shard_file *best_copy(const struct shard_file *copies)
{
    const struct shard_file *best = copies;
    for (; copies != NULL && copies->hidden == best->hidden; copies = copies->next) {
        if (file_is_damaged(copies))
            continue;
        if (!file_is_unreadable(copies))
            return copies;
        if (file_is_damaged(best))
            best = copies;
    }
    return best;
}

/* ----------------------------------------------------------------- text -- */

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

int cells_text(const struct tally *cells, const char *kind, bool stripes, char out[STATE_TEXT],
               int at)
{
    char numbers[TALLY_TEXT];
    if (cells->count == 0)
        return at;
    at += snprintf(out + at, (size_t)(STATE_TEXT - at), "%s%" PRIu64 " %s cells",
                   at > 0 ? ", " : "", cells->count, kind);
    tally_text(cells, numbers);
    if (stripes)
        at += snprintf(out + at, (size_t)(STATE_TEXT - at), " (stripes %s)", numbers);
    return at;
}

void state_text(const struct shard_file *file, bool stripes, char out[STATE_TEXT])
{
    flaws_text(file->flaws, out);
    int at = cells_text(&file->corrupt, "corrupt", stripes, out, (int)strlen(out));
    int before = at;
    at = cells_text(&file->unreadable, "unreadable", stripes, out, at);
    if (at == before && file->error != 0)
        at += snprintf(out + at, (size_t)(STATE_TEXT - at), "%sheader or trailer unreadable",
                       at > 0 ? ", " : "");
    if (file->error != 0)
        snprintf(out + at, (size_t)(STATE_TEXT - at), ": %s", strerror(file->error));
    else if (at == 0)
        snprintf(out, STATE_TEXT, "ok");
}
