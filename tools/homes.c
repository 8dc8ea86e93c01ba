/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "homes.h"

#include "message.h"
#include "output.h"
#include "survey.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --------------------------------------------------------------- gather -- */

static int gather_operands(struct homes *h, const struct options *options)
{
    unsigned number;
    int result = STATUS_OK;
    for (int i = 0; i < options->operand_count && result == STATUS_OK; i++) {
        struct stat status;
        if (stat(options->operands[i], &status) == 0 && S_ISDIR(status.st_mode))
            result = folders_add(&h->folders, options->operands[i], FOLDER_OPERAND, &number);
    }
    return result;
}

static int gather_file(struct folders *folders, const struct shard_file *file, bool follow)
{
    unsigned number;
    char *target = follow ? realpath(file->path, NULL) : NULL;
    char *directory = path_directory(target != NULL ? target : file->path);
    free(target);
    if (directory == NULL)
        return complain(STATUS_SYSTEM, "out of memory");
    int status = folders_add(folders, directory, 0, &number);
    if (status == STATUS_OK)
        folders->list[number].holds[file->header.index] = true;
    free(directory);
    return status;
}

static bool is_good(const struct shard_file *file)
{
    return !file_is_damaged(file) && !file_is_unreadable(file);
}

/* Returns whether the shard loses nothing with all copies but this one, or has no good copy. */
static bool suffices(const struct shard_file *copies, const struct shard_file *copy)
{
    return is_good(copy) || !is_good(best_copy(copies));
}

int homes_of_shards(struct folders *folders, const struct shard_set *set, bool losses)
{
    int status = STATUS_OK;
    for (unsigned i = 0; i < shard_set_size(set); i++) {
        const struct shard_file *copies = set->shard[i], *file = copies;
        for (; file != NULL && status == STATUS_OK; file = file->next)
            if (!losses || suffices(copies, file))
                status = gather_file(folders, file, losses);
    }
    return status;
}

static bool same_disk(const struct homes *h, unsigned a, unsigned b)
{
    return a % h->disks == b % h->disks;
}

/* Returns whether a folder holds only shards of this shard's disk. */
static bool suits(const struct homes *h, const struct folder *folder, unsigned index)
{
    for (unsigned i = 0; i < PXR_MAX_SHARDS; i++)
        if (folder->holds[i] && !same_disk(h, i, index))
            return false;
    return true;
}

/* Returns whether a folder holds a shard of this shard's disk. */
static bool holds_mate(const struct homes *h, const struct folder *folder, unsigned index)
{
    for (unsigned i = 0; i < PXR_MAX_SHARDS; i++)
        if (folder->holds[i] && same_disk(h, i, index))
            return true;
    return false;
}

static bool is_mixed(const struct homes *h, const struct folder *folder)
{
    unsigned first = 0;
    while (first + 1 < PXR_MAX_SHARDS && !folder->holds[first])
        first++;
    return !suits(h, folder, first);
}

/*
 * A set may have been moved since it was distributed, for example all of it into one folder.
 * The shards are still as distributed if most folders hold shards of one disk.
 */
static bool lies_as_dealt(const struct homes *h)
{
    unsigned mixed = 0;
    for (unsigned i = 0; i < h->folders.count; i++)
        mixed += is_mixed(h, &h->folders.list[i]);
    return folders_used(&h->folders) > 2 * mixed;
}

int homes_gather(struct homes *h, const struct shard_set *set, const struct options *options)
{
    int status = gather_operands(h, options);
    if (status == STATUS_OK)
        status =
            folders_add_outputs(&h->folders, "repair", options->outputs, options->output_count);
    if (status == STATUS_OK)
        status = homes_of_shards(&h->folders, set, false);
    h->disks = set->header.disks;
    h->dealt = h->disks >= 2 && lies_as_dealt(h);
    if (!h->dealt)
        h->disks = PXR_MAX_SHARDS;
    return status;
}

void homes_free(struct homes *h)
{
    folders_free(&h->folders);
}

/* --------------------------------------------------------------- choose -- */

/*
 * Returns the roles of the folders among which to choose, or 0 for all folders.  While a set is
 * as distributed, --output names additional new folders.  Otherwise it names the folders to
 * which all missing shards go.
 */
static unsigned roles_to_choose(const struct homes *h)
{
    unsigned roles = 0;
    for (unsigned i = 0; i < h->folders.count; i++)
        roles |= h->folders.list[i].roles;
    return !h->dealt && (roles & FOLDER_OUTPUT) ? FOLDER_OUTPUT : roles;
}

static bool is_candidate(const struct folder *folder, unsigned roles)
{
    return roles == 0 || (folder->roles & roles) != 0;
}

