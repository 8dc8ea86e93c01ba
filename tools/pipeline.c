/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "pipeline.h"

#include "progress.h"
#include "threads.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

struct pipeline {
    const struct pipeline_job *job;
    atomic_bool cancelled;

    pthread_mutex_t taking; /* held while taking; guards next and ended */
    uint64_t next;
    bool ended;

    pthread_mutex_t lock; /* guards the fields below */
    pthread_cond_t turn_passed;
    pthread_cond_t worker_left;
    uint64_t turn; /* the stripe to be put next */
    uint64_t done; /* bytes finished */
    unsigned working;
    int status;
};

struct worker {
    pthread_t thread;
    struct pipeline *pipeline;
    struct stripe stripe;
};

/* -------------------------------------------------------------- workers -- */

static int take_next(struct pipeline *p, struct stripe *stripe)
{
    if (p->ended || p->next >= p->job->stripes)
        return PIPELINE_END;
    stripe->number = p->next;
    int result = p->job->take != NULL ? p->job->take(p->job->context, stripe) : STATUS_OK;
    if (result == STATUS_OK)
        p->next++;
    else
        p->ended = true;
    return result;
}

static int take(struct pipeline *p, struct stripe *stripe)
{
    pthread_mutex_lock(&p->taking);
    int result = take_next(p, stripe);
    pthread_mutex_unlock(&p->taking);
    return result;
}

/* Waits for the stripe's turn.  Returns false when another thread has failed. */
static bool await_turn(struct pipeline *p, uint64_t number)
{
    pthread_mutex_lock(&p->lock);
    while (p->turn != number && p->status == STATUS_OK)
        pthread_cond_wait(&p->turn_passed, &p->lock);
    bool ours = p->status == STATUS_OK;
    pthread_mutex_unlock(&p->lock);
    return ours;
}

static int put_in_turn(struct pipeline *p, struct stripe *stripe)
{
    if (p->job->put == NULL || !await_turn(p, stripe->number))
        return STATUS_OK;
    return p->job->put(p->job->context, stripe);
}

static void finish_stripe(struct pipeline *p, const struct stripe *stripe)
{
    pthread_mutex_lock(&p->lock);
    p->done += stripe->bytes;
    p->turn++;
    if (p->job->put != NULL)
        pthread_cond_broadcast(&p->turn_passed);
    pthread_mutex_unlock(&p->lock);
}

static void fail(struct pipeline *p, const struct stripe *stripe, int result)
{
    pthread_mutex_lock(&p->lock);
    if (p->status == STATUS_OK) {
        p->status = complain((enum exit_code)result, "%s", stripe->why);
        atomic_store(&p->cancelled, true);
        pthread_cond_broadcast(&p->turn_passed);
    }
    pthread_mutex_unlock(&p->lock);
}

static int one_stripe(struct pipeline *p, struct stripe *stripe)
{
    int result = take(p, stripe);
    if (result == STATUS_OK)
        result = p->job->work(p->job->context, stripe);
    if (result == STATUS_OK)
        result = put_in_turn(p, stripe);
    return result;
}

static void *work_loop(void *argument)
{
    struct worker *worker = argument;
    struct pipeline *p = worker->pipeline;
    int result = STATUS_OK;
    while (!atomic_load(&p->cancelled)) {
        result = one_stripe(p, &worker->stripe);
        if (result != STATUS_OK)
            break;
        finish_stripe(p, &worker->stripe);
    }
    if (result > STATUS_OK)
        fail(p, &worker->stripe, result);
    pthread_mutex_lock(&p->lock);
    p->working--;
    pthread_cond_signal(&p->worker_left);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* ---------------------------------------------------------- main thread -- */

/* Starts workers until one cannot be started.  At least the first one must start. */
static unsigned start_workers(struct pipeline *p, struct worker *workers, unsigned count)
{
    unsigned started = 0;
    sigset_t all, before;
    /*
     * Signals are handled by the main thread, which cleans up.  SIGPIPE is delivered to the
     * thread that writes.  If it were blocked, it would be one more error to report.  Its
     * handler may run in any worker.
     */
    sigfillset(&all);
    sigdelset(&all, SIGPIPE);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; started < count; started++) {
        struct worker *worker = &workers[started];
        worker->pipeline = p;
        if (!stripe_alloc(&worker->stripe, p->job->shards, p->job->cell))
            break;
        worker->stripe.cancelled = &p->cancelled;
        pthread_mutex_lock(&p->lock);
        p->working++;
        pthread_mutex_unlock(&p->lock);
        if (pthread_create(&worker->thread, NULL, work_loop, worker) != 0) {
            pthread_mutex_lock(&p->lock);
            p->working--;
            pthread_mutex_unlock(&p->lock);
            stripe_free(&worker->stripe);
            break;
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* Sleeps until the last worker has left, and draws progress meanwhile. */
static void watch(struct pipeline *p)
{
    struct progress progress;
    progress_start(&progress, p->job->verb, p->job->total, p->job->quiet);
    pthread_mutex_lock(&p->lock);
    while (p->working > 0) {
        if (!progress.shown) {
            pthread_cond_wait(&p->worker_left, &p->lock);
            continue;
        }
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PROGRESS_INTERVAL_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&p->worker_left, &p->lock, &until);
        progress_draw(&progress, p->done);
    }
    pthread_mutex_unlock(&p->lock);
    progress_end(&progress);
}

static int run_workers(struct pipeline *p, struct worker *workers, unsigned count)
{
    unsigned started = start_workers(p, workers, count);
    if (started == 0)
        return complain(STATUS_SYSTEM,
                        "not enough memory or threads for a stripe of %u cells of %zu bytes",
                        p->job->shards, p->job->cell);
    watch(p);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
        stripe_free(&workers[i].stripe);
    }
    return p->status;
}

int pipeline_run(const struct pipeline_job *job)
{
    unsigned most = job->threads > 0 ? job->threads : threads_default(job->shards, job->cell);
    unsigned count = job->stripes < most ? (unsigned)job->stripes : most;
    if (count == 0)
        return STATUS_OK;
    struct worker *workers = calloc(count, sizeof *workers);
    if (workers == NULL)
        return complain(STATUS_SYSTEM, "not enough memory for %u threads", count);
    struct pipeline p = {.job = job};
    pthread_mutex_init(&p.taking, NULL);
    pthread_mutex_init(&p.lock, NULL);
    pthread_cond_init(&p.turn_passed, NULL);
    pthread_cond_init(&p.worker_left, NULL);
    int status = run_workers(&p, workers, count);
    pthread_cond_destroy(&p.worker_left);
    pthread_cond_destroy(&p.turn_passed);
    pthread_mutex_destroy(&p.lock);
    pthread_mutex_destroy(&p.taking);
    free(workers);
    return status;
}
