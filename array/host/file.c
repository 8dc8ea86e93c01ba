/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "file.h"

#include "file_io.h"
#include "file_request.h"
#include "remote.h"
#include "uring.h"
#include "why.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* --------------------------------------------------------------- requests -- */

static int perform(const struct request *request)
{
    const int fd = request->file->fd;
    switch (request->kind) {
    case REQUEST_READ:
        return io_preadv(fd, request->offset, request->piece, request->count);
    case REQUEST_WRITE:
        return io_pwritev(fd, request->offset, request->piece, request->count,
                          request->durable);
    case REQUEST_FLUSH:
        return io_sync(fd);
    case REQUEST_ZERO:
        return io_zeros(fd, request->offset, request->len);
    }
    return EINVAL;
}

static void append(struct request **first, struct request **last, struct request *request)
{
    request->next = NULL;
    if (*first == NULL)
        *first = request;
    else
        (*last)->next = request;
    *last = request;
}

struct request *file_take(struct file *file)
{
    struct request *request = file->first;
    if (request != NULL)
        file->first = request->next;
    return request;
}

/* One that waits for a single request in another thread does not need the core. */
static void tell_waiter(struct file *file, bool *finished)
{
    pthread_mutex_lock(&file->lock);
    *finished = true;
    pthread_cond_broadcast(&file->wake);
    pthread_mutex_unlock(&file->lock);
}

void file_complete(struct request *request)
{
    struct completions *completions = request->file->completions;
    if (request->finished != NULL) {
        tell_waiter(request->file, request->finished);
        return;
    }
    pthread_mutex_lock(completions->lock);
    append(&completions->first, &completions->last, request);
    completions_wake(completions);
    pthread_mutex_unlock(completions->lock);
}

/* A thread that is awake looks for more to do before it waits again. */
void completions_wake(struct completions *completions)
{
    if (completions->uring == NULL)
        pthread_cond_signal(completions->wake);
    else if (completions->asleep)
        uring_wake(completions->uring);
    completions->asleep = false;
}

void completions_tell(struct request *first)
{
    while (first != NULL) {
        struct request *request = first;
        first = request->next;
        request->file->under_way--;
        if (request->error != 0)
            request->file->error = request->error;
        request->done(request->token, request->error);
        free(request);
    }
}

static void wake_threads(struct file *file)
{
    pthread_cond_broadcast(&file->wake);
    if (file->remote != NULL)
        remote_wake(file->remote);
}

void file_enqueue(struct request *request)
{
    struct file *file = request->file;
    pthread_mutex_lock(&file->lock);
    append(&file->first, &file->last, request);
    if (file->remote != NULL)
        remote_wake(file->remote);
    else
        pthread_cond_signal(&file->wake);
    pthread_mutex_unlock(&file->lock);
}

/*
 * Without memory for the request, the thread that turns the core does it by itself.  The
 * connection to a server is another thread's, so there it fails.
 */
static void submit(const struct request *wanted)
{
    struct file *file = wanted->file;
    struct request *request = malloc(sizeof *request);
    if (request == NULL) {
        wanted->done(wanted->token, file->remote != NULL ? ENOMEM : perform(wanted));
        return;
    }
    *request = *wanted;
    file->under_way++;
    struct uring *uring = file->completions->uring;
    if (file->remote != NULL || uring == NULL || !uring_take(uring, request))
        file_enqueue(request);
}

/* ---------------------------------------------------------------- threads -- */

static void *work(void *argument)
{
    struct file *file = argument;
    pthread_mutex_lock(&file->lock);
    for (;;) {
        struct request *request = file_take(file);
        if (request == NULL && file->stopping)
            break;
        if (request == NULL) {
            pthread_cond_wait(&file->wake, &file->lock);
            continue;
        }
        pthread_mutex_unlock(&file->lock);
        request->error = perform(request);
        file_complete(request);
        pthread_mutex_lock(&file->lock);
    }
    pthread_mutex_unlock(&file->lock);
    return NULL;
}

