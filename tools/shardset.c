/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "shardset.h"

#include "adopt.h"
#include "coding.h"
#include "identity.h"
#include "message.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* ----------------------------------------------------- choosing a set -- */

static bool chosen(const struct shard_file *file, const char *id)
{
    return file->usable && shard_is_of_set(&file->header, id);
}

static void list_sets(const struct shard_list *list)
{
    bool hidden = false;
    for (size_t i = 0; i < list->count; i++) {
        char id[SHARD_ID_TEXT_SIZE];
        if (!list->files[i].usable)
            continue;
        shard_id_text(&list->files[i].header, id);
        warn("%s: belongs to set %s", list->files[i].path, id);
        hidden |= list->files[i].hidden;
    }
    if (hidden)
        warn("a command was interrupted: files .permxor-*.tmp hold the shards that it was "
             "about to replace, or new shards that it had not yet renamed");
}

/* Counts the shards, without further copies, whose headers agree with this one. */
static unsigned count_agreeing(const struct shard_list *list, const char *id,
                               const struct shard_header *header)
{
    bool there[PXR_MAX_SHARDS] = {false};
    unsigned count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct shard_file *file = &list->files[i];
        if (!chosen(file, id) || !shard_same_set(&file->header, header))
            continue;
        count += !there[file->header.index];
        there[file->header.index] = true;
    }
    return count;
}

/* Returns the header that most shards with the same id have.  NULL: undecided. */
static const struct shard_header *majority(const struct shard_list *list, const char *id)
{
    const struct shard_header *best = NULL;
    unsigned most = 0;
    bool tie = false;
    for (size_t i = 0; i < list->count; i++) {
        const struct shard_header *header = &list->files[i].header;
        if (!chosen(&list->files[i], id) || (best != NULL && shard_same_set(best, header)))
            continue;
        unsigned count = count_agreeing(list, id, header);
        tie = count == most || (count < most && tie);
        if (count > most) {
            most = count;
            best = header;
        }
    }
    return tie ? NULL : best;
}

static int undecided(const struct shard_list *list, const char *id)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct shard_header *h = &list->files[i].header;
        char code[CODING_TEXT];
        if (!chosen(&list->files[i], id))
            continue;
        coding_text(h, code);
        warn("%s: its header says %s, a file of %" PRIu64 " bytes, cells of %" PRIu32 " bytes",
             list->files[i].path, code, h->length, h->cell);
    }
    return complain(STATUS_REFUSED, "the headers of the shards contradict each other, and none "
                                    "has a majority; leave out the wrong shards");
}

/* These shards are forged or foreign, whatever their cells are.  They must not stop the others.
 */
static void leave_out_minority(struct shard_list *list, const char *id,
                               const struct shard_header *header)
{
    for (size_t i = 0; i < list->count; i++) {
        struct shard_file *file = &list->files[i];
        if (!chosen(file, id) || shard_same_set(&file->header, header))
            continue;
        file->usable = false;
        file->why = "its header contradicts those of most shards of the set";
    }
}

/* Returns the first shard of the set that is asked for, preferably one under its own name. */
static const struct shard_file *first_chosen(const struct shard_list *list, const char *id)
{
    const struct shard_file *hidden = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct shard_file *file = &list->files[i];
        if (chosen(file, id) && !file->hidden)
            return file;
        if (chosen(file, id) && hidden == NULL)
            hidden = file;
    }
    return hidden;
}

/* Returns whether two shards are of sets that were made at different times. */
static bool other_set(const struct shard_file *a, const struct shard_file *b)
{
    return memcmp(a->header.id, b->header.id, SHARD_ID_SIZE) != 0;
}

/* When there are shards under their own names, those under temporary names decide nothing. */
static void leave_out_hidden(struct shard_list *list, const char *id,
                             const struct shard_file *first)
{
    for (size_t i = 0; i < list->count && id == NULL && !first->hidden; i++) {
        struct shard_file *file = &list->files[i];
        if (!file->usable || !file->hidden || !other_set(file, first))
            continue;
        file->usable = false;
        file->why = "it is of another set, and was left by an interrupted command";
    }
}

/* Finds the one set to which the usable shards belong. */
static int choose(struct shard_list *list, const char *id, struct shard_header *header)
{
    const struct shard_file *first = first_chosen(list, id);
    if (first == NULL && id != NULL)
        return complain(STATUS_REFUSED, "no usable shard of set %s", id);
    if (first == NULL)
        return shard_list_useless(list);
    for (size_t i = 0; i < list->count; i++)
        if (chosen(&list->files[i], id) && other_set(&list->files[i], first) &&
            (id != NULL || first->hidden || !list->files[i].hidden)) {
            list_sets(list);
            return complain(STATUS_REFUSED,
                            "the shards belong to different sets; use --set=ID to choose one");
        }
    leave_out_hidden(list, id, first);
    const struct shard_header *most = majority(list, id);
    if (most == NULL)
        return undecided(list, id);
    *header = *most;
    header->index = 0;
    leave_out_minority(list, id, header);
    return STATUS_OK;
}

