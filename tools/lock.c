/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "lock.h"

#include "list.h"
#include "message.h"
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int no_resources(const char *path)
{
    return complain(STATUS_SYSTEM, "%s: cannot lock the folder: %s", path, strerror(errno));
}

static bool has_folder(const struct lock *lock, const struct stat *status)
{
    for (unsigned i = 0; i < lock->count; i++)
        if (lock->folders[i].device == status->st_dev &&
            lock->folders[i].inode == status->st_ino)
            return true;
    return false;
}

static bool make_room(struct lock *lock)
{
    struct lock_folder *folders =
        list_grown(lock->folders, lock->count, &lock->room, sizeof *folders);
    if (folders == NULL)
        return false;
    lock->folders = folders;
    return true;
}

int lock_add(struct lock *lock, const char *path)
{
    char *directory = path_directory(path);
    int status = directory != NULL ? lock_add_folder(lock, directory) : no_resources(path);
    free(directory);
    return status;
}

int lock_add_folder(struct lock *lock, const char *directory)
{
    struct stat status;
    if (!make_room(lock))
        return no_resources(directory);
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM))
        return no_resources(directory);
    if (fd < 0)
        return STATUS_OK;
    if (fstat(fd, &status) != 0 || has_folder(lock, &status))
        close(fd);
    else
        lock->folders[lock->count++] = (struct lock_folder){status.st_dev, status.st_ino, fd};
    return STATUS_OK;
}

static int compare(const void *left, const void *right)
{
    const struct lock_folder *a = left, *b = right;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return a->inode < b->inode ? -1 : a->inode > b->inode;
}

static void sort(struct lock *lock)
{
    if (lock->count > 0)
        qsort(lock->folders, lock->count, sizeof lock->folders[0], compare);
}

void lock_take(struct lock *lock)
{
    sort(lock);
    for (unsigned i = 0; i < lock->count; i++)
        while (flock(lock->folders[i].fd, LOCK_EX) != 0 && errno == EINTR)
            ;
}

bool lock_is_held(int fd, int operation)
{
    return flock(fd, operation | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

/* Renaming takes milliseconds, and longer when it waits for a busy disk. */
enum { PATIENCE_MS = 2000, STEP_MS = 2 };

bool lock_share(struct lock *lock)
{
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    unsigned waited = 0;
    sort(lock);
    for (unsigned i = 0; i < lock->count; i++)
        while (lock_is_held(lock->folders[i].fd, LOCK_SH)) {
            if (waited >= PATIENCE_MS)
                return false;
            waited += STEP_MS;
            nanosleep(&step, NULL);
        }
    return true;
}

void lock_release(struct lock *lock)
{
    for (unsigned i = 0; i < lock->count; i++)
        close(lock->folders[i].fd);
    free(lock->folders);
    *lock = (struct lock){0};
}
