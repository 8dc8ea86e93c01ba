/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "shardlist.h"

#include "direct.h"
#include "io.h"
#include "list.h"
#include "message.h"
#include "output.h"
#include "temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* ----------------------------------------------------------- one file -- */

/* The functions that judge a file return why it is not usable, or NULL. */
static const char *examine(struct shard_file *file, int fd)
{
    uint8_t head[SHARD_HEADER_SIZE] = {0}, tail[SHARD_HEADER_SIZE] = {0};
    uint64_t size = (uint64_t)file->status.st_size;
    unsigned unread = 0;
    if (size == 0)
        return "the file is empty";
    if (io_read_at(fd, head, sizeof head, 0) < 0) {
        unread |= SHARD_FLAW_HEADER;
        file->error = errno;
    }
    if (size >= sizeof tail &&
        io_read_at(fd, tail, sizeof tail, (off_t)(size - sizeof tail)) < 0) {
        unread |= SHARD_FLAW_TRAILER;
        file->error = errno;
    }
    enum shard_parse result = shard_examine(size, head, tail, &file->header, &file->flaws);
    file->usable = result == SHARD_PARSED;
    file->headless = result == SHARD_NO_MAGIC || result == SHARD_BAD_CHECKSUM;
    /* A part that cannot be read is not known to be damaged. */
    file->flaws &= ~unread;
    return file->usable ? NULL : shard_parse_text(result);
}

/* O_NONBLOCK: opening a named pipe must not wait for a writer. */
int shard_file_open(const char *path)
{
    int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
    return direct_is_on() ? direct_open(path, flags) : open(path, flags);
}

static const char *scan_file(struct shard_file *file, int fd)
{
    if (fd < 0 || fstat(fd, &file->status) != 0) {
        file->error = errno;
        return "cannot be opened";
    }
    if (!S_ISREG(file->status.st_mode))
        return "not a regular file";
    return examine(file, fd);
}

struct shard_file shard_file_look(char *path)
{
    struct shard_file file = {.path = path, .fd = -1};
    int fd = shard_file_open(path);
    file.why = scan_file(&file, fd);
    if (fd >= 0)
        close(fd);
    return file;
}

int shard_file_failed(const struct shard_file *file, int error)
{
    if (error == EMFILE || error == ENFILE || error == ENOMEM)
        return complain(STATUS_SYSTEM, "%s: cannot open: %s", file->path, strerror(error));
    if (direct_is_on() && error == EINVAL)
        return complain(STATUS_SYSTEM, "%s: cannot be read past the page cache; omit --direct",
                        file->path);
    return STATUS_OK;
}

/* ----------------------------------------------------------- the list -- */

/* Takes over path.  The new entry is the last one. */
static int add_path(struct shard_list *list, char *path)
{
    struct shard_file *files = list_grown(list->files, list->count, &list->room, sizeof *files);
    if (files != NULL)
        list->files = files;
    if (files == NULL || path == NULL) {
        free(path);
        return complain(STATUS_SYSTEM, "not enough memory for the list of shards");
    }
    list->files[list->count++] = (struct shard_file){.path = path, .fd = -1};
    return STATUS_OK;
}

static int add_file(struct shard_list *list, char *path)
{
    int status = add_path(list, path);
    if (status != STATUS_OK)
        return status;
    struct shard_file *file = &list->files[list->count - 1];
    *file = shard_file_look(path);
    if (file->error != 0)
        return shard_file_failed(file, file->error);
    return STATUS_OK;
}

/*
 * Returns whether this is a whole shard on which no process is working any more.  The lock is
 * tried last, so that it is not in the way of a command that has just created the file.
 */
static bool is_left_behind(struct shard_file *file, int fd)
{
    return scan_file(file, fd) == NULL && !lock_is_held(fd, LOCK_SH);
}

/* A file under a temporary name is reported only if it is of use. */
static int add_hidden(struct shard_list *list, char *path)
{
    int status = add_path(list, path);
    if (status != STATUS_OK)
        return status;
    struct shard_file *file = &list->files[list->count - 1];
    int fd = shard_file_open(path);
    file->hidden = fd >= 0 && is_left_behind(file, fd);
    if (fd >= 0)
        close(fd);
    if (!file->hidden) {
        list->count--;
        free(path);
    }
    return STATUS_OK;
}

/* The shards of a file whose name begins with a dot are hidden, too. */
static int is_shard_name(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".pxr") == 0;
}

static int is_hidden_name(const struct dirent *entry)
{
    return temporary_name(entry->d_name);
}

typedef int filter_fn(const struct dirent *entry);
typedef int add_fn(struct shard_list *list, char *path);

static int add_some(struct shard_list *list, const char *directory, filter_fn *filter,
                    add_fn *add)
{
    struct dirent **entries;
    int count = scandir(directory, &entries, filter, alphasort);
    if (count < 0)
        return complain(STATUS_SYSTEM, "%s: cannot read: %s", directory, strerror(errno));
    int status = STATUS_OK;
    for (int i = 0; i < count; i++) {
        if (status == STATUS_OK)
            status = add(list, path_join(directory, entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
    return status;
}

static int add_directory(struct shard_list *list, const char *directory)
{
    int status = add_some(list, directory, is_shard_name, add_file);
    if (status == STATUS_OK && list->locked)
        status = add_some(list, directory, is_hidden_name, add_hidden);
    return status;
}

int shard_list_add_left_behind(struct shard_list *list, const char *directory)
{
    return access(directory, R_OK) == 0 ? add_some(list, directory, is_hidden_name, add_hidden)
                                        : STATUS_OK;
}

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/*
 * While a command gives files their names, a folder holds parts of two sets, and for a moment
 * the replaced files are under temporary names.
 */
static int lock_operands(struct shard_list *list, char **operands, int count)
{
    int status = STATUS_OK;
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = is_directory(operands[i]) ? lock_add_folder(&list->lock, operands[i])
                                           : lock_add(&list->lock, operands[i]);
    list->locked = status == STATUS_OK && lock_share(&list->lock);
    return status;
}

void shard_list_unlock(struct shard_list *list)
{
    lock_release(&list->lock);
}

int shard_list_scan(struct shard_list *list, char **operands, int count)
{
    *list = (struct shard_list){0};
    int status = lock_operands(list, operands, count);
    for (int i = 0; i < count && status == STATUS_OK; i++)
        status = is_directory(operands[i]) ? add_directory(list, operands[i])
                                           : add_file(list, strdup(operands[i]));
    return status;
}

void shard_list_free(struct shard_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->files[i].fd >= 0)
            close(list->files[i].fd);
        free(list->files[i].path);
    }
    free(list->files);
    shard_list_unlock(list);
    *list = (struct shard_list){0};
}

void shard_list_tell(const struct shard_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct shard_file *file = &list->files[i];
        if (!file->usable)
            warn("%s: not usable: %s", file->path,
                 file->error != 0 ? strerror(file->error) : file->why);
    }
}

int shard_list_useless(const struct shard_list *list)
{
    enum exit_code code = STATUS_REFUSED;
    for (size_t i = 0; i < list->count; i++)
        if (!list->files[i].usable && list->files[i].error != 0)
            code = STATUS_SYSTEM;
    return complain(code, "no usable shard");
}
