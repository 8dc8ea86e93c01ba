/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "attributes.h"
#include "decode.h"
#include "flush.h"
#include "identity.h"
#include "io.h"
#include "message.h"
#include "publish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_stream(struct decoding *d, int fd)
{
    d->fd = fd;
    d->stream = true;
    if (fd < 0)
        return complain(STATUS_SYSTEM, "%s: cannot open: %s", d->path, strerror(errno));
    io_widen_pipe(fd);
    return STATUS_OK;
}

/* Returns the mode bits that all shards have in common. */
static mode_t any_mode(const struct shard_set *set)
{
    mode_t mode = 0777;
    for (unsigned i = 0; i < shard_set_size(set); i++)
        for (const struct shard_file *file = set->shard[i]; file != NULL; file = file->next)
            mode &= access_list_mode(file->fd, file->status.st_mode);
    return mode;
}

static int choose_mode(struct decoding *d)
{
    const struct shard_header *header = &d->set.header;
    mode_t mode = any_mode(&d->set);
    return header->attributes & SHARD_HAS_STATUS
               ? output_restore_mode(&d->output, header->mode, mode)
               : output_keep_private(&d->output, mode);
}

/* With --force, the output must not take the place of a shard, or of a link to one. */
static int check_shards_stay(const struct decoding *d)
{
    struct stat status;
    if (!d->output.occupied || stat(d->output.path, &status) != 0)
        return STATUS_OK;
    for (size_t i = 0; i < d->set.list.count; i++) {
        const struct shard_file *file = &d->set.list.files[i];
        if (file->usable && same_inode(&file->status, &status))
            return complain(STATUS_USAGE, "%s: is one of the shards", d->output.path);
    }
    return STATUS_OK;
}

static int create_file(struct decoding *d, const char *path)
{
    int status = output_create(&d->output, path, d->options->output_flags, d->reserve);
    if (status == STATUS_OK)
        status = check_shards_stay(d);
    if (status == STATUS_OK)
        status = choose_mode(d);
    d->path = d->output.path;
    d->fd = d->output.fd;
    return status;
}

/* The recorded name is used only if it cannot lead to another folder. */
static int create_by_name(struct decoding *d, const char *directory)
{
    const char *name = d->set.header.name;
    if (!shard_name_is_safe(name))
        return complain(STATUS_REFUSED,
                        "the file name in the shards is not safe to use; use --output=FILE to "
                        "name the output");
    char *path = path_join(directory, name);
    if (path == NULL)
        return complain(STATUS_SYSTEM, "out of memory");
    int status = create_file(d, path);
    free(path);
    return status;
}

/* /dev/stdout leads to whatever standard output is.  If that is a file, it must not be replaced
   by another one. */
static bool is_standard_output(const char *path)
{
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(path, names[i]) == 0)
            return true;
    return false;
}

int decode_open_output(struct decoding *d)
{
    struct stat status;
    const char *path = options_output(d->options);
    if (path == NULL)
        return create_by_name(d, NULL);
    d->path = path;
    if (is_standard_output(path)) {
        d->path = "standard output";
        return open_stream(d, STDOUT_FILENO);
    }
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode))
        return create_file(d, path);
    if (S_ISDIR(status.st_mode))
        return create_by_name(d, path);
    /* A pipe or a device is written to; it must not be replaced by renaming. */
    return open_stream(d, open(path, O_WRONLY | O_CLOEXEC));
}

/*
 * Programs use size and time to tell whether two files are the same.  So a file that is not
 * complete does not get the original's time.
 */
int decode_close_output(struct decoding *d)
{
    if (!d->stream && d->lost.count == 0 && !d->wrong)
        attributes_restore_time(&d->set.header, d->fd, d->path);
    if (!d->stream)
        return publish(&(struct publication){.outputs = &d->output, .count = 1});
    bool sync = d->options->output_flags & OUTPUT_SYNC;
    if ((!sync || flush_stream(d->fd) == 0) && (d->fd == STDOUT_FILENO || close(d->fd) == 0))
        return STATUS_OK;
    return complain(STATUS_SYSTEM, "%s: cannot write: %s", d->path, strerror(errno));
}
