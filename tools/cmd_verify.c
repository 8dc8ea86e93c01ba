/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor verify: reads every shard and reports the damage. */
#include "config.h"

#include "cmd.h"
#include "coding.h"
#include "direct.h"
#include "gather.h"
#include "hash.h"
#include "homes.h"
#include "message.h"
#include "pipeline.h"
#include "place.h"
#include "recover.h"
#include "verify_hashes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct verification {
    const struct options *options;
    struct shard_set set;
    struct survey survey;
    struct homes homes;                 /* where repair would put missing shards */
    struct tally wrong[PXR_MAX_SHARDS]; /* deep: stripes in which this shard's cell disagrees
                                           with the others */
    struct tally unexplained;           /* deep: stripes that no single cell explains */
    struct hash hash;                   /* deep: hash of the data, in order */
    uint8_t found[SHARD_HASH_SIZE];     /* the result of the hash */
    enum { HASH_UNKNOWN, HASH_RIGHT, HASH_WRONG } hash_state;
};

/* ----------------------------------------------------------------- work -- */

/*
 * Names the cell that does not belong to the others.  That needs two parity cells, and all
 * cells as they were written: a rebuilt cell follows from other cells, and one of those is
 * wrong.
 */
static int locate(struct verification *v, const struct stripe *stripe)
{
    unsigned size = shard_set_size(&v->set), wrong = size;
    int result = PXR_EAMBIGUOUS;
    if (stripe->good == size && v->set.header.m >= 2)
        result = pxr_locate(v->set.code, stripe->length, stripe->have, &wrong);
    pthread_mutex_lock(&v->survey.lock);
    tally_add(&v->survey.disagreeing, stripe->number);
    tally_add(result == PXR_EMISMATCH ? &v->wrong[wrong] : &v->unexplained, stripe->number);
    pthread_mutex_unlock(&v->survey.lock);
    return result == PXR_EMISMATCH ? PXR_OK : result;
}

/*
 * Checksums tell that cells are as they were written.  To see whether what was written is a
 * code word, parity is computed again from the data.  Missing data cells are restored first.
 */
static int compare_parity(struct verification *v, struct stripe *stripe)
{
    int status = gather_rebuild(&v->set, stripe, v->set.header.k, NULL);
    if (status != STATUS_OK)
        return status;
    int result = gather_compare(&v->set, stripe);
    if (result == PXR_EMISMATCH)
        result = locate(v, stripe);
    if (result != PXR_OK && result != PXR_EAMBIGUOUS)
        return stripe_fail(stripe, STATUS_SYSTEM, "stripe %" PRIu64 " cannot be verified: %s",
                           stripe->number, pxr_strerror(result));
    return STATUS_OK;
}

static int verify_stripe(void *context, struct stripe *stripe)
{
    struct verification *v = context;
    gather_cells(&v->set, stripe, shard_set_size(&v->set), &v->survey);
    if (v->options->deep && stripe->good >= v->set.header.k)
        return compare_parity(v, stripe);
    return STATUS_OK;
}

/* A stripe that cannot be restored leaves the hash of the whole file unknown. */
static int hash_stripe(void *context, struct stripe *stripe)
{
    struct verification *v = context;
    return stripe->good < v->set.header.k ? STATUS_OK
                                          : hash_add(&v->hash, stripe, &v->set.header);
}

static int judge_hash(struct verification *v)
{
    const struct shard_header *header = &v->set.header;
    if (v->hash.context == NULL || v->survey.lost.count + v->survey.blocked.count > 0)
        return STATUS_OK;
    int status = hash_end(&v->hash, v->found);
    bool right = memcmp(v->found, header->hash, sizeof v->found) == 0;
    if (status == STATUS_OK)
        v->hash_state = right ? HASH_RIGHT : HASH_WRONG;
    return status;
}

static int run(struct verification *v)
{
    const struct shard_header *header = &v->set.header;
    /* A header may claim any length.  The work is limited by what really exists. */
    uint64_t reach = shard_set_reach(&v->set, 1);
    bool hash = v->options->deep && (header->attributes & SHARD_HAS_HASH);
    struct pipeline_job job = {.verb = "verify",
                               .quiet = v->options->quiet,
                               .threads = v->options->threads,
                               .stripes = reach,
                               .total = header->length,
                               .shards = shard_set_size(&v->set),
                               .cell = shard_cell_length(header, 0),
                               .context = v,
                               .work = verify_stripe,
                               .put = hash ? hash_stripe : NULL};
    int status = hash ? hash_start(&v->hash) : STATUS_OK;
    if (status == STATUS_OK)
        status = pipeline_run(&job);
    survey_add_rest(&v->survey, &v->set, reach);
    return status == STATUS_OK ? judge_hash(v) : status;
}

