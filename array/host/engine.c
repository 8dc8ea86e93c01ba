/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The thread that turns the core.  Others leave their calls in a queue, and so do the members'
 * threads with what they have done.  So nobody else touches the core, and it needs no lock.
 */
#include "config.h"

#include "engine.h"

#include "uring.h"
#include "why.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ------------------------------------------------------------------ calls -- */

void call_answer(struct call *call, int status, const char *why)
{
    call->status = status;
    pxa_because(&call->why, status, "%s", why);
    call->next = call->host->answers;
    call->host->answers = call;
}

void call_done(void *token, int status, const char *why)
{
    call_answer(token, status, why);
}

int engine_call(struct host *host, struct call *call)
{
    call->host = host;
    call->answered = false;
    call->next = NULL;
    pthread_cond_init(&call->news, NULL);
    pthread_mutex_lock(&host->lock);
    if (host->first == NULL)
        host->first = call;
    else
        host->last->next = call;
    host->last = call;
    completions_wake(&host->completions);
    while (!call->answered)
        pthread_cond_wait(&call->news, &host->lock);
    pthread_mutex_unlock(&host->lock);
    pthread_cond_destroy(&call->news);
    return call->status;
}

int engine_ask(struct host *host, void (*begin)(struct host *host, struct call *call),
               void *argument, struct pxr_error *why)
{
    struct call call = {.begin = begin, .argument = argument};
    const int status = engine_call(host, &call);
    return status == PXR_OK ? PXR_OK : pxa_because(why, status, "%s", call.why.text);
}

/*
 * The calls are on the stacks of those who wait, so they are gone when the lock is.  Only those
 * are woken that have an answer.
 */
static void give_answers(struct host *host)
{
    while (host->answers != NULL) {
        struct call *call = host->answers;
        host->answers = call->next;
        call->answered = true;
        pthread_cond_signal(&call->news);
    }
}

/* ---------------------------------------------------------------- turning -- */

enum { SECOND = 1000000, COMMIT_AFTER = SECOND };

static uint64_t time_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec / 1000;
}

/* Writes, trims and repairs are committed in time, also if nothing follows them. */
static void plan_commit(struct host *host)
{
    const struct core_status *seen = &host->seen;
    const bool waits = seen->epoch > seen->committed + 1 && !seen->dead && !host->ending;
    if (host->commit_at == NEVER && waits)
        host->commit_at = host->now + COMMIT_AFTER;
}

/* Begins a commit if the log has waited long enough for one.  Returns whether it has. */
static bool commit_in_time(struct host *host)
{
    if (host->commit_at == NEVER || host->now < host->commit_at)
        return false;
    host->commit_at = NEVER;
    core_commit(host->core);
    return true;
}

static void begin_calls(struct host *host, struct call *first)
{
    while (first != NULL) {
        struct call *call = first;
        first = call->next;
        call->begin(host, call);
    }
}

/* Waits until the thread is woken, or a time has come.  Returns whether it has come. */
static bool wait_until(struct host *host, uint64_t time)
{
    const struct timespec at = {(time_t)(time / SECOND), (long)(time % SECOND * 1000)};
    if (time != NEVER)
        return pthread_cond_timedwait(&host->wake, &host->lock, &at) == ETIMEDOUT;
    pthread_cond_wait(&host->wake, &host->lock);
    return false;
}

/*
 * Begins in io_uring what the last turn has asked for, and takes what has ended.  If there is
 * nothing to do, it waits until there is, or a time has come.
 */
static struct request *turn_ring(struct host *host, uint64_t time)
{
    struct completions *completions = &host->completions;
    const uint64_t now = time == NEVER ? 0 : time_now();
    const uint64_t patience = time == NEVER ? NEVER : time > now ? time - now : 0;
    const bool idle = host->first == NULL && completions->first == NULL && !host->leaving;
    completions->asleep = idle;
    pthread_mutex_unlock(&host->lock);
    struct request *ended = uring_turn(completions->uring, idle ? patience : 0);
    pthread_mutex_lock(&host->lock);
    completions->asleep = false;
    return ended;
}

/*
 * Waits until there is something to do.  Returns false if the thread is to end.  *ended gets
 * what io_uring has done.
 */
static bool wait_for_work(struct host *host, struct request **ended)
{
    const uint64_t wake_at = core_wake_at(host->core);
    const uint64_t time = wake_at < host->commit_at ? wake_at : host->commit_at;
    *ended = NULL;
    if (host->completions.uring != NULL) {
        *ended = turn_ring(host, time);
        return host->first != NULL || !host->leaving;
    }
    while (host->first == NULL) {
        if (host->leaving)
            return false;
        if (host->completions.first != NULL || wait_until(host, time))
            return true;
    }
    return true;
}

