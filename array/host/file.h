/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Members that are regular files, block devices, or exports of NBD servers.  This is the only
 * part of array/host that knows the functions of core/member.h.
 *
 * Each file has threads of its own, so a disk that hangs does not keep the other disks from
 * being used.  A thread takes a request, does it, and hands it to a struct completions.  The
 * thread that turns the core takes it there and tells the core.  Where there is io_uring, it
 * reads and writes by itself (uring.h), and leaves only the rest to these threads.
 */
#ifndef PXA_HOST_FILE_H
#define PXA_HOST_FILE_H

#include "core/core.h"

#include <pthread.h>
#include <sys/stat.h>

enum { FILE_THREADS = 4 };

struct remote;
struct uring;

/*
 * What is done.  The owner of the lock waits with it for other things as well: in io_uring if
 * it has that, or else for `wake`.
 */
struct completions {
    pthread_mutex_t *lock;
    pthread_cond_t *wake;
    struct uring
        *uring;  /* or NULL; only the thread that turns the core changes what is in it */
    bool asleep; /* the thread waits in io_uring */
    struct request *first, *last;
};

/* Wakes the thread that waits for them.  The caller has the lock. */
void completions_wake(struct completions *completions);

/* Tells the core about requests that were taken from the list, and frees them. */
void completions_tell(struct request *first);

struct file {
    char *path;
    int fd;                /* -1 if it is behind NBD */
    struct remote *remote; /* the connection to an NBD server, or NULL */
    bool writable;
    uint64_t size; /* in whole blocks */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct request *first, *last; /* to be done */
    pthread_t thread[FILE_THREADS];
    unsigned threads; /* that run */
    bool stopping;
    /* Only the thread that turns the core uses these. */
    unsigned under_way; /* requests that the core waits for */
    bool adopted;       /* the core prepares it to take part */
    bool spare;         /* it waits until a member fails */
    int role;           /* of the member that it is or was, or -1 */
    int error;          /* of the last request that has failed, or 0 */
    struct completions *completions;
    struct file *next; /* in the list of its owner */
};

/*
 * Opens a file, past the page cache where that is possible, and locks it: nobody else can open
 * it while a writer has it.  A URI, such as nbd://host, names an export, which has no lock.
 * Returns PXR_OK, PXR_ENOMEM, PXA_EIO or PXA_EREFUSED, and the message has the path.
 */
int file_open(struct file **file, const char *path, bool writable, struct pxr_error *why);

/* Whether this is the file or the device about which stat() has said this. */
bool file_is(const struct file *file, const struct stat *there);

/* Starts the threads.  They are stopped when nothing is left to do.  NULL is allowed. */
int file_start(struct file *file, struct completions *completions, struct pxr_error *why);
void file_stop(struct file *file);

/* Closes a file whose threads are stopped.  NULL is allowed. */
void file_close(struct file *file);

/* Reads whole blocks, in the calling thread.  Returns 0, or a number of errno.h. */
int file_read(const struct file *file, uint64_t offset, size_t len, void *buffer);

/* The file as a member. */
struct core_member file_member(struct file *file);

#endif
