/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "remote.h"

#include "why.h"

#include <string.h>

bool remote_is_uri(const char *path)
{
    static const char *const schemes[] = {"nbd://", "nbds://", "nbd+unix://", "nbds+unix://"};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
        if (strncmp(path, schemes[i], strlen(schemes[i])) == 0)
            return true;
    return false;
}

#ifdef HAVE_LIBNBD

#include "file_request.h"

#include <errno.h>
#include <libnbd.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/*
 * The longest commands, and those with data that are zeros.  Commands for zeros are not longer
 * than others, because a server may write the zeros to a slow disk, several commands at a time,
 * and has to answer before it is given up.
 */
enum { MOST_BYTES = 8 << 20, ZEROS = 1 << 20 };

/* A command that is under way. */
struct part {
    struct remote *remote;
    struct request *request;
    struct part *previous, *next;
};

struct remote {
    struct nbd_handle *handle; /* NULL: the server was given up, and each request fails */
    int wake;                  /* an eventfd */
    bool has_fua, has_zero;
    size_t most;       /* bytes of a command with data */
    uint64_t heard;    /* when the last answer came, in milliseconds of the monotonic clock */
    struct part parts; /* the head of a ring */
    struct request *ended;
};

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static bool is_idle(const struct remote *remote)
{
    return remote->parts.next == &remote->parts;
}

/* ------------------------------------------------------------------ parts -- */

static struct part *add_part(struct remote *remote, struct request *request)
{
    struct part *part = malloc(sizeof *part);
    if (part == NULL)
        return NULL;
    if (is_idle(remote))
        remote->heard = now();
    *part = (struct part){remote, request, remote->parts.previous, &remote->parts};
    part->previous->next = part->next->previous = part;
    request->parts++;
    return part;
}

static void remove_part(struct part *part)
{
    part->previous->next = part->next;
    part->next->previous = part->previous;
    part->request->parts--;
    free(part);
}

/* It may be called by libnbd, so no command can be begun here. */
static void end_request(struct remote *remote, struct request *request)
{
    request->next = remote->ended;
    remote->ended = request;
}

static void end_part(struct part *part, int error)
{
    struct remote *remote = part->remote;
    struct request *request = part->request;
    if (error != 0)
        request->error = error;
    remove_part(part);
    if (request->parts == 0)
        end_request(remote, request);
}

/* libnbd calls it once for each command that it took, unless the connection is closed first. */
static int part_done(void *token, int *error)
{
    struct part *part = token;
    part->remote->heard = now();
    end_part(part, *error);
    return 1;
}

static void begin_part(struct remote *remote, struct request *request, void *bytes, size_t len,
                       uint64_t offset)
{
    struct part *part = add_part(remote, request);
    const nbd_completion_callback done = {.callback = part_done, .user_data = part};
    const uint32_t fua =
        request->durable && remote->has_fua ? (uint32_t)LIBNBD_CMD_FLAG_FUA : 0;
    int64_t cookie = -1;
    if (part == NULL) {
        request->error = ENOMEM;
        return;
    }
    if (request->kind == REQUEST_READ)
        cookie = nbd_aio_pread(remote->handle, bytes, len, offset, done, 0);
    else if (request->kind == REQUEST_FLUSH)
        cookie = nbd_aio_flush(remote->handle, done, 0);
    else if (request->kind == REQUEST_ZERO && remote->has_zero)
        cookie = nbd_aio_zero(remote->handle, len, offset, done, 0);
    else
        cookie = nbd_aio_pwrite(remote->handle, bytes, len, offset, done, fua);
    if (cookie >= 0)
        return;
    request->error = EIO;
    remove_part(part);
}

/* The server's own limit is about data. */
static size_t longest(const struct remote *remote, bool zeros)
{
    if (zeros && remote->has_zero)
        return MOST_BYTES;
    return zeros && remote->most > ZEROS ? ZEROS : remote->most;
}

/* A range in commands that are not too long.  Without memory, the bytes are zeros. */
static void begin_range(struct remote *remote, struct request *request, uint8_t *bytes,
                        uint64_t len, uint64_t offset)
{
    static uint8_t zeros[ZEROS];
    const size_t most = longest(remote, bytes == NULL);
    while (len > 0) {
        const size_t here = len < most ? (size_t)len : most;
        begin_part(remote, request, bytes != NULL ? bytes : zeros, here, offset);
        if (bytes != NULL)
            bytes += here;
        offset += here;
        len -= here;
    }
}