static void *turn(void *argument)
{
    struct host *host = argument;
    struct uring *uring = host->completions.uring;
    struct request *ended;
    if (uring != NULL)
        uring_enter(uring);
    pthread_mutex_lock(&host->lock);
    while (wait_for_work(host, &ended)) {
        struct call *calls = host->first;
        struct request *done = host->completions.first;
        host->first = NULL;
        host->completions.first = NULL;
        pthread_mutex_unlock(&host->lock);
        host->now = time_now();
        core_now(host->core, host->now);
        completions_tell(ended);
        completions_tell(done);
        begin_calls(host, calls);
        (void)core_turn(host->core);
        if (commit_in_time(host))
            (void)core_turn(host->core);
        host_watch(host);
        plan_commit(host);
        if (spares_use(host))
            (void)core_turn(host->core);
        pthread_mutex_lock(&host->lock);
        give_answers(host);
    }
    pthread_mutex_unlock(&host->lock);
    completions_tell(ended);
    if (uring != NULL)
        completions_tell(uring_drain(uring));
    return NULL;
}

/* --------------------------------------------------------- making, starting -- */

static void make_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

uint64_t host_most_cache(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    const uint64_t most = (uint64_t)CORE_MOST_PAGES * CORE_BLOCK;
    const uint64_t half = pages > 0 && size > 0 ? (uint64_t)pages / 2 * (uint64_t)size : 0;
    return half < most ? half : most;
}

/* As much as the pool of the core has. */
uint64_t host_usual_cache(void)
{
    const uint64_t usual = UINT64_C(16) << 20, most = host_most_cache();
    return usual < most ? usual : most;
}

int engine_make(struct host **host, const struct host_options *options, struct pxr_error *why)
{
    *host = NULL;
    if (options->cache > host_most_cache())
        return pxa_because(why, PXR_EINVAL,
                           "a cache of %" PRIu64
                           " bytes: it must be at most half of the memory, %" PRIu64 " bytes",
                           options->cache, host_most_cache());
    struct host *made = calloc(1, sizeof *made);
    const struct core_options core_options = {
        .pages = options->pages,
        .cache = (unsigned)((options->cache + CORE_BLOCK - 1) / CORE_BLOCK)};
    if (made == NULL || core_create(&made->core, &core_options) != PXR_OK) {
        free(made);
        return pxa_because(why, PXR_ENOMEM, "there is not enough memory");
    }
    made->options = *options;
    made->commit_at = NEVER;
    pthread_mutex_init(&made->lock, NULL);
    make_condition(&made->wake);
    made->completions = (struct completions){.lock = &made->lock, .wake = &made->wake};
    *host = made;
    return PXR_OK;
}

void engine_free(struct host *host)
{
    completions_tell(host->completions.first);
    core_free(host->core);
    while (host->files != NULL) {
        struct file *file = host->files;
        host->files = file->next;
        file_close(file);
    }
    pthread_cond_destroy(&host->wake);
    pthread_mutex_destroy(&host->lock);
    free(host);
}

void engine_add(struct host *host, struct file *file)
{
    file->next = host->files;
    host->files = file;
}

bool engine_has(const struct host *host, const char *path)
{
    struct stat there;
    const bool exists = stat(path, &there) == 0;
    for (const struct file *file = host->files; file != NULL; file = file->next)
        if (file->remote != NULL ? strcmp(file->path, path) == 0
                                 : exists && file_is(file, &there))
            return true;
    return false;
}

int engine_open(struct host *host, const char *path, struct file **file, struct pxr_error *why)
{
    if (engine_has(host, path))
        return pxa_because(why, PXA_EREFUSED, "%s: it is given twice", path);
    const int status = file_open(file, path, true, why);
    if (status == PXR_OK)
        engine_add(host, *file);
    return status;
}

/* A ring belongs to a thread, and must not be there when the process forks. */
static int open_ring(struct host *host, struct pxr_error *why)
{
    if (host->options.io == HOST_IO_THREADS)
        return PXR_OK;
    const int error = uring_open(&host->completions.uring);
    return error == 0 || host->options.io == HOST_IO_AUTO
               ? PXR_OK
               : pxa_because(why, PXA_EIO, "io_uring cannot be used: %s", strerror(error));
}

int engine_start(struct host *host, struct pxr_error *why)
{
    int status = open_ring(host, why);
    for (struct file *file = host->files; status == PXR_OK && file != NULL; file = file->next)
        status = file_start(file, &host->completions, why);
    host->leaving = false;
    int error = status == PXR_OK ? pthread_create(&host->thread, NULL, turn, host) : 0;
    if (error != 0)
        status = pxa_because(why, PXR_ENOMEM, "no thread can be started: %s", strerror(error));
    host->running = status == PXR_OK;
    if (status != PXR_OK)
        engine_stop(host);
    return status;
}

/* What the members have done meanwhile stays in the list of completions. */
void engine_stop(struct host *host)
{
    if (host->running) {
        pthread_mutex_lock(&host->lock);
        host->leaving = true;
        completions_wake(&host->completions);
        pthread_mutex_unlock(&host->lock);
        pthread_join(host->thread, NULL);
    }
    host->running = false;
    for (struct file *file = host->files; file != NULL; file = file->next)
        file_stop(file);
    uring_close(host->completions.uring);
    host->completions.uring = NULL;
}