static struct folder *with_mates(struct homes *h, unsigned index)
{
    for (unsigned i = 0; i < h->folders.count; i++) {
        struct folder *folder = &h->folders.list[i];
        if (holds_mate(h, folder, index) && suits(h, folder, index))
            return folder;
    }
    return NULL;
}

/* Returns the place of a candidate in the order of the command line, or of the paths. */
static unsigned place_of(const struct homes *h, const struct folder *folder, unsigned roles,
                         bool by_path)
{
    unsigned place = 0;
    for (unsigned i = 0; i < h->folders.count; i++) {
        const struct folder *other = &h->folders.list[i];
        bool before = by_path ? strcmp(other->path, folder->path) < 0 : other < folder;
        place += before && is_candidate(other, roles);
    }
    return place;
}

/*
 * Use this when there are as many candidates as disks.  If the candidates that hold shards are
 * where encode had them in some order, the others are in that order, too.
 */
static struct folder *in_order(struct homes *h, unsigned index, unsigned roles, bool by_path)
{
    struct folder *found = NULL;
    unsigned count = 0;
    for (unsigned i = 0; i < h->folders.count; i++) {
        struct folder *folder = &h->folders.list[i];
        if (!is_candidate(folder, roles))
            continue;
        unsigned place = place_of(h, folder, roles, by_path);
        if (!suits(h, folder, place))
            return NULL;
        if (place == index % h->disks)
            found = folder;
        count++;
    }
    return count == h->disks ? found : NULL;
}

/* Returns whether a folder holds a shard that no other folder holds.  A folder with only copies
   is a backup. */
static bool is_no_backup(const struct homes *h, const struct folder *folder, unsigned index)
{
    (void)index;
    for (unsigned i = 0; i < PXR_MAX_SHARDS; i++)
        if (folder->holds[i] && folders_with(&h->folders, i) == 1)
            return true;
    return false;
}

static bool is_any(const struct homes *h, const struct folder *folder, unsigned index)
{
    (void)h, (void)folder, (void)index;
    return true;
}

typedef bool accept_fn(const struct homes *h, const struct folder *folder, unsigned index);

/* Returns a folder of --output first, and then the folder with the fewest shards. */
static struct folder *emptiest(struct homes *h, unsigned index, unsigned roles,
                               accept_fn *accepts)
{
    struct folder *best = NULL;
    for (unsigned i = 0; i < h->folders.count; i++) {
        struct folder *folder = &h->folders.list[i];
        if (!is_candidate(folder, roles) || !accepts(h, folder, index))
            continue;
        bool is_new = folder->roles & FOLDER_OUTPUT;
        bool best_is_new = best != NULL && (best->roles & FOLDER_OUTPUT);
        if (best == NULL || (is_new && !best_is_new) ||
            (is_new == best_is_new && folder_shards(folder) < folder_shards(best)))
            best = folder;
    }
    return best;
}

/* A shard that a command has left under a temporary name is already in the folder where it was
   meant to go. */
static struct folder *with_itself(struct homes *h, unsigned index)
{
    for (unsigned i = 0; i < h->folders.count; i++)
        if (h->folders.list[i].holds[index])
            return &h->folders.list[i];
    return NULL;
}

static struct folder *choose_as_dealt(struct homes *h, unsigned index)
{
    unsigned roles = roles_to_choose(h);
    struct folder *folder = with_itself(h, index);
    if (folder == NULL)
        folder = with_mates(h, index);
    if (folder == NULL)
        folder = in_order(h, index, roles, false);
    if (folder == NULL)
        folder = in_order(h, index, roles, true);
    return folder != NULL ? folder : emptiest(h, index, roles, suits);
}

/* Shards that may each be on a disk of their own are spread as far as possible. */
static struct folder *choose_by_number(struct homes *h, unsigned index)
{
    unsigned roles = roles_to_choose(h);
    struct folder *folder = roles != FOLDER_OUTPUT ? with_itself(h, index) : NULL;
    if (folder == NULL)
        folder = emptiest(h, index, roles, suits);
    if (folder == NULL)
        folder = emptiest(h, index, roles, is_no_backup);
    return folder != NULL ? folder : emptiest(h, index, roles, is_any);
}

void homes_choose(struct homes *h, const struct shard_set *set)
{
    for (unsigned i = 0; i < shard_set_size(set); i++) {
        if (set->shard[i] != NULL && !set->shard[i]->hidden)
            continue;
        h->of[i] = h->dealt ? choose_as_dealt(h, i) : choose_by_number(h, i);
        if (h->of[i] != NULL)
            h->of[i]->holds[i] = true;
    }
}
