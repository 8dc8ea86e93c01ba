/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "shardset.h"

#include "io.h"
#include "message.h"
#include "output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ----------------------------------------------------------- one file -- */

static void not_usable(const struct shard_file *file, const char *why)
{
    warn("%s: not usable: %s", file->path, why);
}

/* The functions that judge a file return why it is not usable, or NULL. */
static const char *examine(struct shard_file *file, int fd)
{
    uint8_t head[SHARD_HEADER_SIZE] = {0}, tail[SHARD_HEADER_SIZE] = {0};
    uint64_t size = (uint64_t)file->status.st_size;
    if (size == 0)
        return "the file is empty";
    /* A part that the device cannot read is a damaged part. */
    (void)io_read(fd, head, sizeof head, 0);
    if (size >= sizeof tail)
        (void)io_read(fd, tail, sizeof tail, (off_t)(size - sizeof tail));
    enum shard_parse result = shard_examine(size, head, tail, &file->header, &file->flaws);
    file->usable = result == SHARD_PARSED;
    return file->usable ? NULL : shard_parse_text(result);
}

/* O_NONBLOCK: opening a named pipe must not wait for a writer. */
static int open_to_read(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static const char *scan_file(struct shard_file *file, int fd)
{
    if (fd < 0 || fstat(fd, &file->status) != 0)
        return strerror(errno);
    if (!S_ISREG(file->status.st_mode))
        return "not a regular file";
    return examine(file, fd);
}

bool shard_file_usable(char *path)
{
    struct shard_file file = {.path = path};
    int fd = open_to_read(path);
    bool usable = scan_file(&file, fd) == NULL;
    if (fd >= 0)
        close(fd);
    return usable;
}

/*
 * A file that cannot be opened counts as missing, unless that is for want of
 * resources: then what is said about the shards would be wrong.
 */
static int cannot_open(const struct shard_file *file)
{
    int error = errno;
    if (error == EMFILE || error == ENFILE || error == ENOMEM)
        return complain(STATUS_SYSTEM, "%s: cannot open: %s", file->path, strerror(error));
    not_usable(file, strerror(error));
    return STATUS_OK;
}

/* ----------------------------------------------------------- the list -- */

/* Takes over path. */
static int add_file(struct shard_list *list, char *path)
{
    if (path != NULL && list->count == list->room) {
        size_t room = 2 * list->room + 16;
        struct shard_file *files = realloc(list->files, room * sizeof *files);
        if (files == NULL) {
            free(path);
            path = NULL;
        } else {
            list->files = files;
            list->room = room;
        }
    }
    if (path == NULL)
        return complain(STATUS_SYSTEM, "no memory for the list of shards");
    struct shard_file *file = &list->files[list->count++];
    *file = (struct shard_file){.path = path, .fd = -1};
    int fd = open_to_read(path);
    if (fd < 0)
        return cannot_open(file);
    const char *why = scan_file(file, fd);
    if (why != NULL)
        not_usable(file, why);
    close(fd);
    return STATUS_OK;
}

static int is_shard_name(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && entry->d_name[0] != '.' &&
           strcmp(entry->d_name + length - 4, ".pxr") == 0;
}

static int add_directory(struct shard_list *list, const char *directory)
{
    struct dirent **entries;
    int count = scandir(directory, &entries, is_shard_name, alphasort);
    if (count < 0)
        return complain(STATUS_SYSTEM, "%s: cannot read: %s", directory, strerror(errno));
    int status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        if (status == STATUS_OK)
            status = add_file(list, path_join(directory, entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
    return status;
}

int shard_list_scan(struct shard_list *list, char **operands, int count)
{
    struct stat status;
    *list = (struct shard_list){0};
    for (int i = 0; i < count; i++) {
        bool directory = stat(operands[i], &status) == 0 && S_ISDIR(status.st_mode);
        int result =
            directory ? add_directory(list, operands[i]) : add_file(list, strdup(operands[i]));
        if (result != STATUS_OK)
            return result;
    }
    return STATUS_OK;
}

void shard_list_free(struct shard_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->files[i].fd >= 0)
            close(list->files[i].fd);
        free(list->files[i].path);
    }
    free(list->files);
    *list = (struct shard_list){0};
}

/* ----------------------------------------------------- choosing a set -- */

static bool chosen(const struct shard_file *file, const char *id)
{
    char text[SHARD_ID_TEXT_SIZE];
    if (!file->usable)
        return false;
    shard_id_text(&file->header, text);
    return id == NULL || strncmp(text, id, strlen(id)) == 0;
}

static void list_sets(const struct shard_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        char id[SHARD_ID_TEXT_SIZE];
        if (!list->files[i].usable)
            continue;
        shard_id_text(&list->files[i].header, id);
        warn("%s: belongs to set %s", list->files[i].path, id);
    }
}