/* --------------------------------------------------------------- report -- */

/* Reports what the set can lose as it is.  The stripe with the fewest good cells decides. */
static int report_folders(const struct verification *v)
{
    struct folders folders = {0};
    unsigned present = shard_set_present(&v->set), k = v->set.header.k;
    unsigned good = v->survey.fewest < present ? v->survey.fewest : present;
    int status = homes_of_shards(&folders, &v->set, true);
    if (status == STATUS_OK && good >= k && folders.count > 1)
        folders_say_losable(&folders, present, good - k);
    folders_free(&folders);
    return status;
}

/* What verify reports about the set, from its shards. */
struct verdict {
    bool damaged, unreadable;
    bool force;    /* a file that is no shard is in the way of a missing shard */
    bool homeless; /* no folder is left for a missing shard */
};

/* Reports a missing shard, and what repair would find in its place. */
static int report_missing(const struct verification *v, unsigned index, struct verdict *verdict)
{
    static const char *const texts[] = {
        [PLACE_FREE] = "",
        [PLACE_EMPTY] = " is an empty file, which repair replaces",
        [PLACE_UNUSABLE] = " is in its place; use 'permxor repair --force' to replace it",
        [PLACE_OTHER] = " is not a file; remove or rename it before you repair",
        [PLACE_UNREADABLE] = " cannot be read; use 'permxor repair --force' to replace it",
        [PLACE_ITSELF] = " is this shard; give it to the command, too",
        [PLACE_USABLE] = " holds another shard; rename it before you repair",
        [PLACE_NONE] = "no folder is given for its disk; use 'permxor repair --output=DIR'",
    };
    enum place_state state;
    char *path;
    int status = place_look(&v->set, index, v->homes.of[index], &state, &path);
    if (status == STATUS_OK)
        say_line("shard %03u: missing%s%s%s", index, state != PLACE_FREE ? ": " : "",
                 state != PLACE_FREE && path != NULL ? path : "", texts[state]);
    free(path);
    verdict->damaged |= state != PLACE_UNREADABLE;
    verdict->unreadable |= state == PLACE_UNREADABLE;
    verdict->force |= state == PLACE_UNUSABLE;
    verdict->homeless |= state == PLACE_NONE;
    return status;
}

/* Prints one line for each shard, and one for each further copy of it. */
static int report_shard(const struct verification *v, unsigned index, struct verdict *verdict)
{
    const struct shard_file *copies = v->set.shard[index], *best = best_copy(copies);
    if (best == NULL)
        return report_missing(v, index, verdict);
    for (const struct shard_file *file = copies; file != NULL; file = file->next) {
        char state[STATE_TEXT];
        state_text(file, true, state);
        say_line("shard %03u: %s: %s%s%s", index, file->path, file != copies ? "copy: " : "",
                 state, file == copies && file->hidden ? ", still under a temporary name" : "");
    }
    if (file_is_damaged(best) || copies->hidden)
        verdict->damaged = true;
    else
        verdict->unreadable |= file_is_unreadable(best);
    return STATUS_OK;
}

static int report_lost(const struct verification *v)
{
    char stripes[TALLY_TEXT];
    tally_text(&v->survey.lost, stripes);
    printf("NOT REPAIRABLE: %" PRIu64 " stripes have fewer than %u intact cells, the worst "
           "has %u (stripes %s)\n",
           v->survey.lost.count, v->set.header.k, v->survey.fewest, stripes);
    return STATUS_LOST;
}

static int report_blocked(const struct verification *v)
{
    char stripes[TALLY_TEXT];
    tally_text(&v->survey.blocked, stripes);
    printf("UNREADABLE: %" PRIu64 " stripes have fewer than %u cells that can be read "
           "(stripes %s)\n",
           v->survey.blocked.count, v->set.header.k, stripes);
    return STATUS_SYSTEM;
}

/* Returns why the wrong shard is not named. */
static const char *why_unexplained(const struct verification *v)
{
    if (v->set.header.m < 2)
        return "one parity shard is too few to find the wrong shard";
    return "more than one shard is wrong, or too few cells are left to find the wrong one";
}

