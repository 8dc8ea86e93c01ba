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
};

/* On how many cores the model is asked, with one thread on each. */
static const unsigned cores[] = {2, 8, 64};
#define CORES (sizeof cores / sizeof *cores)

enum {
    MOST_THREADS = 64,
    MOST_DEPTH = 64,
    TIMED_EVERY = 64 /* acquisitions: to read the clock takes as long as to hold a lock */
};

/* An operation that holds the rows of a claim, or waits for them. */
struct operation {
    struct claim claim;
    struct task task;
    atomic_bool woken;
    bool under_way;
};

struct counts {
    uint64_t acquisitions, contended; /* of locks */
    uint64_t claims;
    uint64_t timed, held; /* acquisitions of which the time was taken; nanoseconds */
};

struct bench {
    struct core *core;
    pthread_mutex_t locks[64]; /* of the shard with the same number */
    const struct options *options;
    uint64_t until;
};

struct worker {
    struct bench *bench;
    pthread_t thread;
    uint64_t random;
    struct counts counts;
    struct operation operations[MOST_DEPTH];
};

void task_wake(struct core *core, struct task *task)
{
    struct operation *operation =
        (struct operation *)((char *)task - offsetof(struct operation, task));
    (void)core;
    task->pending--;
    atomic_store_explicit(&operation->woken, true, memory_order_release);
}

/* Calls a function of the table under the lock of the claim's shard. */
static void locked(struct worker *worker, struct operation *operation, bool take)
{
    struct core *core = worker->bench->core;
    pthread_mutex_t *lock =
        &worker->bench->locks[operation->claim.stripe % core->options.shards];
    struct counts *counts = &worker->counts;
    const bool timed = counts->acquisitions++ % TIMED_EVERY == 0;
    if (pthread_mutex_trylock(lock) != 0) {
        counts->contended++;
        pthread_mutex_lock(lock);
    }
    const uint64_t begin = timed ? disks_clock() : 0;
    if (take) {
        claim_take(core, &operation->claim, &operation->task);
        operation->woken = operation->claim.held;
    } else {
        claim_release(core, &operation->claim);
    }
    if (timed) {
        counts->held += disks_clock() - begin;
        counts->timed++;
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
        .stripe = (random >> 8) % (unsigned)worker->bench->options->stripes,
        .rows = UINT64_C(1) << (random & 15),
        .exclusive = true,
    };
    operation->under_way = true;
    worker->counts.claims++;
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
    const struct options *options = worker->bench->options;
    while (disks_clock() < worker->bench->until)
        for (int i = 0; i < options->depth; i++) {
            turn(worker, &worker->operations[i]);
            spin((uint64_t)options->work * 1000);
        }
    return NULL;
}

/* Runs `threads` threads with so many locks, and adds their counts up. */
static bool run(const struct options *options, unsigned threads, unsigned locks,
                struct counts *sum)
{
    struct bench bench = {.options = options};
    struct worker *workers = calloc(threads, sizeof *workers);
    unsigned begun = 0;
    bench.core = calloc(1, sizeof *bench.core);
    bool good = workers != NULL && bench.core != NULL;
    if (good) {
        bench.core->options.shards = locks;
        for (unsigned i = 0; i < locks; i++)
            pthread_mutex_init(&bench.locks[i], NULL);
        bench.until = disks_clock() + (uint64_t)(options->seconds * 1e9);
        for (; good && begun < threads; begun += good) {
            workers[begun].bench = &bench;
            workers[begun].random = random_seed(begun);
            good = pthread_create(&workers[begun].thread, NULL, work, &workers[begun]) == 0;
        }
    }
    *sum = (struct counts){0};
    for (unsigned i = 0; i < begun; i++) {
        pthread_join(workers[i].thread, NULL);
        sum->acquisitions += workers[i].counts.acquisitions;
        sum->contended += workers[i].counts.contended;
        sum->claims += workers[i].counts.claims;
        sum->timed += workers[i].counts.timed;
        sum->held += workers[i].counts.held;
    }
    if (!good)
        fprintf(stderr, "array_locks: not enough memory, or no more threads\n");
    free(workers);
    free(bench.core);
    return good;
}

