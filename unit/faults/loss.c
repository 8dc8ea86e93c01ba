/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a crash of the machine loses, depending on FAULTS_LOSS:
 *
 *   old     Files have the contents and the size that they had at their last fsync.
 *   zeros   Blocks that were written to since the last fsync read as zeros, also the bytes in
 *           them that the program did not write.  Files keep their new size.
 *   names   Creations, links, renames and removals are undone, unless an fsync of the folder
 *           followed.  The last one is undone first, as a journalling file system keeps their
 *           order.
 *   all     old and names
 *
 * The following is not modelled:
 *
 * - changes of a folder that reach the disk in another order;
 * - changes in two folders, only one of which is synced (the folder of the new name counts);
 * - a part of a write that does reach the disk (`torn` does this);
 * - modes and owners, O_TRUNC, and mapped memory;
 * - sync_file_range, which makes nothing durable.
 *
 * An fsync of a new file does not make its name durable.  On ext4 it would, but POSIX does not
 * promise that.
 *
 * Files are small in these tests, so memory holds the contents to which they may go back.
 */
#include "faults.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { EXCHANGE = 1 << 1 /* RENAME_EXCHANGE */, BLOCK = 4096 };

struct range {
    struct range *next;
    off_t offset;
    size_t length;
};

/* A file that was written to.  The descriptor is our own and is never closed. */
struct image {
    struct image *next;
    int fd;
    dev_t device;
    ino_t inode;
    char *contents; /* at the last fsync */
    size_t size;
    struct range *written; /* since the last fsync */
    bool changed;
    bool handed_over; /* a close since the last write has passed the data on */
};

struct record {
    struct record *next; /* the change before this one */
    enum change change;
    char *from, *to, *kept;
    bool failed; /* a sync of its folder failed, and a later sync does not write it again */
};

static struct image *images;
static struct record *records;

/* -------------------------------------------------------------- files -- */

static void forget_ranges(struct image *image)
{
    while (image->written != NULL) {
        struct range *range = image->written;
        image->written = range->next;
        free(range);
    }
    image->changed = false;
}

static void take_image(struct image *image)
{
    struct stat status;
    forget_ranges(image);
    free(image->contents);
    image->size = fstat(image->fd, &status) == 0 ? (size_t)status.st_size : 0;
    image->contents = calloc(image->size + 1, 1);
    if (image->contents == NULL || pread(image->fd, image->contents, image->size, 0) < 0)
        abort();
}

static struct image *find_image(const struct stat *status)
{
    struct image *image = images;
    while (image != NULL && (image->device != status->st_dev || image->inode != status->st_ino))
        image = image->next;
    return image;
}

/* Opens the file once more.  A duplicate of the program's descriptor would keep the program's
   lock for as long as we hold it. */
static int open_again(int fd)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
}

/* Returns NULL for a folder.  Returns NULL for a file that was never written to, unless `add`
   asks to add it. */
static struct image *image_of(int fd, bool add)
{
    struct stat status;
    int own = open_again(fd);
    if (own < 0 || fstat(own, &status) != 0)
        return NULL;
    struct image *image = find_image(&status);
    if (image != NULL || !add) {
        close(own);
        return image;
    }
    image = calloc(1, sizeof *image);
    if (image == NULL)
        abort();
    *image = (struct image){.next = images,
                            .fd = fcntl(own, F_DUPFD_CLOEXEC, 1000),
                            .device = status.st_dev,
                            .inode = status.st_ino};
    close(own);
    take_image(image);
    return images = image;
}

void loss_before_write(int fd)
{
    (void)image_of(fd, true);
}

void loss_written(int fd, off_t offset, size_t length)
{
    struct image *image = image_of(fd, true);
    struct range *range = malloc(sizeof *range);
    if (image == NULL || range == NULL)
        abort();
    *range = (struct range){image->written, offset, length};
    image->written = range;
    image->changed = true;
    image->handed_over = false;
}

static void go_back(const struct image *image)
{
    if (pwrite(image->fd, image->contents, image->size, 0) < 0 ||
        ftruncate(image->fd, (off_t)image->size) != 0)
        abort();
}

