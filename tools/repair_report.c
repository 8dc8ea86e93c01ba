/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "repair.h"

#include "message.h"

#include <inttypes.h>
#include <stdio.h>

void repair_report(const struct repair *r)
{
    for (unsigned i = 0; i < shard_set_size(&r->set); i++) {
        char state[STATE_TEXT];
        const struct shard_file *file = r->set.shard[i];
        bool mended = repair_is_mended(r, i);
        if (!r->chosen[i] && !mended)
            continue;
        say("shard %03u: %s: ", i,
            mended ? r->journals[i].shard : r->outputs[r->output_of[i]].path);
        if (file == NULL) {
            printf("was missing, written");
        } else if (file->hidden) {
            say("was in %s, written", file->path);
        } else {
            state_text(file, false, state);
            printf("%s, healed%s", state, mended ? " in place" : "");
        }
        if (r->beyond[i] > 0)
            printf(" except %" PRIu64 " cells", r->beyond[i]);
        putchar('\n');
    }
}

/* Returns why a file that is not wholly good stays as it is. */
static const char *why_left(const struct repair *r, unsigned index)
{
    const struct shard_file *best = best_copy(r->set.shard[index]);
    if (r->done[index] || (!file_is_damaged(best) && !file_is_unreadable(best)))
        return "there is another good copy";
    if (r->barred[index])
        return "the system does not let it be replaced";
    if (file_is_unreadable(best))
        return "use --force to write it again";
    return "the bad parts cannot be restored";
}

/*
 * Shards that may be intact on a disk that fails for now are not replaced.  Further copies of a
 * shard are not replaced either.  Returns whether there are any of the first kind.
 */
bool repair_leave_alone(const struct repair *r)
{
    bool unreadable = false;
    for (unsigned i = 0; i < shard_set_size(&r->set); i++) {
        const struct shard_file *first = r->set.shard[i];
        for (const struct shard_file *file = first; file != NULL; file = file->next) {
            char state[STATE_TEXT];
            bool healed = r->done[i] && (file == first || file->hidden);
            if (healed || (!file_is_damaged(file) && !file_is_unreadable(file)))
                continue;
            state_text(file, false, state);
            warn("%s: left as it is (%s): %s", file->path, state, why_left(r, i));
        }
        unreadable |= first != NULL && !r->done[i] && file_is_unreadable(best_copy(first));
    }
    return unreadable;
}

static bool any_barred(const struct repair *r)
{
    for (unsigned i = 0; i < shard_set_size(&r->set); i++)
        if (r->barred[i])
            return true;
    return false;
}

/* Reports what could not be healed, and returns the exit status. */
int repair_remains(const struct repair *r, bool unreadable)
{
    char stripes[TALLY_TEXT], name[SHARD_NAME_TEXT_SIZE];
    const struct tally *lost = &r->survey.lost;
    shard_name_text(&r->set.header, name);
    tally_text(lost, stripes);
    if (lost->count > 0)
        return complain(STATUS_LOST,
                        "%s: %" PRIu64 " stripes cannot be restored (stripes %s); use "
                        "'permxor decode --salvage' to write the rest of the file",
                        name, lost->count, stripes);
    if (r->survey.blocked.count > 0)
        return complain(STATUS_SYSTEM, "%s: %" PRIu64 " stripes cannot be read", name,
                        r->survey.blocked.count);
    tally_text(&r->disagreeing, stripes);
    if (r->disagreeing.count > 0)
        return complain(STATUS_LOST,
                        "%s: shards disagree although their checksums are right, and repair "
                        "cannot tell which are wrong (stripes %s)",
                        name, stripes);
    return unreadable || r->in_the_way || any_barred(r) ? STATUS_SYSTEM : STATUS_OK;
}
