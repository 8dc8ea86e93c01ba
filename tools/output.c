/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "output.h"

#include "message.h"
#include "permxor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---------------------------------------------------------------- paths -- */

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

char *path_directory(const char *path)
{
    size_t length = (size_t)(path_base(path) - path);
    if (length == 0)
        return strdup(".");
    return strndup(path, length > 1 ? length - 1 : 1);
}

char *path_join(const char *directory, const char *name)
{
    char *joined;
    if (directory == NULL || directory[0] == '\0')
        return strdup(name);
    const char *slash = directory[strlen(directory) - 1] == '/' ? "" : "/";
    return asprintf(&joined, "%s%s%s", directory, slash, name) < 0 ? NULL : joined;
}

/* -------------------------------------------------------------- signals -- */

/*
 * Temporary names for the handler to remove.  The main thread changes the
 * table with the signals blocked, and other threads never see the signals, so
 * the handler finds it whole.
 */
static const char *temporaries[PXR_MAX_SHARDS];

/* SIGPIPE: a message may go to a pipe that nobody reads any more. */
static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
enum { CAUGHT = sizeof caught / sizeof caught[0] };

static void remove_and_die(int signal_number)
{
    for (unsigned i = 0; i < PXR_MAX_SHARDS; i++)
        if (temporaries[i] != NULL)
            unlink(temporaries[i]);
    signal(signal_number, SIG_DFL);
    raise(signal_number); /* delivered when the handler returns */
}

static void fill_caught(sigset_t *set)
{
    sigemptyset(set);
    for (int i = 0; i < CAUGHT; i++)
        sigaddset(set, caught[i]);
}

