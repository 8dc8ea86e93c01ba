/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * permxor repair: write missing and damaged shards anew.
 *
 * A pass reads all shards.  The first one writes those that are missing or
 * have visible flaws, and finds the corrupt cells in the others, which are the
 * work of a second pass.  A damaged shard is never changed in place: the new
 * one takes its name when it is complete.
 */
#include "config.h"

#include "cmd.h"
#include "message.h"
#include "pipeline.h"
#include "survey.h"
#include "writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct repair {
    const struct options *options;
    struct shard_set set;
    struct survey survey;                  /* of the current pass */
    bool chosen[PXR_MAX_SHARDS];           /* shards that the current pass writes */
    bool done[PXR_MAX_SHARDS];             /* shards written by a pass before */
    struct output outputs[PXR_MAX_SHARDS]; /* of the current pass, without gaps */
    unsigned output_of[PXR_MAX_SHARDS];
    unsigned count; /* outputs */
};

/* --------------------------------------------------------------- choose -- */

static unsigned choose(struct repair *r, bool (*needed)(const struct repair *, unsigned))
{
    unsigned count = 0;
    for (unsigned i = 0; i < shard_set_size(&r->set); i++) {
        r->done[i] |= r->chosen[i];
        r->chosen[i] = !r->done[i] && needed(r, i);
        count += r->chosen[i];
    }
    return count;
}

static bool is_missing_or_flawed(const struct repair *r, unsigned index)
{
    return r->set.shard[index] == NULL || r->set.shard[index]->flaws != 0;
}

static bool has_corrupt_cells(const struct repair *r, unsigned index)
{
    return r->survey.corrupt[index].count > 0;
}

/* -------------------------------------------------------------- outputs -- */

/*
 * Force does not go so far as to replace a shard that is of use, be it of the
 * shards given or not.
 */
static int refuse_useful(char *path)
{
    if (!shard_file_usable(path))
        return STATUS_OK;
    return complain(STATUS_SYSTEM, "%s: holds another shard: rename it, or give --output=DIR",
                    path);
}

static const struct shard_file *any_shard(const struct shard_set *set)
{
    unsigned i = 0;
    while (set->shard[i] == NULL)
        i++;
    return set->shard[i];
}

static int create_missing_in(struct repair *r, struct output *output, unsigned index,
                             const char *directory)
{
    char name[SHARD_FILE_NAME_SIZE];
    shard_file_name(&r->set.header, index, name);
    char *path = path_join(directory, name);
    if (path == NULL)
        return complain(STATUS_SYSTEM, "no memory");
    int status = refuse_useful(path);
    free(path);
    if (status != STATUS_OK)
        return status;
    status = writer_create(output, &r->set.header, index, directory, r->options->output_flags,
                           shard_file_size(&r->set.header));
    if (status == STATUS_OK)
        status = output_keep_private(output, any_shard(&r->set)->status.st_mode);
    return status;
}

static int create_missing(struct repair *r, struct output *output, unsigned index)
{
    if (!shard_name_is_safe(r->set.header.name))
        return complain(STATUS_REFUSED, "the recorded file name is not a safe one: missing "
                                        "shards cannot be named after it");
    if (r->options->output != NULL)
        return create_missing_in(r, output, index, r->options->output);
    char *directory = path_directory(any_shard(&r->set)->path);
    if (directory == NULL)
        return complain(STATUS_SYSTEM, "no memory");
    int status = create_missing_in(r, output, index, directory);
    free(directory);
    return status;
}

/*
 * Mode and, as far as the system lets us, owner and group of the old file.
 * EINVAL: an owner that has no number in this user namespace.
 */
static int take_after(const struct output *output, const struct shard_file *file)
{
    const struct stat *old = &file->status;
    if (fchown(output->fd, old->st_uid, old->st_gid) != 0 && errno != EPERM && errno != EINVAL)
        return complain(STATUS_SYSTEM, "%s: cannot set its owner: %s", file->path,
                        strerror(errno));
    if (fchmod(output->fd, old->st_mode & 0777) != 0)
        return complain(STATUS_SYSTEM, "%s: cannot set its mode: %s", file->path,
                        strerror(errno));
    return STATUS_OK;
}