static void *work_remotely(void *argument)
{
    remote_work(argument);
    return NULL;
}

int file_start(struct file *file, struct completions *completions, struct pxr_error *why)
{
    file->completions = completions;
    file->stopping = false;
    const unsigned wanted = file->remote != NULL ? 1 : FILE_THREADS;
    for (; file->threads < wanted; file->threads++) {
        const int error = pthread_create(&file->thread[file->threads], NULL,
                                         file->remote != NULL ? work_remotely : work, file);
        if (error == 0)
            continue;
        file_stop(file);
        return pxa_because(why, PXR_ENOMEM, "%s: no thread can be started: %s", file->path,
                           strerror(error));
    }
    return PXR_OK;
}

void file_stop(struct file *file)
{
    if (file == NULL)
        return;
    pthread_mutex_lock(&file->lock);
    file->stopping = true;
    wake_threads(file);
    pthread_mutex_unlock(&file->lock);
    while (file->threads > 0)
        pthread_join(file->thread[--file->threads], NULL);
}

/* ---------------------------------------------------------------- opening -- */

/* O_NONBLOCK: opening a named pipe must not wait.  O_EXCL refuses a device that is mounted. */
static int open_path(const char *path, bool writable)
{
    const int flags = (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK;
    struct stat status;
    if (stat(path, &status) != 0)
        return -1;
    const int exclusive = writable && S_ISBLK(status.st_mode) ? O_EXCL : 0;
#ifdef O_DIRECT
    const int fd = open(path, flags | exclusive | O_DIRECT);
    if (fd >= 0 || errno != EINVAL)
        return fd;
#endif
    return open(path, flags | exclusive);
}

/*
 * The kernel may end the requests of a server that was killed after its process has gone, and
 * keeps the files in use until then.  So who finds a file in use tries again for a second.
 */
static bool may_try_again(unsigned *tries)
{
    enum { TRIES = 50, PAUSE = 20000000 };
    const struct timespec moment = {0, PAUSE};
    if (++*tries > TRIES)
        return false;
    nanosleep(&moment, NULL);
    return true;
}

static int lock(const struct file *file, unsigned *tries)
{
    const int kind = file->writable ? LOCK_EX : LOCK_SH;
    while (flock(file->fd, kind | LOCK_NB) != 0)
        if (errno != EWOULDBLOCK || !may_try_again(tries))
            return errno;
    return 0;
}

/* O_NONBLOCK was only for the opening: io_uring would fail where it has to wait. */
static bool let_wait(int fd)
{
    const int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0;
}

static int check(struct file *file, unsigned *tries, struct pxr_error *why)
{
    struct stat status;
    if (fstat(file->fd, &status) != 0 || !let_wait(file->fd))
        return pxa_because(why, PXA_EIO, "%s: %s", file->path, strerror(errno));
    if (!S_ISREG(status.st_mode) && !S_ISBLK(status.st_mode))
        return pxa_because(why, PXA_EREFUSED, "%s: it is neither a file nor a block device",
                           file->path);
    const int error = lock(file, tries);
    if (error != 0)
        return error == EWOULDBLOCK
                   ? pxa_because(why, PXA_EREFUSED, "%s: another program uses it", file->path)
                   : pxa_because(why, PXA_EIO, "%s: it cannot be locked: %s", file->path,
                                 strerror(error));
    const off_t size = lseek(file->fd, 0, SEEK_END);
    if (size < 0)
        return pxa_because(why, PXA_EIO, "%s: %s", file->path, strerror(errno));
    file->size = (uint64_t)size / CORE_BLOCK * CORE_BLOCK;
    return PXR_OK;
}

static int open_local(struct file *file, struct pxr_error *why)
{
    unsigned tries = 0;
    do
        file->fd = open_path(file->path, file->writable);
    while (file->fd < 0 && errno == EBUSY && may_try_again(&tries));
    return file->fd < 0 ? pxa_because(why, PXA_EIO, "%s: %s", file->path, strerror(errno))
                        : check(file, &tries, why);
}

int file_open(struct file **file, const char *path, bool writable, struct pxr_error *why)
{
    struct file *made = calloc(1, sizeof *made);
    char *copy = strdup(path);
    *file = NULL;
    if (made == NULL || copy == NULL) {
        free(made);
        free(copy);
        return pxa_because(why, PXR_ENOMEM, "there is not enough memory");
    }
    made->path = copy;
    made->writable = writable;
    made->role = -1;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->wake, NULL);
    made->fd = -1;
    const int status = remote_is_uri(path)
                           ? remote_open(&made->remote, path, writable, &made->size, why)
                           : open_local(made, why);
    if (status != PXR_OK)
        file_close(made);
    else
        *file = made;
    return status;
}

