/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "temporary.h"

#include "message.h"
#include "output.h"
#include "permxor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <unistd.h>

#define PREFIX ".permxor-"
#define SUFFIX ".tmp"

/*
 * Temporary names that the handler removes.  One thread at a time changes the table.  The
 * handler, which may run in another thread, finds each entry complete.
 */
static _Atomic(const char *) temporaries[PXR_MAX_SHARDS];

/* SIGPIPE: a message, or the file, may go to a pipe that nobody reads any more. */
static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
enum { CAUGHT = sizeof caught / sizeof caught[0] };

static void remove_and_die(int signal_number)
{
    message_wipe();
    for (unsigned i = 0; i < PXR_MAX_SHARDS; i++) {
        const char *temporary = temporaries[i];
        if (temporary != NULL)
            unlink(temporary);
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number); /* it is delivered when the handler returns */
}

static void fill_caught(sigset_t *set)
{
    sigemptyset(set);
    for (int i = 0; i < CAUGHT; i++)
        sigaddset(set, caught[i]);
}

void temporary_catch_signals(void)
{
    struct sigaction before, action = {.sa_handler = remove_and_die};
    fill_caught(&action.sa_mask);
    for (int i = 0; i < CAUGHT; i++)
        if (sigaction(caught[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(caught[i], &action, NULL);
    /* Exceeding a limit on file sizes is an error like a full disk. */
    signal(SIGXFSZ, SIG_IGN);
}

void temporary_block_signals(sigset_t *before)
{
    sigset_t set;
    fill_caught(&set);
    pthread_sigmask(SIG_BLOCK, &set, before);
}

void temporary_restore_signals(const sigset_t *before)
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

/* POSIX has no error for a short read. */
static bool draw(uint64_t *number)
{
    ssize_t got;
    do {
        got = getrandom(number, sizeof *number, 0);
    } while (got < 0 && errno == EINTR);
    if (got >= 0 && got != sizeof *number)
        errno = EIO;
    return got == sizeof *number;
}

char *temporary_path(const char *path)
{
    char name[64];
    uint64_t number = 0;
    char *directory = path_directory(path);
    if (directory == NULL || !draw(&number)) {
        free(directory);
        return NULL;
    }
    snprintf(name, sizeof name, PREFIX "%016llx" SUFFIX, (unsigned long long)number);
    char *joined = path_join(directory, name);
    free(directory);
    return joined;
}

bool temporary_name(const char *name)
{
    size_t length = strlen(name), end = strlen(SUFFIX);
    return length > end && strncmp(name, PREFIX, strlen(PREFIX)) == 0 &&
           strcmp(name + length - end, SUFFIX) == 0;
}

/* The lock is a courtesy to readers.  On file systems that have no locks there is none. */
int temporary_create(const char *temporary)
{
    sigset_t before;
    temporary_block_signals(&before);
    int fd = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int error = errno;
    if (fd >= 0) {
        replace_entry(NULL, temporary);
        (void)flock(fd, LOCK_EX | LOCK_NB);
    }
    temporary_restore_signals(&before);
    errno = error;
    return fd;
}

void temporary_forget(const char *temporary)
{
    replace_entry(temporary, NULL);
}

void temporary_remove(const char *temporary)
{
    unlink(temporary);
    replace_entry(temporary, NULL);
}
