/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "uring.h"

#include <errno.h>

#ifdef HAVE_LIBURING

#include "file_io.h"

#include <liburing.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Requests that are begun by one call of the system; any number may be under way. */
enum { ENTRIES = 256, SECOND = 1000000 };

struct uring {
    struct io_uring ring;
    int event;      /* an eventfd: somebody wakes the thread */
    uint64_t count; /* what is read from it */
    bool listening; /* that read is under way */
    unsigned under_way;
};

/* ------------------------------------------------------------ opening -- */

/*
 * Results are handed over only when the thread asks for them, which Linux can do from 6.1 on.
 * The ring is disabled until uring_enter(), because the thread that enables it is the only one
 * that may use it.
 */
static int make_ring(struct io_uring *ring)
{
    struct io_uring_params parameters = {.flags = IORING_SETUP_R_DISABLED |
                                                  IORING_SETUP_SINGLE_ISSUER |
                                                  IORING_SETUP_DEFER_TASKRUN};
    return -io_uring_queue_init_params(ENTRIES, ring, &parameters);
}

int uring_open(struct uring **uring)
{
    struct uring *made = calloc(1, sizeof *made);
    *uring = NULL;
    if (made == NULL)
        return ENOMEM;
    made->event = eventfd(0, EFD_CLOEXEC);
    const int error = made->event < 0 ? errno : make_ring(&made->ring);
    if (error == 0) {
        *uring = made;
        return 0;
    }
    if (made->event >= 0)
        close(made->event);
    free(made);
    return error;
}

void uring_close(struct uring *uring)
{
    if (uring == NULL)
        return;
    io_uring_queue_exit(&uring->ring);
    close(uring->event);
    free(uring);
}

void uring_enter(struct uring *uring)
{
    /* The function of liburing is not among those that its version 2.3 exports. */
    (void)syscall(SYS_io_uring_register, uring->ring.ring_fd, IORING_REGISTER_ENABLE_RINGS,
                  NULL, 0); /* it fails only for a ring that is enabled */
}

/* ----------------------------------------------------------- beginning -- */

/* NULL if the kernel takes nothing now. */
static struct io_uring_sqe *take_entry(struct uring *uring)
{
    struct io_uring_sqe *entry = io_uring_get_sqe(&uring->ring);
    if (entry == NULL && io_uring_submit(&uring->ring) > 0)
        entry = io_uring_get_sqe(&uring->ring);
    return entry;
}

static void prepare(struct io_uring_sqe *entry, const struct request *request)
{
    const int fd = request->file->fd;
    if (request->kind == REQUEST_FLUSH)
        io_uring_prep_fsync(entry, fd, IORING_FSYNC_DATASYNC);
    else if (request->kind == REQUEST_READ)
        io_uring_prep_readv(entry, fd, request->piece, request->count, request->offset);
    else
        io_uring_prep_writev2(entry, fd, request->piece, request->count, request->offset,
                              request->durable ? RWF_DSYNC : 0);
}

bool uring_take(struct uring *uring, struct request *request)
{
    if (request->kind == REQUEST_ZERO || !io_are_aligned(request->piece, request->count))
        return false;
    struct io_uring_sqe *entry = take_entry(uring);
    if (entry == NULL)
        return false;
    prepare(entry, request);
    io_uring_sqe_set_data(entry, request);
    request->len = 0;
    for (unsigned i = 0; i < request->count; i++)
        request->len += request->piece[i].iov_len;
    uring->under_way++;
    return true;
}

/* -------------------------------------------------------------- ending -- */

/*
 * Whether a request has ended.  One that was done in part, or is to be tried again, is not: the
 * same bytes are transferred once more as a whole, by the threads of the file.
 */
static bool has_ended(struct request *request, int result)
{
    if (result == -EAGAIN || result == -EINTR || result == -EOPNOTSUPP ||
        (result >= 0 && (uint64_t)result != request->len))
        return false;
    request->error = result < 0 ? -result : 0;
    return true;
}

static struct request *reap(struct uring *uring)
{
    struct request *first = NULL, **end = &first;
    struct io_uring_cqe *entry;
    unsigned head, count = 0;
    io_uring_for_each_cqe(&uring->ring, head, entry)
    {
        struct request *request = io_uring_cqe_get_data(entry);
        count++;
        if (request == NULL) {
            uring->listening = false;
            continue;
        }
        uring->under_way--;
        if (has_ended(request, entry->res)) {
            request->next = NULL;
            *end = request;
            end = &request->next;
        } else {
            file_enqueue(request);
        }
    }
    io_uring_cq_advance(&uring->ring, count);
    return first;
}

/* ------------------------------------------------------------- waiting -- */

/* Returns whether uring_wake() can end a wait now. */
static bool listen_for_wake(struct uring *uring)
{
    struct io_uring_sqe *entry = uring->listening ? NULL : take_entry(uring);
    if (entry != NULL) {
        io_uring_prep_read(entry, uring->event, &uring->count, sizeof uring->count, 0);
        io_uring_sqe_set_data(entry, NULL);
        uring->listening = true;
    }
    return uring->listening;
}

/* What the kernel did not take stays in the queue, and the next call begins it. */
struct request *uring_turn(struct uring *uring, uint64_t patience)
{
    struct __kernel_timespec time = {(int64_t)(patience / SECOND),
                                     (int64_t)(patience % SECOND * 1000)};
    struct io_uring_cqe *entry;
    if (patience > 0 && listen_for_wake(uring))
        (void)io_uring_submit_and_wait_timeout(&uring->ring, &entry, 1,
                                               patience == UINT64_MAX ? NULL : &time, NULL);
    else if (uring->under_way > 0)
        (void)io_uring_submit_and_get_events(&uring->ring);
    return reap(uring);
}

struct request *uring_drain(struct uring *uring)
{
    struct request *first = NULL, **end = &first;
    while (uring->under_way > 0) {
        *end = uring_turn(uring, UINT64_MAX);
        while (*end != NULL)
            end = &(*end)->next;
    }
    return first;
}

void uring_wake(const struct uring *uring)
{
    const uint64_t one = 1;
    if (write(uring->event, &one, sizeof one) < 0)
        return; /* its counter is full, so the thread is awake */
}

#else

int uring_open(struct uring **uring)
{
    *uring = NULL;
    return ENOSYS;
}

/* Without uring_open() there is nothing to call these for. */
void uring_close(struct uring *uring)
{
    (void)uring;
}

void uring_enter(struct uring *uring)
{
    (void)uring;
}

bool uring_take(struct uring *uring, struct request *request)
{
    (void)uring;
    (void)request;
    return false;
}

struct request *uring_turn(struct uring *uring, uint64_t patience)
{
    (void)uring;
    (void)patience;
    return NULL;
}

struct request *uring_drain(struct uring *uring)
{
    (void)uring;
    return NULL;
}

void uring_wake(const struct uring *uring)
{
    (void)uring;
}

#endif
