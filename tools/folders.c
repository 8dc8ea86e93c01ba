/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "folders.h"

#include "list.h"
#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ----------------------------------------------------------------- list -- */

static struct folder *find(const struct folders *folders, const struct folder *like)
{
    for (unsigned i = 0; i < folders->count; i++) {
        struct folder *folder = &folders->list[i];
        if (like->known ? folder->known && folder->device == like->device &&
                              folder->inode == like->inode
                        : strcmp(folder->path, like->path) == 0)
            return folder;
    }
    return NULL;
}

static bool make_room(struct folders *folders)
{
    struct folder *list =
        list_grown(folders->list, folders->count, &folders->room, sizeof *list);
    if (list == NULL)
        return false;
    folders->list = list;
    return true;
}

int folders_add(struct folders *folders, const char *path, unsigned roles, unsigned *number)
{
    struct stat status;
    struct folder new = {.path = strdup(path), .roles = roles};
    if (new.path == NULL || !make_room(folders)) {
        free(new.path);
        return complain(STATUS_SYSTEM, "not enough memory for the list of folders");
    }
    new.known = stat(path, &status) == 0;
    if (new.known) {
        new.device = status.st_dev;
        new.inode = status.st_ino;
    }
    struct folder *folder = find(folders, &new);
    if (folder != NULL) {
        folder->roles |= roles;
        free(new.path);
    } else {
        folder = &folders->list[folders->count++];
        *folder = new;
    }
    *number = (unsigned)(folder - folders->list);
    return STATUS_OK;
}

int folders_add_outputs(struct folders *folders, const char *command, const char *const *paths,
                        unsigned count)
{
    unsigned numbers[PXR_MAX_SHARDS];
    for (unsigned i = 0; i < count; i++) {
        int status = folders_add(folders, paths[i], FOLDER_OUTPUT, &numbers[i]);
        if (status != STATUS_OK)
            return status;
        for (unsigned j = 0; j < i; j++)
            if (numbers[j] == numbers[i])
                return complain(STATUS_USAGE, "%s: --output: %s and %s are the same folder",
                                command, paths[j], paths[i]);
    }
    return STATUS_OK;
}

void folders_free(struct folders *folders)
{
    for (unsigned i = 0; i < folders->count; i++)
        free(folders->list[i].path);
    free(folders->list);
    *folders = (struct folders){0};
}

/* --------------------------------------------------------------- losses -- */

unsigned folder_shards(const struct folder *folder)
{
    unsigned count = 0;
    for (unsigned i = 0; i < PXR_MAX_SHARDS; i++)
        count += folder->holds[i];
    return count;
}

unsigned folders_used(const struct folders *folders)
{
    unsigned count = 0;
    for (unsigned i = 0; i < folders->count; i++)
        count += folder_shards(&folders->list[i]) > 0;
    return count;
}

unsigned folders_with(const struct folders *folders, unsigned shard)
{
    unsigned count = 0;
    for (unsigned i = 0; i < folders->count; i++)
        count += folders->list[i].holds[shard];
    return count;
}

/*
 * Returns the number of shards that are lost with those `lost` folders that lose the most.  A
 * shard that is in more than `lost` folders stays.
 */
static unsigned most_shards(const struct folders *folders,
                            const unsigned copies[PXR_MAX_SHARDS], unsigned lost)
{
    unsigned with[PXR_MAX_SHARDS + 1] = {0}, sum = 0; /* by number of shards: how many folders
                                                         have that number */
    for (unsigned i = 0; i < folders->count; i++) {
        unsigned count = 0;
        for (unsigned shard = 0; shard < PXR_MAX_SHARDS; shard++)
            count += folders->list[i].holds[shard] && copies[shard] <= lost;
        with[count]++;
    }
    for (unsigned shards = PXR_MAX_SHARDS; shards > 0 && lost > 0; shards--) {
        unsigned count = with[shards] < lost ? with[shards] : lost;
        sum += count * shards;
        lost -= count;
    }
    return sum;
}

unsigned folders_losable(const struct folders *folders, unsigned spare)
{
    unsigned copies[PXR_MAX_SHARDS], lost = 0, used = folders_used(folders);
    for (unsigned shard = 0; shard < PXR_MAX_SHARDS; shard++)
        copies[shard] = folders_with(folders, shard);
    while (lost + 1 < used && most_shards(folders, copies, lost + 1) <= spare)
        lost++;
    return lost;
}

void folders_say_losable(const struct folders *folders, unsigned shards, unsigned spare)
{
    unsigned used = folders_used(folders), lost = folders_losable(folders, spare);
    printf("%u shard%s in %u folder%s: ", shards, shards == 1 ? "" : "s", used,
           used == 1 ? "" : "s");
    if (lost == 0)
        puts("the loss of one folder can lose the file");
    else
        printf("the file survives the loss of any %u folder%s\n", lost, lost == 1 ? "" : "s");
}
