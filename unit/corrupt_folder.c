/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "corrupt_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void give_up(const char *what)
{
    perror(what);
    exit(2);
}

void *must_allocate(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    if (memory == NULL)
        give_up("corruptions: memory");
    return memory;
}

void must_printf(char *out, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(out, size, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= size) {
        errno = ENAMETOOLONG;
        give_up("corruptions: text");
    }
}

/* ---------------------------------------------------------------- bytes -- */

struct bytes bytes_copy(struct bytes from)
{
    struct bytes copy = {must_allocate(from.size), from.size};
    if (from.size > 0)
        memcpy(copy.at, from.at, from.size);
    return copy;
}

void bytes_free(struct bytes *bytes)
{
    free(bytes->at);
    *bytes = (struct bytes){NULL, 0};
}

bool bytes_equal(struct bytes a, struct bytes b)
{
    return a.at != NULL && b.at != NULL && a.size == b.size &&
           (a.size == 0 || memcmp(a.at, b.at, a.size) == 0);
}

struct bytes bytes_read(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return (struct bytes){NULL, 0};
    if (fstat(fd, &status) != 0)
        give_up(path);
    struct bytes bytes = {must_allocate((size_t)status.st_size), (size_t)status.st_size};
    if (read(fd, bytes.at, bytes.size) != (ssize_t)bytes.size)
        give_up(path);
    close(fd);
    return bytes;
}

void bytes_write(const char *path, struct bytes bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0 || write(fd, bytes.at, bytes.size) != (ssize_t)bytes.size || close(fd) != 0)
        give_up(path);
}

/* --------------------------------------------------------------- folder -- */

void folder_add(struct folder *folder, const char *name, struct bytes bytes)
{
    if (folder->count == FOLDER_FILES) {
        errno = E2BIG;
        give_up("corruptions: a folder");
    }
    struct folder_file *file = &folder->file[folder->count++];
    must_printf(file->name, sizeof file->name, "%s", name);
    file->bytes = bytes;
}

void folder_free(struct folder *folder)
{
    for (unsigned i = 0; i < folder->count; i++)
        bytes_free(&folder->file[i].bytes);
    folder->count = 0;
}

static DIR *open_folder(const char *path)
{
    DIR *directory = opendir(path);
    if (directory == NULL)
        give_up(path);
    return directory;
}

static bool is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

void folder_empty(const char *path)
{
    DIR *directory = open_folder(path);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (is_entry(entry) && unlinkat(dirfd(directory), entry->d_name, 0) != 0)
            give_up(entry->d_name);
    closedir(directory);
}

void folder_store(const struct folder *folder, const char *path)
{
    char file[512];
    folder_empty(path);
    for (unsigned i = 0; i < folder->count; i++) {
        must_printf(file, sizeof file, "%s/%s", path, folder->file[i].name);
        if (folder->file[i].bytes.at != NULL)
            bytes_write(file, folder->file[i].bytes);
    }
}

void folder_load(struct folder *folder, const char *path)
{
    char file[512];
    DIR *directory = open_folder(path);
    folder_free(folder);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (!is_entry(entry))
            continue;
        must_printf(file, sizeof file, "%s/%s", path, entry->d_name);
        folder_add(folder, entry->d_name, bytes_read(file));
    }
    closedir(directory);
}

/* ------------------------------------------------------------- original -- */

int original_find(const struct original *set, struct bytes bytes)
{
    for (unsigned i = 0; set->used && i < set->header.k + set->header.m; i++)
        if (bytes_equal(set->shard[i], bytes))
            return (int)i;
    return -1;
}

void original_free(struct original *set)
{
    bytes_free(&set->content);
    for (unsigned i = 0; i < SET_SHARDS; i++)
        bytes_free(&set->shard[i]);
    set->used = false;
}
