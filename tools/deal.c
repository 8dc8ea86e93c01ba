/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "deal.h"

#include "message.h"
#include "output.h"

#include <stdlib.h>
#include <sys/stat.h>

/* -------------------------------------------------------------- folders -- */

static int add_outputs(struct folders *folders, const struct options *options)
{
    unsigned shards = options->k + options->m;
    if (options->output_count > shards)
        return complain(STATUS_USAGE, "encode: --output: %u folders are too many for %u shards",
                        options->output_count, shards);
    return folders_add_outputs(folders, "encode", options->outputs, options->output_count);
}

static int add_folder_of(struct folders *folders, const char *file)
{
    unsigned number;
    char *directory = path_directory(file);
    if (directory == NULL)
        return complain(STATUS_SYSTEM, "out of memory");
    int status = folders_add(folders, directory, 0, &number);
    free(directory);
    return status;
}

static bool same_device(const struct folder *a, const struct folder *b)
{
    return a->known && b->known && a->device == b->device;
}

/* Warns once for each file system that holds several of the folders. */
static void warn_of_shared_devices(const struct folders *folders)
{
    for (unsigned i = 0; i < folders->count; i++) {
        const struct folder *first = &folders->list[i], *second = NULL;
        unsigned before = 0, after = 0;
        for (unsigned j = 0; j < folders->count; j++) {
            const struct folder *other = &folders->list[j];
            if (j == i || !same_device(first, other))
                continue;
            before += j < i;
            if (j > i && after++ == 0)
                second = other;
        }
        if (before == 0 && after == 1)
            warn("%s and %s are on the same file system: if this is one disk, its failure "
                 "loses both",
                 first->path, second->path);
        else if (before == 0 && after > 1)
            warn("%s, %s and %u more are on the same file system: if this is one disk, its "
                 "failure loses them all",
                 first->path, second->path, after - 1);
    }
}

int deal_folders(struct folders *folders, const struct options *options, const char *file)
{
    int status = options->output_count > 0 ? add_outputs(folders, options)
                                           : add_folder_of(folders, file);
    if (status != STATUS_OK)
        return status;
    for (unsigned i = 0; i < options->k + options->m; i++)
        folders->list[i % folders->count].holds[i] = true;
    warn_of_shared_devices(folders);
    return STATUS_OK;
}

const char *deal_to(const struct folders *folders, unsigned index)
{
    return folders->list[index % folders->count].path;
}

/* ---------------------------------------------------------------- names -- */

static int check_name(const char *directory, const char *name)
{
    struct stat status;
    char *path = path_join(directory, name);
    int result = STATUS_OK;
    if (path == NULL)
        return complain(STATUS_SYSTEM, "out of memory");
    if (lstat(path, &status) == 0)
        result = complain(STATUS_SYSTEM, "%s: already exists; use --force to replace it", path);
    free(path);
    return result;
}

int deal_check(const struct folders *folders, const struct shard_header *header)
{
    char name[SHARD_FILE_NAME_SIZE];
    int status = STATUS_OK;
    for (unsigned i = 0; i < PXR_MAX_SHARDS; i++) {
        shard_file_name(header, i, name);
        for (unsigned j = 0; j < folders->count && status == STATUS_OK; j++)
            if (!folders->list[j].holds[i])
                status = check_name(folders->list[j].path, name);
    }
    return status;
}

/* ----------------------------------------------------------------- loss -- */

void deal_say(const struct folders *folders, const struct shard_header *header)
{
    if (folders->count > 1)
        folders_say_losable(folders, header->k + header->m, header->m);
}