/* If the power fails while a disk writes a block, the old contents of the block may be lost
   too. */
static void clear_blocks(const struct image *image, const struct range *range)
{
    struct stat status;
    off_t from = range->offset / BLOCK * BLOCK;
    off_t end = (range->offset + (off_t)range->length + BLOCK - 1) / BLOCK * BLOCK;
    if (fstat(image->fd, &status) != 0)
        abort();
    if (end > status.st_size)
        end = status.st_size;
    if (range->length == 0 || end <= from)
        return;
    char *zeros = calloc((size_t)(end - from), 1);
    if (zeros == NULL || pwrite(image->fd, zeros, (size_t)(end - from), from) < 0)
        abort();
    free(zeros);
}

static void clear_written(const struct image *image)
{
    for (const struct range *range = image->written; range != NULL; range = range->next)
        clear_blocks(image, range);
}

/* -------------------------------------------------------------- names -- */

/*
 * These functions call the system directly.  Our own wrappers would count these calls, and
 * would wait for the lock that the caller holds.
 */
static int link_raw(const char *from, const char *to)
{
    return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static int rename_raw(const char *from, const char *to, unsigned flags)
{
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
}

static int unlink_raw(const char *path)
{
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

char *loss_keep(const char *path)
{
    static unsigned count;
    char *kept = NULL;
    const char *folder = getenv("FAULTS_KEEP");
    if (folder == NULL || asprintf(&kept, "%s/%u", folder, count++) < 0)
        return NULL;
    if (link_raw(path, kept) == 0)
        return kept;
    free(kept); /* there is no such file */
    return NULL;
}

void loss_record(enum change change, const char *from, const char *to, char *kept)
{
    struct record *record = malloc(sizeof *record);
    if (record == NULL)
        abort();
    *record = (struct record){records, change, strdup(from), strdup(to), kept, false};
    records = record;
}

static void undo(const struct record *record)
{
    switch (record->change) {
    case MADE:
        unlink_raw(record->to);
        break;
    case REMOVED:
        break;
    case RENAMED:
        rename_raw(record->to, record->from, 0);
        break;
    case EXCHANGED:
        rename_raw(record->from, record->to, EXCHANGE);
        break;
    }
    if (record->kept != NULL)
        link_raw(record->kept, record->to);
}

static bool lies_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && path[length] == '/' &&
           strchr(path + length + 1, '/') == NULL;
}

static void folder_synced(const char *folder)
{
    struct record **place = &records;
    while (*place != NULL) {
        struct record *record = *place;
        if (record->failed || !lies_in(record->to, folder)) {
            place = &record->next;
            continue;
        }
        *place = record->next;
        free(record->from);
        free(record->to);
        free(record->kept);
        free(record);
    }
}

static void folder_failed(const char *folder)
{
    for (struct record *record = records; record != NULL; record = record->next)
        record->failed |= lies_in(record->to, folder);
}

/* ------------------------------------------------------ syncs and crash -- */

void loss_synced(int fd)
{
    struct image *image = image_of(fd, false);
    if (image != NULL)
        take_image(image);
    else
        folder_synced(watched_fd(fd));
}

void loss_closed(int fd)
{
    struct image *image = image_of(fd, false);
    if (image != NULL)
        image->handed_over = true;
}

void loss_at_close(int fd)
{
    const struct image *image = image_of(fd, false);
    if (image == NULL || !image->handed_over)
        loss_of_unsynced(fd);
}

void loss_of_unsynced(int fd)
{
    struct image *image = image_of(fd, false);
    if (image == NULL) {
        folder_failed(watched_fd(fd));
    } else if (image->changed) {
        go_back(image);
        forget_ranges(image);
    }
}

void loss_apply(const char *mode)
{
    bool all = strcmp(mode, "all") == 0;
    for (const struct image *image = images; image != NULL; image = image->next) {
        if (image->changed && (all || strcmp(mode, "old") == 0))
            go_back(image);
        if (strcmp(mode, "zeros") == 0)
            clear_written(image);
    }
    if (all || strcmp(mode, "names") == 0)
        for (const struct record *record = records; record != NULL; record = record->next)
            undo(record);
}
