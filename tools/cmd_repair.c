/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permxor repair: heals damaged shards, and writes missing shards anew.
 *
 * A pass reads all shards.  The first pass writes the missing shards, and those that visibly
 * lack much.  In the other shards it finds the corrupt cells.  A shard with few of them is
 * mended in place when the pass is over (journal.h).  A shard with many is written anew by a
 * second pass.
 */
#include "config.h"

#include "cmd.h"
#include "gather.h"
#include "message.h"
#include "pipeline.h"
#include "recover.h"
#include "repair.h"
#include "writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------- choose -- */

/* Even with --force a shard is not replaced. */
static bool place_is_free(const struct repair *r, unsigned index)
{
    enum place_state place = r->place[index];
    bool forced = r->options->output_flags & OUTPUT_REPLACE;
    return place == PLACE_FREE || place == PLACE_EMPTY ||
           (forced && (place == PLACE_UNUSABLE || place == PLACE_UNREADABLE));
}

static void tell_place(unsigned index, const char *path, enum place_state state)
{
    if (state == PLACE_NONE)
        warn("shard %03u: not written: no folder is given for its disk; use --output=DIR to "
             "give one",
             index);
    else if (state == PLACE_OTHER)
        warn("%s: is not a file; remove or rename it, or use --output=DIR", path);
    else if (state == PLACE_ITSELF)
        warn("%s: is this shard; give it or its folder to the command, too", path);
    else if (state == PLACE_USABLE)
        warn("%s: holds another shard; rename it, or use --output=DIR", path);
    else
        warn("%s: already exists%s; use --force to replace it", path,
             state == PLACE_UNREADABLE ? " and cannot be read" : "");
}

/* An obstacle for one shard does not keep the others from being healed. */
static int look_at_places(struct repair *r)
{
    int status = homes_gather(&r->homes, &r->set, r->options);
    if (status == STATUS_OK)
        homes_choose(&r->homes, &r->set);
    for (unsigned i = 0; i < shard_set_size(&r->set) && status == STATUS_OK; i++) {
        char *path;
        if (!repair_lacks_name(r, i))
            continue;
        status = place_look(&r->set, i, r->homes.of[i], &r->place[i], &path);
        if (status == STATUS_OK && !place_is_free(r, i)) {
            tell_place(i, path, r->place[i]);
            r->in_the_way = true;
        }
        free(path);
    }
    return status;
}

/*
 * A shard is good when one of its copies is.  A disk with dead sectors returns errors forever,
 * other disks return errors only for a moment.  The user tells which case it is, by --force.
 */
static bool needs_work(const struct repair *r, unsigned index)
{
    bool forced = r->options->output_flags & OUTPUT_REPLACE;
    const struct shard_file *best = best_copy(r->set.shard[index]);
    if (repair_lacks_name(r, index))
        return place_is_free(r, index);
    if (forced && file_is_unreadable(best))
        return true;
    return !r->spared[index] && (best->flaws != 0 || best->corrupt.count > r->beyond[index]);
}

/*
 * Chooses the shards to write, as far as is known: before the first pass, only the headers are
 * known.  Returns whether there are any.
 */
static bool choose(struct repair *r)
{
    bool any = false;
    for (unsigned i = 0; i < shard_set_size(&r->set); i++) {
        r->mends[i] = !r->done[i] && repair_may_mend(r, i);
        r->chosen[i] = !r->done[i] && !r->mends[i] && !r->barred[i] && needs_work(r, i);
        r->wanted[i] = r->mends[i] || r->chosen[i];
        any |= r->chosen[i];
    }
    return any;
}

/* ----------------------------------------------------------------- pass -- */

/* Counts the cells of a stripe that cannot be healed and stay bad. */
static void note_beyond(struct repair *r, const struct stripe *stripe)
{
    pthread_mutex_lock(&r->survey.lock);
    for (unsigned i = 0; i < shard_set_size(&r->set); i++)
        r->beyond[i] += stripe->have[i] == NULL && !stripe->unread[i];
    pthread_mutex_unlock(&r->survey.lock);
}

/*
 * Copies a cell that cannot be healed from the old shard to the new one as it is, so that
 * nothing gets worse.  Returns false when the new shard keeps the zeros that it already has.
 */
static bool carry_over(struct repair *r, struct stripe *stripe, unsigned index)
{
    const struct shard_file *file = r->set.shard[index];
    if (file == NULL)
        return false;
    if (stripe_copy(stripe, &r->set.header, index, file->fd))
        return true;
    if (!(r->options->output_flags & OUTPUT_REPLACE)) {
        pthread_mutex_lock(&r->survey.lock);
        r->spared[index] = true;
        pthread_mutex_unlock(&r->survey.lock);
    }
    return false;
}

