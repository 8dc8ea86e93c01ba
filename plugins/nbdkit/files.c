/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that ends early fails to be read, as a disk does. */
static int read_file(void *self, uint64_t offset, size_t len, void *buffer)
{
    const struct file *file = self;
    uint8_t *bytes = buffer;
    while (len > 0) {
        const ssize_t got = pread(file->fd, bytes, len, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? errno : EIO;
        bytes += got;
        offset += (uint64_t)got;
        len -= (size_t)got;
    }
    return 0;
}

const struct pxa_member_calls file_calls = {sizeof file_calls, read_file};

static int refuse(const struct file *file, const char *why)
{
    nbdkit_error("%s: %s", file->path, why);
    return -1;
}

/* O_NONBLOCK: opening a named pipe must not wait for a writer. */
static int open_one(struct file *file)
{
    struct stat status;
    file->fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file->fd < 0 || fstat(file->fd, &status) != 0)
        return refuse(file, strerror(errno));
    file->folder = S_ISDIR(status.st_mode);
    if (file->folder) {
        close(file->fd);
        file->fd = -1;
        return 0;
    }
    if (!S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode))
        return refuse(file, "it is neither a file nor a block device");
    file->device = S_ISBLK(status.st_mode) ? status.st_rdev : status.st_dev;
    file->number = S_ISBLK(status.st_mode) ? 0 : status.st_ino;
    const off_t size = lseek(file->fd, 0, SEEK_END);
    if (size < 0)
        return refuse(file, strerror(errno));
    file->size = (uint64_t)size;
    return 0;
}

int files_open(struct files *files, char *const *paths, unsigned count)
{
    files->file = calloc(count, sizeof *files->file);
    if (files->file == NULL) {
        nbdkit_error("there is not enough memory");
        return -1;
    }
    files->count = count;
    for (unsigned i = 0; i < count; i++)
        files->file[i] = (struct file){.path = paths[i], .fd = -1};
    for (unsigned i = 0; i < count; i++)
        if (strcmp(paths[i], "missing") != 0 && open_one(&files->file[i]) == -1)
            return -1;
    return 0;
}

void files_close(struct files *files)
{
    for (unsigned i = 0; i < files->count; i++) {
        if (files->file[i].fd >= 0)
            close(files->file[i].fd);
        free(files->file[i].bad);
    }
    free(files->file);
    *files = (struct files){0};
}

bool files_are_one(const struct file *a, const struct file *b)
{
    return a->fd >= 0 && b->fd >= 0 && a->device == b->device && a->number == b->number;
}