void output_catch_signals(void)
{
    struct sigaction before, action = {.sa_handler = remove_and_die};
    fill_caught(&action.sa_mask);
    for (int i = 0; i < CAUGHT; i++)
        if (sigaction(caught[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(caught[i], &action, NULL);
    /* A limit on file sizes is an error like a full disk. */
    signal(SIGXFSZ, SIG_IGN);
}

static void block_signals(sigset_t *before)
{
    sigset_t set;
    fill_caught(&set);
    pthread_sigmask(SIG_BLOCK, &set, before);
}

static void restore_signals(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

static void replace_entry(const char *from, const char *to)
{
    for (unsigned i = 0; i < PXR_MAX_SHARDS; i++)
        if (temporaries[i] == from) {
            temporaries[i] = to;
            return;
        }
}

/* --------------------------------------------------------------- create -- */

static char *temporary_path(const char *path)
{
    char name[64];
    uint64_t number = 0;
    char *directory = path_directory(path);
    if (directory == NULL || getrandom(&number, sizeof number, 0) != sizeof number) {
        free(directory);
        return NULL;
    }
    snprintf(name, sizeof name, ".permxor-%016llx.tmp", (unsigned long long)number);
    char *joined = path_join(directory, name);
    free(directory);
    return joined;
}

static int open_temporary(struct output *output)
{
    sigset_t before;
    block_signals(&before);
    output->fd = open(output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int error = errno;
    if (output->fd >= 0)
        replace_entry(NULL, output->temporary);
    restore_signals(&before);
    if (output->fd < 0)
        return complain(STATUS_SYSTEM, "%s: cannot create: %s", output->path, strerror(error));
    return STATUS_OK;
}

/*
 * Blocks reserved in advance lie together, and a full disk is noticed before
 * the work; file systems that cannot do it go without.
 */
static int reserve(const struct output *output, uint64_t size)
{
    if (size == 0 || fallocate(output->fd, 0, 0, (off_t)size) == 0)
        return STATUS_OK;
    if (errno != ENOSPC && errno != EFBIG && errno != EDQUOT)
        return STATUS_OK;
    return complain(STATUS_SYSTEM, "%s: cannot write: %s", output->path, strerror(errno));
}

int output_create(struct output *output, const char *path, unsigned flags, uint64_t size)
{
    struct stat existing;
    *output = (struct output){.fd = -1, .flags = flags};
    if (lstat(path, &existing) == 0) {
        if (!(flags & OUTPUT_REPLACE))
            return complain(STATUS_SYSTEM, "%s: exists already: --force replaces it", path);
        if (S_ISDIR(existing.st_mode))
            return complain(STATUS_SYSTEM, "%s: cannot create: is a directory", path);
    }
    output->path = strdup(path);
    output->temporary = temporary_path(path);
    if (output->path == NULL || output->temporary == NULL)
        return complain(STATUS_SYSTEM, "%s: cannot create: no memory", path);
    int status = open_temporary(output);
    return status != STATUS_OK ? status : reserve(output, size);
}

/* ---------------------------------------------------------------- flush -- */

/*
 * Written behind in steps of so many bytes per file.  Encoding 1 GiB 10+4 onto
 * a disk of 1.8 GB/s takes 0.8 s so, and 1.3 s when all is left to fsync.
 */
enum { FLUSH_STEP = 8 << 20 };

void output_written(const struct output *output, off_t offset, size_t length)
{
    off_t step = offset / FLUSH_STEP;
    if ((output->flags & OUTPUT_SYNC) && (offset + (off_t)length) / FLUSH_STEP > step)
        sync_file_range(output->fd, step * FLUSH_STEP, FLUSH_STEP, SYNC_FILE_RANGE_WRITE);
}

static int sync_files(const struct output *outputs, unsigned count)
{
    /* Start them all, then wait for each. */
    for (unsigned i = 0; i < count; i++)
        if (outputs[i].flags & OUTPUT_SYNC)
            sync_file_range(outputs[i].fd, 0, 0, SYNC_FILE_RANGE_WRITE);
    for (unsigned i = 0; i < count; i++)
        if ((outputs[i].flags & OUTPUT_SYNC) && fsync(outputs[i].fd) != 0)
            return complain(STATUS_SYSTEM, "%s: cannot write: %s", outputs[i].path,
                            strerror(errno));
    return STATUS_OK;
}

int output_keep_private(const struct output *output, mode_t source)
{
    struct stat status;
    if (fstat(output->fd, &status) == 0 &&
        fchmod(output->fd, status.st_mode & (source | S_IWUSR) & 0777) == 0)
        return STATUS_OK;
    return complain(STATUS_SYSTEM, "%s: cannot set its mode: %s", output->path,
                    strerror(errno));
}

/* Make the new names last.  Not every file system can sync a directory. */
static void sync_directory(const char *path)
{
    char *directory = path_directory(path);
    int fd = directory != NULL ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    free(directory);
}

/* -------------------------------------------------------------- publish -- */

static int rename_flagged(const struct output *output, unsigned flags)
{
    return renameat2(AT_FDCWD, output->temporary, AT_FDCWD, output->path, flags);
}

/* Fails with EEXIST when the name is taken. */
static int rename_to_free_name(const struct output *output)
{
    if (rename_flagged(output, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    if (link(output->temporary, output->path) != 0)
        return -1;
    unlink(output->temporary);
    return 0;
}

/*
 * An exchange, where the file system has it, keeps the old file for the case
 * that a later rename fails.
 */
static int rename_over(struct output *output)
{
    struct stat existing;
    if (lstat(output->path, &existing) == 0 && S_ISDIR(existing.st_mode)) {
        errno = EISDIR; /* an exchange would not mind */
        return -1;
    }
    if (rename_flagged(output, RENAME_EXCHANGE) == 0) {
        output->exchanged = true;
        return 0;
    }
    if (errno == ENOENT)
        return rename_to_free_name(output);
    if (rename(output->temporary, output->path) != 0)
        return -1;
    output->displaced = true;
    return 0;
}

static int publish_one(struct output *output)
{
    bool replace = output->flags & OUTPUT_REPLACE;
    if ((replace ? rename_over(output) : rename_to_free_name(output)) == 0) {
        output->published = true;
        return STATUS_OK;
    }
    if (errno == EEXIST)
        return complain(STATUS_SYSTEM, "%s: exists already: it was created meanwhile",
                        output->path);
    return complain(STATUS_SYSTEM, "%s: cannot rename to it: %s", output->path,
                    strerror(errno));
}

/*
 * Where the old file is gone, the new one is better than none.  Where taking
 * back fails both files stay.
 */
static void take_back(struct output *output)
{
    if (output->displaced)
        return;
    int result = output->exchanged ? rename_flagged(output, RENAME_EXCHANGE)
                                   : rename(output->path, output->temporary);
    if (result == 0)
        output->published = output->exchanged = false;
}

static int publish_all(struct output *outputs, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        int status = publish_one(&outputs[i]);
        if (status != STATUS_OK) {
            while (i-- > 0)
                take_back(&outputs[i]);
            return status;
        }
    }
    return STATUS_OK;
}

static void remove_temporary(const struct output *output)
{
    unlink(output->temporary);
    replace_entry(output->temporary, NULL);
}

int output_publish(struct output *outputs, unsigned count)
{
    sigset_t before;
    int status = sync_files(outputs, count);
    if (status != STATUS_OK)
        return status;
    block_signals(&before);
    status = publish_all(outputs, count);
    if (status == STATUS_OK)
        for (unsigned i = 0; i < count; i++)
            remove_temporary(&outputs[i]); /* what was exchanged, if anything */
    restore_signals(&before);
    for (unsigned i = 0; i < count && status == STATUS_OK; i++)
        if (outputs[i].flags & OUTPUT_SYNC)
            sync_directory(outputs[i].path);
    return status;
}

void output_discard(struct output *outputs, unsigned count)
{
    sigset_t before;
    block_signals(&before);
    for (unsigned i = 0; i < count; i++) {
        struct output *output = &outputs[i];
        if (output->temporary != NULL) {
            if (output->fd >= 0 && !output->published)
                remove_temporary(output);
            if (output->fd >= 0)
                close(output->fd);
            replace_entry(output->temporary, NULL);
        }
        free(output->temporary);
        free(output->path);
        *output = (struct output){.fd = -1};
    }
    restore_signals(&before);
}