void file_close(struct file *file)
{
    if (file == NULL)
        return;
    if (file->fd >= 0)
        close(file->fd);
    remote_close(file->remote);
    pthread_cond_destroy(&file->wake);
    pthread_mutex_destroy(&file->lock);
    free(file->path);
    free(file);
}

bool file_is(const struct file *file, const struct stat *there)
{
    struct stat here;
    if (file->fd < 0 || fstat(file->fd, &here) != 0)
        return false;
    return S_ISBLK(here.st_mode) && S_ISBLK(there->st_mode)
               ? here.st_rdev == there->st_rdev
               : here.st_dev == there->st_dev && here.st_ino == there->st_ino;
}

/* If the connection has a thread, it does the work. */
static int read_remotely(struct file *file, uint64_t offset, const struct iovec *piece)
{
    bool finished = false;
    struct request request = {.kind = REQUEST_READ,
                              .file = file,
                              .offset = offset,
                              .piece = piece,
                              .count = 1,
                              .finished = &finished};
    if (file->threads == 0) {
        remote_perform(file->remote, &request);
        return request.error;
    }
    file_enqueue(&request);
    pthread_mutex_lock(&file->lock);
    while (!finished)
        pthread_cond_wait(&file->wake, &file->lock);
    pthread_mutex_unlock(&file->lock);
    return request.error;
}

int file_read(const struct file *file, uint64_t offset, size_t len, void *buffer)
{
    const struct iovec piece = {buffer, len};
    if (file->remote != NULL)
        return read_remotely((struct file *)file, offset, &piece);
    return io_preadv(file->fd, offset, &piece, 1);
}

/* ----------------------------------------------------------------- member -- */

static void begin_read(void *self, uint64_t offset, const struct iovec *piece, unsigned count,
                       core_io_done *done, void *token)
{
    submit(&(struct request){.kind = REQUEST_READ,
                             .file = self,
                             .offset = offset,
                             .piece = piece,
                             .count = count,
                             .done = done,
                             .token = token});
}

static void begin_write(void *self, uint64_t offset, const struct iovec *piece, unsigned count,
                        bool durable, core_io_done *done, void *token)
{
    submit(&(struct request){.kind = REQUEST_WRITE,
                             .file = self,
                             .offset = offset,
                             .piece = piece,
                             .count = count,
                             .durable = durable,
                             .done = done,
                             .token = token});
}

static void begin_flush(void *self, core_io_done *done, void *token)
{
    submit(
        &(struct request){.kind = REQUEST_FLUSH, .file = self, .done = done, .token = token});
}

static void begin_zero(void *self, uint64_t offset, uint64_t len, core_io_done *done,
                       void *token)
{
    submit(&(struct request){.kind = REQUEST_ZERO,
                             .file = self,
                             .offset = offset,
                             .len = len,
                             .done = done,
                             .token = token});
}

static uint64_t size(void *self)
{
    return ((const struct file *)self)->size;
}

static const struct core_member_calls calls = {begin_read, begin_write, begin_flush, begin_zero,
                                               size};

struct core_member file_member(struct file *file)
{
    return (struct core_member){&calls, file};
}
