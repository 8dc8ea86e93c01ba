/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "surplus.h"

#include "list.h"
#include "message.h"
#include "output.h"
#include "shardlist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The sets that are replaced. */
struct old_sets {
    uint8_t (*id)[SHARD_ID_SIZE];
    unsigned count;
    size_t room;
};

static bool has_id(const struct old_sets *old, const uint8_t *id)
{
    for (unsigned i = 0; i < old->count; i++)
        if (memcmp(old->id[i], id, SHARD_ID_SIZE) == 0)
            return true;
    return false;
}

static int no_memory(void)
{
    return complain(STATUS_SYSTEM, "out of memory");
}

static int note_old(struct old_sets *old, const uint8_t *id)
{
    if (has_id(old, id))
        return STATUS_OK;
    void *ids = list_grown(old->id, old->count, &old->room, sizeof *old->id);
    if (ids == NULL)
        return no_memory();
    old->id = ids;
    memcpy(old->id[old->count++], id, SHARD_ID_SIZE);
    return STATUS_OK;
}

/* Takes over the path of the file. */
static int add(struct surplus *surplus, const struct shard_file *file)
{
    struct seen_file *files =
        list_grown(surplus->files, surplus->count, &surplus->room, sizeof *files);
    if (files == NULL) {
        free(file->path);
        return no_memory();
    }
    surplus->files = files;
    surplus->files[surplus->count++] = (struct seen_file){file->path, file->status};
    return STATUS_OK;
}

/* Looks for the shard of that name in a folder.  The caller frees its path. */
static int look(struct shard_file *file, const struct shard_header *header,
                const struct folder *folder, unsigned index)
{
    char name[SHARD_FILE_NAME_SIZE];
    shard_file_name(header, index, name);
    char *path = path_join(folder->path, name);
    if (path == NULL)
        return no_memory();
    *file = shard_file_look(path);
    file->usable = file->usable && strcmp(file->header.name, header->name) == 0;
    return STATUS_OK;
}

/*
 * If a file that may be left over cannot be read, the new set might be mixed with the old one.
 * It is better to know that before the work.
 */
static int check_read(const struct shard_file *file)
{
    if (file->usable || file->error == 0 || file->error == ENOENT || file->error == ENOTDIR)
        return STATUS_OK;
    return complain(STATUS_SYSTEM,
                    "%s: cannot read: %s; it may belong to the set that --force is to replace",
                    file->path, strerror(file->error));
}

static int find_old_sets(struct old_sets *old, const struct shard_header *header,
                         const struct folder *folder)
{
    int status = STATUS_OK;
    for (unsigned i = 0; i < header->k + header->m && status == STATUS_OK; i++) {
        struct shard_file file;
        status = look(&file, header, folder, i);
        if (status != STATUS_OK)
            break;
        if (file.usable)
            status = note_old(old, file.header.id);
        free(file.path);
    }
    return status;
}

/*
 * A command that was killed while it replaced a set has left shards of both sets under
 * temporary names.  Its new set may be all that is replaced now, and yet the older one is to go
 * as well.
 */
static int find_interrupted_sets(struct old_sets *old, const struct shard_header *header,
                                 const struct folder *folder)
{
    struct shard_list list = {0};
    int status = shard_list_add_left_behind(&list, folder->path);
    for (size_t i = 0; i < list.count && status == STATUS_OK; i++)
        if (strcmp(list.files[i].header.name, header->name) == 0)
            status = note_old(old, list.files[i].header.id);
    shard_list_free(&list);
    return status;
}

/* Finds all shards that the new shards do not replace. */
static int find_left_over(struct surplus *surplus, const struct old_sets *old,
                          const struct shard_header *header, const struct folders *folders,
                          unsigned number)
{
    int status = STATUS_OK;
    for (unsigned i = 0; i < PXR_MAX_SHARDS && status == STATUS_OK; i++) {
        struct shard_file file;
        if (folders->list[number].holds[i])
            continue;
        status = look(&file, header, &folders->list[number], i);
        if (status != STATUS_OK)
            break;
        status = check_read(&file);
        if (file.usable && file.header.index == i && has_id(old, file.header.id))
            status = add(surplus, &file);
        else
            free(file.path);
    }
    return status;
}

int surplus_find(struct surplus *surplus, const struct shard_header *header,
                 const struct folders *folders)
{
    int status = STATUS_OK;
    struct old_sets old = {0};
    for (unsigned i = 0; i < folders->count && status == STATUS_OK; i++)
        status = find_old_sets(&old, header, &folders->list[i]);
    for (unsigned i = 0; i < folders->count && status == STATUS_OK && old.count > 0; i++)
        status = find_interrupted_sets(&old, header, &folders->list[i]);
    for (unsigned i = 0; i < folders->count && status == STATUS_OK && old.count > 0; i++)
        status = find_left_over(surplus, &old, header, folders, i);
    free(old.id);
    return status;
}

void surplus_free(struct surplus *surplus)
{
    for (unsigned i = 0; i < surplus->count; i++)
        free(surplus->files[i].path);
    free(surplus->files);
    *surplus = (struct surplus){0};
}
