/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * array_locks - how often threads would wait for each other if several of them turned the core,
 * with one lock for each shard of the table of claims.  doc/array-perf.md explains the table.
 *
 * The table is that of the core (array/core/claims.c).  The core itself has one thread, so its
 * task_wake() would be a race here, and this program has its own.
 */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "command_line.h"
#include "core/internal.h"
#include "disks.h"
#include "environment.h"
#include "lists.h"
#include "queue.h"
#include "random.h"

struct options {
    int threads, depth, stripes, work;
    double seconds;
    const char *locks;
    struct list lock_counts;
};

/* On how many cores the model is asked, with one thread on each. */
static const unsigned cores[] = {2, 8, 64};
#define CORES (sizeof cores / sizeof *cores)

enum { MOST_THREADS = 64, MOST_DEPTH = 64 };

/* An operation that holds the rows of a claim, or waits for them. */
struct operation {
    struct claim claim;
    struct task task;
    atomic_bool woken;
    bool under_way;
};

/* A claim acquires its lock twice: to take its rows, and to release them. */
struct counts {
    uint64_t acquisitions, contended;
};

/* What one run is like. */
struct load {
    unsigned threads, depth, locks;
    uint64_t work; /* nanoseconds */
};

struct bench {
    struct core *core;
    pthread_mutex_t locks[64]; /* of the shard with the same number */
    struct load load;
    unsigned stripes;
    uint64_t until;
};

struct worker {
    struct bench *bench;
    pthread_t thread;
    uint64_t random;
    struct counts counts;
    struct operation *operations;
};

void task_wake(struct core *core, struct task *task)
{
    struct operation *operation =
        (struct operation *)((char *)task - offsetof(struct operation, task));
    (void)core;
    task->pending--;
    atomic_store_explicit(&operation->woken, true, memory_order_release);
}

/* Takes the rows of a claim, or releases them, under the lock of its shard. */
static void locked(struct worker *worker, struct operation *operation, bool take)
{
    struct core *core = worker->bench->core;
    pthread_mutex_t *lock =
        &worker->bench->locks[operation->claim.stripe % core->options.shards];
    worker->counts.acquisitions++;
    if (pthread_mutex_trylock(lock) != 0) {
        worker->counts.contended++;
        pthread_mutex_lock(lock);
    }
    if (take) {
        claim_take(core, &operation->claim, &operation->task);
        operation->woken = operation->claim.held;
    } else {
        claim_release(core, &operation->claim);
    }
    pthread_mutex_unlock(lock);
}

/* Ends an operation if it has its rows, and begins another one in its place. */
static void turn(struct worker *worker, struct operation *operation)
{
    if (operation->under_way) {
        if (!atomic_load_explicit(&operation->woken, memory_order_acquire))
            return;
        locked(worker, operation, false);
    }
    const uint64_t random = random_next(&worker->random);
    operation->claim = (struct claim){
        .stripe = (random >> 8) % worker->bench->stripes,
        .rows = UINT64_C(1) << (random & 15),
        .exclusive = true,
    };
    operation->under_way = true;
    locked(worker, operation, true);
}

/* What an operation computes while nobody else has to wait for it. */
static void spin(uint64_t nanoseconds)
{
    if (nanoseconds == 0)
        return;
    for (const uint64_t end = disks_clock() + nanoseconds; disks_clock() < end;)
        ;
}

static void *work(void *at)
{
    struct worker *worker = at;
    const struct load *load = &worker->bench->load;
    while (disks_clock() < worker->bench->until)
        for (unsigned i = 0; i < load->depth; i++) {
            turn(worker, &worker->operations[i]);
            spin(load->work);
        }
    return NULL;
}

static bool start(struct worker *worker, struct bench *bench, unsigned number)
{
    worker->bench = bench;
    worker->random = random_seed(number);
    worker->operations = calloc(bench->load.depth, sizeof *worker->operations);
    return worker->operations != NULL &&
           pthread_create(&worker->thread, NULL, work, worker) == 0;
}

static bool run(const struct options *options, struct load load, struct counts *sum)
{
    struct bench bench = {.load = load, .stripes = (unsigned)options->stripes};
    struct worker workers[MOST_THREADS] = {{.bench = NULL}};
    unsigned begun = 0;
    bench.core = calloc(1, sizeof *bench.core);
    bool good = bench.core != NULL;
    if (good)
        bench.core->options.shards = load.locks;
    for (unsigned i = 0; i < load.locks; i++)
        pthread_mutex_init(&bench.locks[i], NULL);
    bench.until = disks_clock() + (uint64_t)(options->seconds * 1e9);
    for (; good && begun < load.threads; begun += good)
        good = start(&workers[begun], &bench, begun);
    *sum = (struct counts){0};
    for (unsigned i = 0; i < begun; i++) {
        pthread_join(workers[i].thread, NULL);
        sum->acquisitions += workers[i].counts.acquisitions;
        sum->contended += workers[i].counts.contended;
    }
    for (unsigned i = 0; i < load.threads; i++)
        free(workers[i].operations);
    free(bench.core);
    if (!good)
        fprintf(stderr, "array_locks: not enough memory, or no more threads\n");
    return good;
}