/* Find the one set that the usable shards belong to. */
static int choose(const struct shard_list *list, const char *id, struct shard_header *header)
{
    const struct shard_file *first = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct shard_file *file = &list->files[i];
        if (!chosen(file, id))
            continue;
        if (first == NULL)
            first = file;
        if (!shard_same_set(&first->header, &file->header)) {
            list_sets(list);
            return complain(STATUS_REFUSED,
                            "the shards belong to different sets: --set=ID chooses one");
        }
    }
    if (first == NULL && id != NULL)
        return complain(STATUS_REFUSED, "no usable shard of set %s", id);
    if (first == NULL)
        return complain(STATUS_REFUSED, "no usable shard");
    *header = first->header;
    header->index = 0;
    return STATUS_OK;
}

static void leave_out(const struct shard_file *file, const struct shard_file *other)
{
    warn("%s: left out: %s is the same shard", file->path, other->path);
}

/* Of several copies the first one is taken, or the first one without flaws. */
static int open_shard(struct shard_set *set, struct shard_file *file)
{
    struct shard_file **slot = &set->shard[file->header.index];
    if (*slot != NULL && ((*slot)->flaws == 0 || file->flaws != 0)) {
        leave_out(file, *slot);
        return STATUS_OK;
    }
    file->fd = open_to_read(file->path);
    if (file->fd < 0)
        return cannot_open(file);
    (void)posix_fadvise(file->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    if (*slot != NULL)
        leave_out(*slot, file);
    *slot = file;
    return STATUS_OK;
}

static int make_code(struct shard_set *set)
{
    struct pxr_error why;
    const struct shard_header *h = &set->header;
    int result = pxr_code_create(&set->code, h->k, h->m, h->matrix, &why);
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
        status = make_code(set);
    for (size_t i = 0; i < set->list.count && status == STATUS_OK; i++)
        if (chosen(&set->list.files[i], options->set))
            status = open_shard(set, &set->list.files[i]);
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

uint64_t shard_set_reach(const struct shard_set *set)
{
    uint64_t reach = 0;
    for (unsigned i = 0; i < shard_set_size(set); i++) {
        if (set->shard[i] == NULL)
            continue;
        uint64_t size = (uint64_t)set->shard[i]->status.st_size;
        uint64_t stripes = shard_stripes_within(&set->header, size);
        reach = stripes > reach ? stripes : reach;
    }
    return reach;
}

/* ------------------------------------------------------------- stripes -- */

void shard_set_gather(const struct shard_set *set, struct stripe *stripe, unsigned enough)
{
    stripe_begin(stripe, &set->header, stripe->number);
    for (unsigned i = 0; i < shard_set_size(set) && stripe->good < enough; i++)
        if (set->shard[i] != NULL)
            stripe_load(stripe, &set->header, i, set->shard[i]->fd);
}

static int too_few(const struct shard_set *set, struct stripe *stripe)
{
    char name[SHARD_NAME_TEXT_SIZE];
    shard_name_text(&set->header, name);
    return stripe_fail(stripe, STATUS_LOST,
                       "%s: cannot be restored: stripe %" PRIu64
                       " has %u intact cells in %u of %u shards, %u are needed",
                       name, stripe->number, stripe->good, shard_set_present(set),
                       shard_set_size(set), set->header.k);
}

int shard_set_rebuild(const struct shard_set *set, struct stripe *stripe, unsigned count,
                      const bool *wanted)
{
    unsigned missing = 0;
    if (stripe->good < set->header.k)
        return too_few(set, stripe);
    for (unsigned i = 0; i < count; i++)
        if (stripe->have[i] == NULL && (wanted == NULL || wanted[i])) {
            stripe->want[i] = stripe->cell[i];
            missing++;
        }
    if (missing == 0)
        return STATUS_OK;
    int result = pxr_reconstruct(set->code, stripe->length, stripe->have, stripe->want);
    if (result == PXR_OK)
        return STATUS_OK;
    return stripe_fail(stripe, STATUS_SYSTEM, "stripe %" PRIu64 " cannot be restored: %s",
                       stripe->number, pxr_strerror(result));
}