/* What a measurement between two readings of the clock has too much. */
static double clock_cost(void)
{
    enum { TURNS = 1000 };
    const uint64_t begin = disks_clock();
    for (unsigned i = 0; i < TURNS; i++)
        (void)disks_clock();
    return (double)(disks_clock() - begin) / TURNS;
}

static double per_thousand(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 1000 * (double)part / (double)whole : 0;
}

/* The seconds that a thread alone needs from one acquisition to the next one, without and with
   a lock. */
struct alone {
    double work, hold;
};

static bool measure_alone(const struct options *options, unsigned locks, struct alone *alone)
{
    struct counts counts;
    if (!run(options, 1, locks, &counts))
        return false;
    const double held = (double)counts.held / (double)counts.timed - clock_cost();
    alone->hold = held > 1 ? held / 1e9 : 1e-9;
    alone->work = options->seconds / (double)counts.acquisitions - alone->hold;
    if (alone->work < 0)
        alone->work = 0;
    return true;
}

static bool print_row(const struct options *options, unsigned locks)
{
    struct alone alone;
    struct counts counts;
    if (!measure_alone(options, locks, &alone) ||
        !run(options, (unsigned)options->threads, locks, &counts))
        return false;
    printf("%5u %10.0f %12.2f %8.0f %8.0f", locks, (double)counts.claims / options->seconds,
           per_thousand(counts.contended, counts.acquisitions), 1e9 * alone.hold,
           1e9 * alone.work);
    for (unsigned i = 0; i < CORES; i++) {
        double contended;
        const double rate = queue_locked(cores[i], alone.work, alone.hold, locks, &contended);
        /* A claim acquires its lock twice. */
        printf(" %12.0f %10.2f", rate / 2, 1000 * contended);
    }
    printf("\n");
    fflush(stdout);
    return true;
}

static void print_heads(const struct options *options)
{
    printf("%d threads with %d operations each, on rows of %d stripes; predicted: one thread "
           "on each core\n%38s",
           options->threads, options->depth, options->stripes, "");
    for (unsigned i = 0; i < CORES; i++)
        printf("          predicted, %2u", cores[i]);
    printf("\n%5s %10s %12s %8s %8s", "locks", "claims/s", "contended/k", "hold ns", "else ns");
    for (unsigned i = 0; i < CORES; i++)
        printf(" %12s %10s", "claims/s", "cont./k");
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
           "  --work US       that an operation computes in between  [0]\n"
           "  --locks LIST    shards of the table, each with a lock  [1,8,32]\n"
           "  --time SECONDS  of each measurement                    [1]\n");
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

static enum options_verdict check(const struct options *options)
{
    if (!lengths_valid(options->locks))
        return OPTIONS_WRONG;
    const char *at = options->locks;
    int locks;
    for (long previous = 0; lengths_next(&at, &previous, &locks);)
        if (locks > 64)
            return options_wrong("there are at most 64 locks", options->locks);
    return OPTIONS_RUN;
}

int main(int argc, char **argv)
{
    struct options options = {
        .threads = 8, .depth = 8, .stripes = 4096, .seconds = 1, .locks = "1,8,32"};
    enum options_verdict verdict = command_line_read(&line, &options, argc, argv);
    if (verdict == OPTIONS_RUN)
        verdict =
            optind < argc ? options_wrong("not an option", argv[optind]) : check(&options);
    if (verdict != OPTIONS_RUN)
        return verdict == OPTIONS_HELP ? 0 : 2;
    environment_fix_addresses(argv);
    print_heads(&options);
    const char *at = options.locks;
    int locks;
    bool good = true;
    for (long previous = 0; good && lengths_next(&at, &previous, &locks);)
        good = print_row(&options, (unsigned)locks);
    return good ? 0 : 1;
}