/* In the place of a damaged shard; behind a symbolic link, where it points. */
static int create_instead(const struct repair *r, struct output *output,
                          const struct shard_file *file)
{
    char *path = realpath(file->path, NULL);
    if (path == NULL)
        return complain(STATUS_SYSTEM, "%s: cannot replace: %s", file->path, strerror(errno));
    int status = output_create(output, path, r->options->output_flags | OUTPUT_REPLACE,
                               shard_file_size(&r->set.header));
    free(path);
    return status != STATUS_OK ? status : take_after(output, file);
}

static int create_outputs(struct repair *r)
{
    int status = STATUS_OK;
    r->count = 0;
    for (unsigned i = 0; i < shard_set_size(&r->set) && status == STATUS_OK; i++) {
        if (!r->chosen[i])
            continue;
        struct output *output = &r->outputs[r->count];
        r->output_of[i] = r->count++;
        status = r->set.shard[i] == NULL ? create_missing(r, output, i)
                                         : create_instead(r, output, r->set.shard[i]);
    }
    return status;
}

/* ----------------------------------------------------------------- pass -- */

static int repair_stripe(void *context, struct stripe *stripe)
{
    struct repair *r = context;
    unsigned size = shard_set_size(&r->set);
    shard_set_gather(&r->set, stripe, size);
    survey_add(&r->survey, &r->set, stripe);
    int status = shard_set_rebuild(&r->set, stripe, size, r->chosen);
    for (unsigned i = 0; i < size && status == STATUS_OK; i++) {
        if (!r->chosen[i])
            continue;
        if (stripe->have[i] == NULL)
            stripe_seal(stripe, &r->set.header, i);
        status = writer_store(&r->outputs[r->output_of[i]], stripe, &r->set.header, i);
    }
    return status;
}

static int run(struct repair *r)
{
    const struct shard_header *header = &r->set.header;
    struct pipeline_job job = {.verb = "repair",
                               .quiet = r->options->quiet,
                               .threads = r->options->threads,
                               .stripes = shard_stripes(header),
                               .total = header->length,
                               .shards = shard_set_size(&r->set),
                               .cell = shard_cell_length(header, 0),
                               .context = r,
                               .work = repair_stripe};
    return pipeline_run(&job);
}

static int finish(struct repair *r)
{
    int status = STATUS_OK;
    for (unsigned i = 0; i < shard_set_size(&r->set) && status == STATUS_OK; i++)
        if (r->chosen[i])
            status = writer_finish(&r->outputs[r->output_of[i]], &r->set.header, i);
    if (status == STATUS_OK)
        status = output_publish(r->outputs, r->count);
    return status;
}

static void report(const struct repair *r)
{
    for (unsigned i = 0; i < shard_set_size(&r->set); i++) {
        char flaws[FLAWS_TEXT];
        const struct shard_file *file = r->set.shard[i];
        uint64_t corrupt = r->survey.corrupt[i].count;
        if (!r->chosen[i])
            continue;
        printf("shard %03u: %s: ", i, r->outputs[r->output_of[i]].path);
        flaws_text(file != NULL ? file->flaws : 0, flaws);
        if (file == NULL)
            puts("was missing, written");
        else if (corrupt > 0)
            printf("%s%s%" PRIu64 " corrupt cells, healed\n", flaws,
                   file->flaws != 0 ? ", " : "", corrupt);
        else
            printf("%s, healed\n", flaws);
    }
}

/* Write the chosen shards, and survey all. */
static int pass(struct repair *r)
{
    survey_init(&r->survey);
    int status = create_outputs(r);
    if (status == STATUS_OK)
        status = run(r);
    if (status == STATUS_OK)
        status = finish(r);
    if (status == STATUS_OK)
        report(r);
    output_discard(r->outputs, r->count);
    return status;
}

static int repair(struct repair *r)
{
    unsigned healed = choose(r, is_missing_or_flawed);
    int status = pass(r);
    while (status == STATUS_OK) {
        unsigned more = choose(r, has_corrupt_cells);
        if (more == 0)
            break;
        healed += more;
        status = pass(r);
    }
    if (status == STATUS_OK && healed == 0)
        puts("no damage");
    return status;
}

int cmd_repair(const struct options *options)
{
    struct repair r = {.options = options};
    if (options->operand_count == 0)
        return complain(STATUS_USAGE, "repair: give the shard files, or their directory");
    int status = shard_set_open(&r.set, options);
    if (status == STATUS_OK)
        status = repair(&r);
    shard_set_close(&r.set);
    return status;
}