static int repair_cell(struct repair *r, struct stripe *stripe, unsigned index, bool lost)
{
    bool have = stripe->have[index] != NULL;
    if (!have && !lost)
        stripe_seal(stripe, &r->set.header, index);
    if (!r->chosen[index])
        return have || lost || stripe->unread[index] ? STATUS_OK
                                                     : repair_mend_cell(r, stripe, index);
    if (!have && lost && !carry_over(r, stripe, index))
        return STATUS_OK;
    return writer_store(&r->outputs[r->output_of[index]], stripe, &r->set.header, index);
}

/*
 * One of the good cells is wrong, as after an error of the memory in which it was encoded.
 * What is rebuilt from it is wrong, too, and then nothing tells that there was an error.
 */
static int disagree(struct repair *r, struct stripe *stripe)
{
    char name[SHARD_NAME_TEXT_SIZE];
    shard_name_text(&r->set.header, name);
    if (!(r->options->output_flags & OUTPUT_REPLACE))
        return stripe_fail(stripe, STATUS_LOST,
                           "%s: not repaired: in stripe %" PRIu64
                           " a shard is wrong although its checksum is right; 'permxor verify "
                           "--deep' may name it; use --force to repair from the other shards "
                           "and this one",
                           name, stripe->number);
    pthread_mutex_lock(&r->survey.lock);
    tally_add_once(&r->disagreeing, stripe->number); /* each pass comes here again */
    pthread_mutex_unlock(&r->survey.lock);
    return STATUS_OK;
}

static bool is_needed(const struct repair *r, const struct stripe *stripe)
{
    for (unsigned i = 0; i < shard_set_size(&r->set); i++)
        if (r->wanted[i] && stripe->have[i] == NULL)
            return true;
    return false;
}

/* Rebuilds what is wanted.  More good cells than the rebuilding needs are compared with it. */
static int rebuild(struct repair *r, struct stripe *stripe)
{
    bool rebuilt[PXR_MAX_SHARDS];
    const unsigned k = r->set.header.k, size = shard_set_size(&r->set);
    const bool spare = stripe->good > k;
    if (!is_needed(r, stripe))
        return STATUS_OK;
    for (unsigned i = 0; i < size; i++)
        rebuilt[i] = r->wanted[i] || (spare && i < k);
    const int status = gather_rebuild(&r->set, stripe, size, rebuilt);
    if (status == STATUS_OK && spare && gather_compare(&r->set, stripe) == PXR_EMISMATCH)
        return disagree(r, stripe);
    return status;
}

static int repair_stripe(void *context, struct stripe *stripe)
{
    struct repair *r = context;
    unsigned size = shard_set_size(&r->set);
    int status = STATUS_OK;
    gather_cells(&r->set, stripe, size, &r->survey);
    bool lost = stripe->good < r->set.header.k;
    if (lost)
        note_beyond(r, stripe);
    else
        status = rebuild(r, stripe);
    for (unsigned i = 0; i < size && status == STATUS_OK; i++)
        if (r->wanted[i])
            status = repair_cell(r, stripe, i, lost);
    return status;
}

static int run(struct repair *r)
{
    const struct shard_header *header = &r->set.header;
    uint64_t reach = shard_set_reach(&r->set, 1);
    struct pipeline_job job = {.verb = "repair",
                               .quiet = r->options->quiet,
                               .threads = r->options->threads,
                               .stripes = reach,
                               .total = header->length,
                               .shards = shard_set_size(&r->set),
                               .cell = shard_cell_length(header, 0),
                               .context = r,
                               .work = repair_stripe};
    int status = pipeline_run(&job);
    survey_add_rest(&r->survey, &r->set, reach);
    for (unsigned i = 0; i < shard_set_size(&r->set); i++)
        r->beyond[i] += shard_stripes(header) - reach;
    return status;
}

/* Counts the shards that a pass writes or mends. */
static unsigned count_healed(const struct repair *r)
{
    unsigned count = r->count;
    for (unsigned i = 0; i < shard_set_size(&r->set); i++)
        count += repair_is_mended(r, i);
    return count;
}

/* Returns whether nothing of this copy is needed any more when the chosen shards have their
   names. */
static bool is_superseded(const struct repair *r, const struct shard_file *copy)
{
    const unsigned index = copy->header.index;
    return copy->hidden && r->chosen[index] &&
           (copy == r->set.shard[index] ||
            (r->beyond[index] == 0 && !file_is_unreadable(copy)));
}

/* Adds the copies under temporary names that the new shards take the place of. */
static void add_doomed(const struct repair *r, struct publication *all,
                       struct seen_file *doomed)
{
    for (unsigned i = 0; i < shard_set_size(&r->set); i++)
        for (const struct shard_file *copy = r->set.shard[i]; copy != NULL; copy = copy->next)
            if (is_superseded(r, copy))
                doomed[all->doomed_count++] = (struct seen_file){copy->path, copy->status};
    all->doomed = doomed;
}

