/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "repair.h"

#include "message.h"
#include "writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool repair_lacks_name(const struct repair *r, unsigned index)
{
    return r->set.shard[index] == NULL || r->set.shard[index]->hidden;
}

/* -------------------------------------------------------------- outputs -- */

/* Nothing is reserved for holes, or for a length that only the headers claim. */
static uint64_t room_for_shard(const struct repair *r)
{
    const struct shard_header *header = &r->set.header;
    bool whole = shard_set_reach(&r->set, header->k) == shard_stripes(header);
    return whole && !(header->attributes & SHARD_IS_SPARSE) ? shard_file_size(header) : 0;
}

static int create_missing(struct repair *r, struct output *output, unsigned index)
{
    unsigned flags = r->options->output_flags;
    const struct shard_file *neighbour = place_neighbour(&r->set);
    struct stat mate = neighbour->status;
    mate.st_mode = access_list_mode(neighbour->fd, mate.st_mode);
    if (!shard_name_is_safe(r->set.header.name))
        return complain(STATUS_REFUSED, "the file name in the shards is not safe to use: "
                                        "missing shards cannot be named after it");
    if (r->place[index] == PLACE_EMPTY)
        flags |= OUTPUT_REPLACE;
    int status = writer_create(output, &r->set.header, index, r->homes.of[index]->path, flags,
                               room_for_shard(r));
    if (status == STATUS_OK)
        status = output_belong(output, &mate);
    return status;
}

/* Creates the output in the place of a damaged shard.  A symbolic link is followed. */
static int create_instead(const struct repair *r, struct output *output,
                          const struct shard_file *file)
{
    char *path = realpath(file->path, NULL);
    if (path == NULL)
        return complain(STATUS_SYSTEM, "%s: cannot replace: %s", file->path, strerror(errno));
    int status = output_create(output, path, r->options->output_flags | OUTPUT_REPLACE,
                               room_for_shard(r));
    free(path);
    return status != STATUS_OK ? status : output_succeed(output, &file->status, file->fd);
}

/* If one disk is full or read-only, the shards on other disks are still healed. */
static void bar(struct repair *r, unsigned index)
{
    output_discard(&r->outputs[--r->count], 1);
    r->barred[index] = true;
    r->chosen[index] = r->wanted[index] = false;
}

int repair_create_outputs(struct repair *r)
{
    int status = STATUS_OK;
    r->count = 0;
    for (unsigned i = 0; i < shard_set_size(&r->set) && status == STATUS_OK; i++) {
        if (!r->chosen[i])
            continue;
        struct output *output = &r->outputs[r->count];
        r->output_of[i] = r->count++;
        status = repair_lacks_name(r, i) ? create_missing(r, output, i)
                                         : create_instead(r, output, r->set.shard[i]);
        if (status == STATUS_SYSTEM) {
            bar(r, i);
            status = STATUS_OK;
        }
    }
    return status;
}

/* --------------------------------------------------------------- guards -- */

/*
 * All shards of the set must be those that were read, also the ones that are not replaced.
 * Otherwise new shards could be put among the shards of another set.
 */
static int guard(struct repair *r, unsigned index, const char *path, const struct stat *status)
{
    struct seen_file *guard = &r->guards[index];
    free(guard->path);
    *guard = (struct seen_file){.path = strdup(path), .status = *status};
    return guard->path != NULL ? STATUS_OK : complain(STATUS_SYSTEM, "out of memory");
}

int repair_guard_set(struct repair *r)
{
    int status = STATUS_OK;
    for (unsigned i = 0; i < shard_set_size(&r->set) && status == STATUS_OK; i++) {
        const struct shard_file *file = r->set.shard[i];
        if (file != NULL)
            status = guard(r, i, file->path, &file->status);
    }
    return status;
}

/* What one pass has written belongs to the set in the next pass. */
int repair_guard_written(struct repair *r)
{
    int status = STATUS_OK;
    for (unsigned i = 0; i < shard_set_size(&r->set) && status == STATUS_OK; i++) {
        struct stat written;
        bool mended = repair_is_mended(r, i);
        const struct output *output = &r->outputs[r->output_of[i]];
        const char *path = mended ? r->journals[i].shard : output->path;
        if (!r->chosen[i] && !mended)
            continue;
        if (fstat(mended ? r->journals[i].shard_fd : output->fd, &written) != 0)
            return complain(STATUS_SYSTEM, "%s: cannot read: %s", path, strerror(errno));
        status = guard(r, i, path, &written);
    }
    return status;
}