/* A command may end while the next ones are begun, so the request counts as one part. */
static void begin_request(struct remote *remote, struct request *request)
{
    uint64_t offset = request->offset;
    request->parts = 1;
    if (remote->handle == NULL)
        request->error = ESHUTDOWN;
    else if (request->kind == REQUEST_FLUSH)
        begin_part(remote, request, NULL, 0, 0);
    else if (request->kind == REQUEST_ZERO)
        begin_range(remote, request, NULL, request->len, offset);
    else
        for (unsigned i = 0; i < request->count; i++) {
            const struct iovec *piece = &request->piece[i];
            begin_range(remote, request, piece->iov_base, piece->iov_len, offset);
            offset += piece->iov_len;
        }
    request->parts--;
    if (request->parts == 0)
        end_request(remote, request);
}

/* ----------------------------------------------------------------- waiting -- */

/* What is under way fails.  Then its memory is free, since nothing is received any more. */
static void give_up(struct remote *remote)
{
    nbd_close(remote->handle);
    remote->handle = NULL;
    while (!is_idle(remote))
        end_part(remote->parts.next, ETIMEDOUT);
}

/* Waits until the connection or `wake` has something, but not beyond a time. */
static void wait_for(struct nbd_handle *handle, int wake, uint64_t until)
{
    struct pollfd events[] = {{.fd = wake, .events = POLLIN},
                              {.fd = handle != NULL ? nbd_aio_get_fd(handle) : -1}};
    const unsigned direction = handle != NULL ? nbd_aio_get_direction(handle) : 0;
    const uint64_t time = now();
    if (direction & LIBNBD_AIO_DIRECTION_READ)
        events[1].events |= POLLIN;
    if (direction & LIBNBD_AIO_DIRECTION_WRITE)
        events[1].events |= POLLOUT;
    const int milliseconds = until == UINT64_MAX ? -1 : until > time ? (int)(until - time) : 0;
    if (poll(events, 2, milliseconds) <= 0)
        return;
    uint64_t count;
    if (events[0].revents != 0 && read(wake, &count, sizeof count) < 0)
        return;
    /* An error of the connection is found by the call that reads or writes. */
    if (events[1].revents != 0 && direction & LIBNBD_AIO_DIRECTION_READ &&
        events[1].revents & (POLLIN | POLLHUP | POLLERR))
        (void)nbd_aio_notify_read(handle);
    else if (events[1].revents != 0 && direction & LIBNBD_AIO_DIRECTION_WRITE)
        (void)nbd_aio_notify_write(handle);
}

static void step(struct remote *remote)
{
    const uint64_t patience = (uint64_t)REMOTE_ANSWER_SECONDS * 1000;
    wait_for(remote->handle, remote->wake,
             is_idle(remote) ? UINT64_MAX : remote->heard + patience);
    if (remote->handle == NULL)
        return;
    if (nbd_aio_is_dead(remote->handle) || nbd_aio_is_closed(remote->handle) ||
        (!is_idle(remote) && now() >= remote->heard + patience))
        give_up(remote);
}

void remote_wake(const struct remote *remote)
{
    const uint64_t one = 1;
    if (write(remote->wake, &one, sizeof one) < 0)
        return; /* its counter is full, so the thread is awake */
}

/* A write that is to be durable is flushed, if the server does not know FUA. */
static bool needs_flush(const struct remote *remote, const struct request *request)
{
    return request->kind == REQUEST_WRITE && request->durable && !remote->has_fua &&
           request->error == 0;
}

static void hand_in(struct remote *remote)
{
    while (remote->ended != NULL) {
        struct request *request = remote->ended;
        remote->ended = request->next;
        if (needs_flush(remote, request)) {
            request->kind = REQUEST_FLUSH;
            begin_request(remote, request);
        } else {
            file_complete(request);
        }
    }
}

void remote_work(struct file *file)
{
    struct remote *remote = file->remote;
    for (;;) {
        pthread_mutex_lock(&file->lock);
        struct request *request = file_take(file);
        const bool stop = request == NULL && file->stopping && is_idle(remote);
        pthread_mutex_unlock(&file->lock);
        if (stop)
            return;
        if (request != NULL)
            begin_request(remote, request);
        else
            step(remote);
        hand_in(remote);
    }
}