/* The same file, named twice, does not count as two copies. */
static const struct shard_file *other_name_of(const struct shard_file *copies,
                                              const struct shard_file *file)
{
    for (; copies != NULL; copies = copies->next)
        if (same_inode(&copies->status, &file->status))
            return copies;
    return NULL;
}

/* Shards without flaws come first, shards under temporary names last. */
static unsigned rank(const struct shard_file *file)
{
    return file->hidden ? 2 : file->flaws != 0;
}

static void add_copy(struct shard_file **slot, struct shard_file *file)
{
    while (*slot != NULL && rank(*slot) <= rank(file))
        slot = &(*slot)->next;
    file->next = *slot;
    *slot = file;
}

static int open_shard(struct shard_set *set, struct shard_file *file)
{
    struct shard_file **slot = &set->shard[file->header.index];
    const struct shard_file *same = other_name_of(*slot, file);
    if (same != NULL) {
        warn("%s: not used: it is the same file as %s", file->path, same->path);
        return STATUS_OK;
    }
    file->fd = shard_file_open(file->path);
    if (file->fd < 0) {
        file->error = errno;
        file->usable = false;
        warn("%s: cannot open: %s", file->path, strerror(file->error));
        return shard_file_failed(file, file->error);
    }
    (void)posix_fadvise(file->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    if (*slot != NULL)
        warn("%s: another copy of %s", file->path, (*slot)->path);
    add_copy(slot, file);
    return STATUS_OK;
}

static int make_code(struct shard_set *set)
{
    struct pxr_error why;
    int result = coding_create(&set->code, &set->header, &why);
    if (result == PXR_OK)
        return STATUS_OK;
    return complain(result == PXR_ENOMEM ? STATUS_SYSTEM : STATUS_REFUSED, "%s", why.text);
}

int shard_set_open(struct shard_set *set, const struct options *options)
{
    *set = (struct shard_set){0};
    int status = shard_list_scan(&set->list, options->operands, options->operand_count);
    if (status == STATUS_OK)
        status = choose(&set->list, options->set, &set->header);
    if (status == STATUS_OK)
        status = adopt_headless(&set->list, &set->header);
    shard_list_tell(&set->list);
    if (status == STATUS_OK)
        status = make_code(set);
    for (size_t i = 0; i < set->list.count && status == STATUS_OK; i++)
        if (chosen(&set->list.files[i], options->set))
            status = open_shard(set, &set->list.files[i]);
    shard_list_unlock(&set->list);
    if (status == STATUS_OK && shard_set_present(set) == 0)
        status = shard_list_useless(&set->list); /* none could be opened again */
    return status;
}

void shard_set_close(struct shard_set *set)
{
    pxr_code_free(set->code);
    shard_list_free(&set->list);
}

unsigned shard_set_size(const struct shard_set *set)
{
    return set->header.k + set->header.m;
}

unsigned shard_set_present(const struct shard_set *set)
{
    unsigned count = 0;
    for (unsigned i = 0; i < shard_set_size(set); i++)
        count += set->shard[i] != NULL;
    return count;
}

static uint64_t reach_of(const struct shard_set *set, unsigned index)
{
    uint64_t reach = 0;
    for (const struct shard_file *file = set->shard[index]; file != NULL; file = file->next) {
        uint64_t stripes = shard_stripes_within(&set->header, (uint64_t)file->status.st_size);
        reach = stripes > reach ? stripes : reach;
    }
    return reach;
}

unsigned shard_set_reaching(const struct shard_set *set, uint64_t stripes)
{
    unsigned count = 0;
    for (unsigned i = 0; i < shard_set_size(set); i++)
        count += set->shard[i] != NULL && reach_of(set, i) >= stripes;
    return count;
}

uint64_t shard_set_reach(const struct shard_set *set, unsigned shards)
{
    uint64_t reach = 0;
    for (unsigned i = 0; i < shard_set_size(set); i++) {
        uint64_t one = reach_of(set, i);
        if (one > reach && shard_set_reaching(set, one) >= shards)
            reach = one;
    }
    return reach;
}

int shard_set_beyond(const struct shard_set *set)
{
    char name[SHARD_NAME_TEXT_SIZE];
    uint64_t reach = shard_set_reach(set, set->header.k);
    shard_name_text(&set->header, name);
    return complain(STATUS_LOST,
                    "%s: cannot be restored: stripe %" PRIu64
                    " has at most %u intact cells in %u of %u shards, but %u are needed",
                    name, reach, shard_set_reaching(set, reach + 1), shard_set_present(set),
                    shard_set_size(set), set->header.k);
}