static int publish_pass(struct repair *r)
{
    struct publication all = {.outputs = r->outputs,
                              .count = r->count,
                              .guards = r->guards,
                              .guard_count = shard_set_size(&r->set),
                              .journals = r->journals,
                              .journal_count = shard_set_size(&r->set)};
    struct seen_file *doomed = calloc(r->set.list.count, sizeof *doomed);
    if (doomed == NULL)
        return complain(STATUS_SYSTEM, "out of memory");
    add_doomed(r, &all, doomed);
    int status = publish(&all);
    free(doomed);
    return status;
}

static int finish(struct repair *r)
{
    int status = STATUS_OK;
    for (unsigned i = 0; i < shard_set_size(&r->set) && status == STATUS_OK; i++) {
        if (!r->chosen[i])
            continue;
        struct output *output = &r->outputs[r->output_of[i]];
        output->lacks_cells = r->beyond[i] > 0;
        status = writer_finish(output, &r->set.header, i);
    }
    if (status == STATUS_OK)
        status = repair_mend_flaws(r);
    return status == STATUS_OK && count_healed(r) > 0 ? publish_pass(r) : status;
}

static uint64_t stripes_beyond(const struct repair *r)
{
    return r->survey.lost.count + r->survey.blocked.count;
}

/* When no stripe at all can be restored, writing would gain nothing. */
static bool is_hopeless(const struct repair *r)
{
    return stripes_beyond(r) > 0 && stripes_beyond(r) == shard_stripes(&r->set.header);
}

/* Takes back the choice of shards that must not be replaced.  Returns whether there were any.
 */
static bool spare(struct repair *r)
{
    bool any = false;
    for (unsigned i = 0; i < shard_set_size(&r->set); i++) {
        any |= r->chosen[i] && r->spared[i];
        r->chosen[i] &= !r->spared[i];
        r->wanted[i] = r->mends[i] || r->chosen[i];
    }
    return any;
}

/* Concludes a pass, once its work is on the disk. */
static int conclude(struct repair *r)
{
    r->healed += count_healed(r);
    repair_report(r);
    int status = repair_guard_written(r);
    for (unsigned i = 0; i < shard_set_size(&r->set); i++)
        r->done[i] |= r->chosen[i] || repair_is_mended(r, i);
    return status;
}

/* Writes the chosen shards, mends others, and surveys all. */
static int attempt(struct repair *r, bool *again)
{
    survey_init(&r->survey, &r->set);
    memset(r->beyond, 0, sizeof r->beyond);
    int status = repair_create_outputs(r);
    if (status == STATUS_OK)
        status = run(r);
    *again = status == STATUS_OK && spare(r);
    bool keep = status == STATUS_OK && !*again && !is_hopeless(r);
    if (keep)
        status = finish(r);
    if (keep && status == STATUS_OK)
        status = conclude(r);
    repair_mend_discard(r);
    output_discard(r->outputs, r->count);
    return status;
}

/* Repeats an attempt without the shards that it has shown to be irreplaceable. */
static int pass(struct repair *r)
{
    bool again = true;
    int status = STATUS_OK;
    while (again && status == STATUS_OK)
        status = attempt(r, &again);
    return status;
}

/* A shard that looks right may have been written by a repair that was interrupted, and may
   never have been synced.  A shard that this repair has written is out of doubt. */
static int look_for_doubts(const struct repair *r)
{
    int status = STATUS_OK;
    for (unsigned i = 0; i < shard_set_size(&r->set); i++)
        if (r->recovered.in_doubt[i] && !r->done[i])
            status = complain(STATUS_SYSTEM,
                              "shard %03u: reads correctly, but may not be on the disk yet; "
                              "run 'permxor repair' again",
                              i);
    return status;
}

static int repair(struct repair *r)
{
    if (shard_set_reach(&r->set, r->set.header.k) == 0 && r->set.header.length > 0)
        return shard_set_beyond(&r->set);
    int status = look_at_places(r);
    if (status != STATUS_OK)
        return status;
    (void)choose(r);
    do {
        status = pass(r);
    } while (status == STATUS_OK && !is_hopeless(r) && choose(r));
    if (status == STATUS_OK)
        status = repair_remains(r, repair_leave_alone(r));
    if (status == STATUS_OK)
        status = look_for_doubts(r);
    if (status == STATUS_OK && r->healed == 0 && !r->options->quiet)
        puts("no damage");
    return status;
}

int cmd_repair(const struct options *options)
{
    struct repair r = {.options = options, .mending = PTHREAD_MUTEX_INITIALIZER};
    if (options->operand_count == 0)
        return complain(STATUS_USAGE,
                        "repair: no shards given: name the shard files or their folder");
    int status = recover(options, &r.recovered);
    r.healed = r.recovered.any;
    if (status == STATUS_OK)
        status = shard_set_open(&r.set, options);
    if (status == STATUS_OK)
        status = repair_guard_set(&r);
    if (status == STATUS_OK)
        status = repair(&r);
    for (unsigned i = 0; i < PXR_MAX_SHARDS; i++)
        free(r.guards[i].path);
    homes_free(&r.homes);
    shard_set_close(&r.set);
    return status;
}