static void report_wrong_shards(const struct verification *v)
{
    char stripes[TALLY_TEXT];
    for (unsigned i = 0; i < shard_set_size(&v->set); i++) {
        if (v->wrong[i].count == 0)
            continue;
        tally_text(&v->wrong[i], stripes);
        say_line("shard %03u: %s: WRONG, although its checksums are right: %" PRIu64
                 " cells do not match the other shards (stripes %s)",
                 i, v->set.shard[i]->path, v->wrong[i].count, stripes);
    }
    tally_text(&v->unexplained, stripes);
    if (v->unexplained.count > 0)
        printf("%s (stripes %s)\n", why_unexplained(v), stripes);
}

static int report_disagreeing(const struct verification *v)
{
    char stripes[TALLY_TEXT];
    report_wrong_shards(v);
    tally_text(&v->survey.disagreeing, stripes);
    printf("NOT REPAIRABLE: the parity does not match the data, although the checksums are "
           "right (stripes %s)\n",
           stripes);
    if (v->hash_state == HASH_RIGHT)
        puts("the SHA-256 of the data is right: 'permxor decode' writes the correct file");
    return STATUS_LOST;
}

static int report_hash(const struct verification *v)
{
    char is[HASH_TEXT_SIZE], was[HASH_TEXT_SIZE];
    hash_text(v->found, is);
    hash_text(v->set.header.hash, was);
    printf("NOT REPAIRABLE: the SHA-256 of the data is %s, but it was %s when the file was "
           "encoded\n",
           is, was);
    return STATUS_LOST;
}

/* Returns whether the set needs no repair at all. */
static bool is_undamaged(const struct verification *v)
{
    const struct survey *s = &v->survey;
    for (unsigned i = 0; i < shard_set_size(&v->set); i++) {
        const struct shard_file *best = best_copy(v->set.shard[i]);
        if (best == NULL || v->set.shard[i]->hidden || file_is_damaged(best) ||
            file_is_unreadable(best))
            return false;
    }
    return s->lost.count == 0 && s->blocked.count == 0 && s->disagreeing.count == 0 &&
           v->hash_state != HASH_WRONG;
}

static int report_verdict(const struct verdict *verdict)
{
    if (verdict->damaged)
        printf("damaged, but repairable; use 'permxor repair%s%s' to heal it\n",
               verdict->force ? " --force" : "", verdict->homeless ? " --output=DIR" : "");
    if (verdict->unreadable)
        puts("read errors, but the cells may be intact; use 'permxor repair --force' to write "
             "the shards again");
    if (verdict->damaged)
        return STATUS_DAMAGE;
    if (verdict->unreadable)
        return STATUS_SYSTEM;
    puts("no damage");
    return STATUS_OK;
}

static int report(struct verification *v)
{
    struct verdict verdict = {0};
    if (v->options->quiet && is_undamaged(v))
        return STATUS_OK;
    int status = homes_gather(&v->homes, &v->set, v->options);
    if (status != STATUS_OK)
        return status;
    homes_choose(&v->homes, &v->set);
    coding_say_set(&v->set.header);
    status = report_folders(v);
    for (unsigned i = 0; i < shard_set_size(&v->set) && status == STATUS_OK; i++)
        status = report_shard(v, i, &verdict);
    if (status != STATUS_OK)
        return status;
    if (v->survey.lost.count > 0)
        return report_lost(v);
    if (v->hash_state == HASH_WRONG)
        status = report_hash(v);
    if (v->survey.disagreeing.count > 0)
        status = report_disagreeing(v);
    if (status != STATUS_OK)
        return status;
    if (v->survey.blocked.count > 0)
        return report_blocked(v);
    return report_verdict(&verdict);
}

int cmd_verify(const struct options *options)
{
    struct verification v = {.options = options};
    if (options->hashes)
        return verify_hashes(options);
    if (options->operand_count == 0)
        return complain(STATUS_USAGE,
                        "verify: no shards given: name the shard files or their folder");
    if (options->direct)
        direct_begin();
    int status = shard_set_open(&v.set, options);
    recover_mention(&v.set.list);
    survey_init(&v.survey, &v.set);
    if (status == STATUS_OK)
        status = run(&v);
    if (status == STATUS_OK)
        status = report(&v);
    hash_free(&v.hash);
    homes_free(&v.homes);
    shard_set_close(&v.set);
    return status;
}