/* It is a read, which needs no flush. */
void remote_perform(struct remote *remote, struct request *request)
{
    begin_request(remote, request);
    while (remote->ended == NULL)
        step(remote);
    remote->ended = NULL;
}

/* --------------------------------------------------------------- connecting -- */

static int refuse(const char *uri, int status, const char *text, struct pxr_error *why)
{
    return pxa_because(why, status, "%s: %s", uri, text);
}

static int connect_to(struct remote *remote, const char *uri, struct pxr_error *why)
{
    const uint64_t until = now() + (uint64_t)REMOTE_CONNECT_SECONDS * 1000;
    struct nbd_handle *handle = remote->handle;
    if (nbd_aio_connect_uri(handle, uri) != 0)
        return refuse(uri, PXA_EIO, nbd_get_error(), why);
    while (nbd_aio_is_connecting(handle) && now() < until)
        wait_for(handle, remote->wake, until);
    if (nbd_aio_is_ready(handle))
        return PXR_OK;
    return refuse(uri, PXA_EIO,
                  nbd_aio_is_connecting(handle) ? "the server does not answer"
                                                : "the server cannot be reached",
                  why);
}

static int look_at_export(struct remote *remote, const char *uri, bool writable, uint64_t *size,
                          struct pxr_error *why)
{
    struct nbd_handle *handle = remote->handle;
    const int64_t bytes = nbd_get_size(handle);
    const int64_t least = nbd_get_block_size(handle, LIBNBD_SIZE_MINIMUM);
    const int64_t most = nbd_get_block_size(handle, LIBNBD_SIZE_MAXIMUM);
    if (bytes < 0)
        return refuse(uri, PXA_EIO, nbd_get_error(), why);
    if (least > (int64_t)CORE_BLOCK)
        return refuse(uri, PXA_EREFUSED, "the server takes no blocks of 4096 bytes", why);
    if (writable && nbd_is_read_only(handle) != 0)
        return refuse(uri, PXA_EREFUSED, "the export cannot be written", why);
    if (writable && nbd_can_flush(handle) != 1)
        return refuse(uri, PXA_EREFUSED, "the server cannot make writes durable", why);
    *size = (uint64_t)bytes / CORE_BLOCK * CORE_BLOCK;
    remote->has_fua = nbd_can_fua(handle) == 1;
    remote->has_zero = nbd_can_zero(handle) == 1;
    remote->most = most >= (int64_t)CORE_BLOCK && most < MOST_BYTES
                       ? (size_t)most / CORE_BLOCK * CORE_BLOCK
                       : MOST_BYTES;
    return PXR_OK;
}

int remote_open(struct remote **remote, const char *uri, bool writable, uint64_t *size,
                struct pxr_error *why)
{
    struct remote *made = calloc(1, sizeof *made);
    *remote = NULL;
    if (made == NULL)
        return refuse(uri, PXR_ENOMEM, "there is not enough memory", why);
    made->parts.next = made->parts.previous = &made->parts;
    made->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    made->handle = nbd_create();
    int status = made->wake >= 0 && made->handle != NULL
                     ? PXR_OK
                     : refuse(uri, PXR_ENOMEM, "no connection can be made", why);
    if (status == PXR_OK)
        status = connect_to(made, uri, why);
    if (status == PXR_OK)
        status = look_at_export(made, uri, writable, size, why);
    if (status == PXR_OK)
        *remote = made;
    else
        remote_close(made);
    return status;
}

/* The server is not told: the core has flushed what it wants to keep. */
void remote_close(struct remote *remote)
{
    if (remote == NULL)
        return;
    if (remote->handle != NULL)
        nbd_close(remote->handle);
    if (remote->wake >= 0)
        close(remote->wake);
    free(remote);
}

#else

int remote_open(struct remote **remote, const char *uri, bool writable, uint64_t *size,
                struct pxr_error *why)
{
    (void)writable;
    *remote = NULL;
    *size = 0;
    return pxa_because(why, PXA_EREFUSED,
                       "%s: this build of permxor has no libnbd, so it takes no URIs", uri);
}

/* Without remote_open() there is nothing to call these for. */
void remote_close(struct remote *remote)
{
    (void)remote;
}

void remote_work(struct file *file)
{
    (void)file;
}

void remote_wake(const struct remote *remote)
{
    (void)remote;
}

void remote_perform(struct remote *remote, struct request *request)
{
    (void)remote;
    (void)request;
}

#endif