/* The seconds of an acquisition by a thread that does nothing else, while as many claims are in
   the table as in the run that is measured.  It is more than the time for which a lock is held:
   to read the clock in between would take longer than that. */
static bool measure_hold(const struct options *options, struct load load, double *hold)
{
    struct counts counts;
    load = (struct load){1, load.depth * load.threads, load.locks, 0};
    if (!run(options, load, &counts))
        return false;
    *hold = options->seconds / (double)counts.acquisitions;
    return true;
}

static bool print_row(const struct options *options, unsigned locks)
{
    const struct load load = {(unsigned)options->threads, (unsigned)options->depth, locks,
                              (uint64_t)options->work * 1000};
    const double work = options->work / 2e6; /* for each of the two acquisitions */
    struct counts counts;
    double hold;
    if (!measure_hold(options, load, &hold) || !run(options, load, &counts))
        return false;
    printf("%5u %10.0f %9.2f %8.0f", locks, (double)counts.acquisitions / 2 / options->seconds,
           counts.acquisitions > 0
               ? 1000 * (double)counts.contended / (double)counts.acquisitions
               : 0,
           1e9 * hold);
    for (unsigned i = 0; i < CORES; i++) {
        double contended;
        const double rate = queue_locked(cores[i], work, hold, locks, &contended);
        printf(" | %10.0f %9.2f", rate / 2, 1000 * contended);
    }
    printf("\n");
    fflush(stdout);
    return true;
}

static void print_heads(const struct options *options)
{
    printf("%d threads with %d operations each, on rows of %d stripes, %d us of work each\n"
           "%35s",
           options->threads, options->depth, options->stripes, options->work, "");
    for (unsigned i = 0; i < CORES; i++)
        printf(" | predicted, %2u cores ", cores[i]);
    printf("\n%5s %10s %9s %8s", "locks", "claims/s", "contended", "hold ns");
    for (unsigned i = 0; i < CORES; i++)
        printf(" | %10s %9s", "claims/s", "contended");
    printf("\n");
}

static void help(const void *options)
{
    (void)options;
    printf("usage: array_locks [options]\n"
           "\n"
           "Measure how often threads would wait for a lock of the table of claims of arrays.\n"
           "\n"
           "  --threads N     that claim and release rows            [8]\n"
           "  --depth N       operations of each thread              [8]\n"
           "  --stripes N     of whose rows each operation takes one [4096]\n"
           "  --work US       that an operation computes in between  [10]\n"
           "  --locks LIST    shards of the table, each with a lock  [1,8,32]\n"
           "  --time SECONDS  of each measurement                    [1]\n"
           "\n"
           "`contended` counts acquisitions of 1000 that found their lock held.\n");
}

/* clang-format off */
#define AT(member) offsetof(struct options, member)
static const struct option_row rows[] = {
    {"threads", OPTION_INT, AT(threads), 1, MOST_THREADS},
    {"depth", OPTION_INT, AT(depth), 1, MOST_DEPTH},
    {"stripes", OPTION_INT, AT(stripes), 1, 1 << 30},
    {"work", OPTION_INT, AT(work), 0, 1000000},
    {"locks", OPTION_TEXT, AT(locks), 0, 0},
    {"time", OPTION_SECONDS, AT(seconds), 0, 0},
};
/* clang-format on */

static const struct command_line line = {rows, sizeof rows / sizeof rows[0], help};

static enum options_verdict check(struct options *options)
{
    if (!list_read(&options->lock_counts, options->locks, read_length))
        return OPTIONS_WRONG;
    const int *locks = options->lock_counts.items;
    for (size_t i = 0; i < options->lock_counts.count; i++)
        if (locks[i] > 64)
            return options_wrong("there are at most 64 locks", options->locks);
    return OPTIONS_RUN;
}

int main(int argc, char **argv)
{
    static struct options options = {
        .threads = 8, .depth = 8, .stripes = 4096, .work = 10, .seconds = 1, .locks = "1,8,32"};
    enum options_verdict verdict = command_line_read_alone(&line, &options, argc, argv);
    if (verdict == OPTIONS_RUN)
        verdict = check(&options);
    if (verdict != OPTIONS_RUN)
        return verdict == OPTIONS_HELP ? 0 : 2;
    environment_fix_addresses(argv);
    print_heads(&options);
    const int *locks = options.lock_counts.items;
    bool good = true;
    for (size_t i = 0; good && i < options.lock_counts.count; i++)
        good = print_row(&options, (unsigned)locks[i]);
    return good ? 0 : 1;
}
