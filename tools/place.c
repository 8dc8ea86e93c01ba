/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "place.h"

#include "message.h"
#include "output.h"

#include <errno.h>

const struct shard_file *place_neighbour(const struct shard_set *set)
{
    unsigned i = 0;
    while (set->shard[i] == NULL)
        i++;
    return set->shard[i];
}

static bool is_shard(const struct shard_file *file, const struct shard_set *set, unsigned index)
{
    return file->header.index == index && shard_same_set(&file->header, &set->header);
}

static enum place_state look(char *path, bool own_folder, const struct shard_set *set,
                             unsigned index)
{
    struct stat status;
    if (lstat(path, &status) != 0)
        return errno == ENOENT || errno == ENOTDIR ? PLACE_FREE : PLACE_UNREADABLE;
    if (!output_may_replace(&status))
        return PLACE_OTHER;
    if (S_ISREG(status.st_mode) && status.st_size == 0 && own_folder)
        return PLACE_EMPTY;
    struct shard_file file = shard_file_look(path);
    if (file.usable)
        return is_shard(&file, set, index) ? PLACE_ITSELF : PLACE_USABLE;
    /* A symbolic link that leads nowhere cannot be opened either. */
    return file.error != 0 && file.error != ENOENT ? PLACE_UNREADABLE : PLACE_UNUSABLE;
}

int place_look(const struct shard_set *set, unsigned index, const struct folder *folder,
               enum place_state *state, char **path)
{
    char name[SHARD_FILE_NAME_SIZE];
    *path = NULL;
    *state = folder == NULL ? PLACE_NONE : PLACE_FREE;
    if (folder == NULL || !shard_name_is_safe(set->header.name))
        return STATUS_OK;
    shard_file_name(&set->header, index, name);
    *path = path_join(folder->path, name);
    if (*path == NULL)
        return complain(STATUS_SYSTEM, "out of memory");
    *state = look(*path, folder->roles != FOLDER_OUTPUT, set, index);
    return STATUS_OK;
}
