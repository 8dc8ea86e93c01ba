/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * array_perf - measure the writing core of arrays in this process, over members in memory that
 * take their time like disks.  doc/array-perf.md explains the tables.
 */
#include "config.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "command_line.h"
#include "environment.h"
#include "lists.h"
#include "permxor.h"
#include "queue.h"

struct options {
    int data, parity, chunk, delay, latency, cpu;
    size_t bandwidth, size, cache, hot; /* bytes */
    double seconds;
    const char *workload, *depth, *shards, *batch;
    struct list depths, shard_counts, batches; /* the last three, once they are read */
    bool rows, rebuild, forget;
};

/* The first five are those that a series of patches for Linux md measured with fio in 2026; how
   many of the operations of its `oltp` were reads is not known. */
static const struct workload workloads[] = {
    {"write-4k", 0, 4096, false, 0},   {"database-8k", 75, 8192, false, 0},
    {"mixed-4k", 70, 4096, false, 0},  {"oltp-16k", 60, 16384, false, 0},
    {"partial-8k", 0, 8192, false, 0}, {"read-4k", 100, 4096, false, 0},
    {"stripes", 0, 0, true, 0},
};
#define WORKLOADS (sizeof workloads / sizeof *workloads)

/* How many operations fill an array at a time where filling is not measured. */
enum { FILLERS = 8 };

static void help(const void *options)
{
    (void)options;
    printf("usage: array_perf [options]\n"
           "\n"
           "Measure the writing core of arrays over members in memory.\n"
           "\n"
           "  --data K, --parity M  the shape of the array                   [4, 2]\n"
           "  --chunk BYTES         of the array                             [64K]\n"
           "  --size MIB            of each member                           [64]\n"
           "  --delay US            until a member answers                   [0]\n"
           "  --bandwidth MIB       of each member in a second; 0: no limit  [0]\n"
           "  --forget              members do not keep data, so that nobody has to copy\n"
           "                        it; with --workload stripes alone, which reads none\n"
           "  --cache MIB           of clean blocks in memory                [0]\n"
           "  --hot MIB             of the array that clients use; 0: all    [0]\n"
           "  --workload NAME       one of the workloads instead of all\n"
           "  --depth LIST          operations under way                     [1,32]\n"
           "  --shards LIST         of the table of claims                   [32]\n"
           "  --batch LIST          rows that an operation claims at once    [8]\n"
           "  --rows                count what writes of 1 to K blocks of a row cost\n"
           "  --rebuild             run --workload while a member is rebuilt\n"
           "  --latency MS          goal of the clients' latency for --rebuild [20]\n"
           "  --time SECONDS        of each measurement                      [1]\n"
           "  --cpu N               the core to run on; -1: the last one     [-1]\n"
           "\n"
           "Workloads:\n");
    for (size_t i = 0; i < WORKLOADS; i++)
        printf("  %-12s %3u %% reads, %s, %s\n", workloads[i].name, workloads[i].reads,
               workloads[i].bytes > 0 ? "random" : "sequential",
               workloads[i].bytes > 0 ? "of the size in the name" : "whole stripes");
}

/* clang-format off */
#define AT(member) offsetof(struct options, member)
static const struct option_row rows[] = {
    {"data", OPTION_INT, AT(data), 1, 62},
    {"parity", OPTION_INT, AT(parity), 1, 62},
    {"chunk", OPTION_BYTES, AT(chunk), 0, 0},
    {"size", OPTION_MIB, AT(size), 8, 4096},
    {"delay", OPTION_INT, AT(delay), 0, 1000000},
    {"bandwidth", OPTION_MIB, AT(bandwidth), 0, 1 << 20},
    {"cache", OPTION_MIB, AT(cache), 0, 4096},
    {"hot", OPTION_MIB, AT(hot), 0, 1 << 20},
    {"workload", OPTION_TEXT, AT(workload), 0, 0},
    {"depth", OPTION_TEXT, AT(depth), 0, 0},
    {"shards", OPTION_TEXT, AT(shards), 0, 0},
    {"batch", OPTION_TEXT, AT(batch), 0, 0},
    {"rows", OPTION_FLAG, AT(rows), 0, 0},
    {"rebuild", OPTION_FLAG, AT(rebuild), 0, 0},
    {"forget", OPTION_FLAG, AT(forget), 0, 0},
    {"latency", OPTION_INT, AT(latency), 1, 100000},
    {"time", OPTION_SECONDS, AT(seconds), 0, 0},
    {"cpu", OPTION_INT, AT(cpu), -1, 4095},
};
/* clang-format on */

static const struct command_line line = {rows, sizeof rows / sizeof rows[0], help};

static struct bench_shape shape_of(const struct options *options, int shards, int batch)
{
    return (struct bench_shape){
        .data = (unsigned)options->data,
        .parity = (unsigned)options->parity,
        .chunk = (uint32_t)options->chunk,
        .size = options->size,
        .speed = {(uint64_t)options->delay * 1000, options->bandwidth, options->forget},
        .hot = options->hot,
        .options = {.shards = (unsigned)shards,
                    .batch = (unsigned)batch,
                    .pages = 16384,
                    .cache = (unsigned)(options->cache / CORE_BLOCK)}};
}

/* -------------------------------------------------------------- workloads -- */

/* Where the tables begin; the rate of one operation at a time, as under one lock for the
   array that is held across input and output. */
static void print_heads(void)
{
    printf("%-12s %6s %6s %5s %10s %8s %8s %8s %8s %8s %7s %7s %7s %9s %9s %9s\n", "workload",
           "shards", "batch", "depth", "op/s", "to 1", "MB/s", "us CPU", "median", "95 %",
           "reads", "writes", "KiB", "waits", "2 threads", "4 threads");
}

static double per(double value, const struct bench_result *result)
{
    return result->operations > 0 ? value / (double)result->operations : 0;
}

static void print_result(const struct workload *workload, uint64_t bytes,
                         const struct bench_shape *shape, unsigned depth,
                         const struct bench_result *result, double alone)
{
    const double rate = (double)result->operations / result->seconds;
    const double service = per(result->busy, result);
    /* An operation alone waits while the core does nothing. */
    const double wait = alone > 0 && 1 / alone > service ? 1 / alone - service : 0;
    printf("%-12s %6u %6u %5u %10.0f %8.2f %8.0f %8.2f %8.0f %8.0f %7.2f %7.2f %7.1f %9.2f",
           workload->name, shape->options.shards, shape->options.batch, depth, rate,
           alone > 0 ? rate / alone : 1, rate * (double)bytes / 1e6, 1e6 * service,
           1e6 * result->latency[0], 1e6 * result->latency[1],
           per((double)result->disks.reads, result), per((double)result->disks.writes, result),
           per((double)result->disks.bytes_written / 1024, result),
           result->claims > 0 ? 1000 * (double)result->contended / (double)result->claims : 0);
    for (unsigned threads = 2; alone > 0 && threads <= 4; threads += 2)
        printf(" %9.0f", queue_rate(depth, wait, service, threads));
    printf("\n");
}

/* Runs a workload at each depth.  A first run lets the core's memory of checksums fill. */
static bool run_depths(struct bench *bench, const struct bench_shape *shape,
                       const struct workload *workload, const struct options *options)
{
    const uint64_t bytes = bench_bytes(bench, workload);
    const int *depth = options->depths.items;
    struct bench_result result;
    double alone = 0;
    if (!bench_run(bench, workload, 32, UNTIL_TIME, options->seconds / 4, &result))
        return false;
    for (size_t i = 0; i < options->depths.count; i++) {
        const unsigned clients = (unsigned)depth[i];
        if (!bench_run(bench, workload, clients, UNTIL_TIME, options->seconds, &result))
            return false;
        if (clients == 1)
            alone = (double)result.operations / result.seconds;
        print_result(workload, bytes, shape, clients, &result, alone);
        fflush(stdout);
    }
    return true;
}

static unsigned largest(const struct list *depths)
{
    const int *depth = depths->items;
    int most = 1;
    for (size_t i = 0; i < depths->count; i++)
        most = depth[i] > most ? depth[i] : most;
    return (unsigned)most;
}

/* An array can be filled once, so that is done with as many operations under way as there may
 * be. */
static bool run_shape(const struct options *options, int shards, int batch)
{
    static const struct workload first = {.name = "new stripes", .sequential = true};
    const struct bench_shape shape = shape_of(options, shards, batch);
    const unsigned depth = largest(&options->depths);
    struct bench *bench = bench_make(&shape);
    struct bench_result result;
    bool good = bench != NULL && bench_fill(bench, depth, &result);
    if (good)
        print_result(&first, bench_bytes(bench, &first), &shape, depth, &result, 0);
    for (size_t i = 0; good && i < WORKLOADS; i++)
        if (options->workload == NULL || strcmp(options->workload, workloads[i].name) == 0)
            good = run_depths(bench, &shape, &workloads[i], options);
    bench_free(bench);
    return good;
}

static bool run_workloads(const struct options *options)
{
    const int *shards = options->shard_counts.items, *batch = options->batches.items;
    print_heads();
    for (size_t s = 0; s < options->shard_counts.count; s++)
        for (size_t b = 0; b < options->batches.count; b++)
            if (!run_shape(options, shards[s], batch[b]))
                return false;
    return true;
}

/* -------------------------------------------------------------------- rows -- */

/* What a write of t blocks of a row reads and writes.  With chunks of one block, blocks that
   follow one another are of one row. */
static bool run_rows(const struct options *options)
{
    struct options small = *options;
    small.chunk = CORE_BLOCK;
    const struct bench_shape shape = shape_of(&small, 32, 8);
    struct bench *bench = bench_make(&shape);
    struct bench_result result;
    bool good = bench != NULL && bench_fill(bench, FILLERS, &result);
    printf("%u + %u members, writes of t blocks of one row: operations of members\n"
           "%4s %10s %10s %12s %12s\n",
           shape.data, shape.parity, "t", "reads", "writes", "RMW reads", "RCW reads");
    for (unsigned t = 1; good && t <= shape.data; t++) {
        const struct workload workload = {"rows", 0, t * CORE_BLOCK, false,
                                          shape.data * CORE_BLOCK};
        good = bench_run(bench, &workload, 1, UNTIL_TIME, options->seconds, &result);
        if (good)
            printf("%4u %10.2f %10.2f %12u %12u\n", t, per((double)result.disks.reads, &result),
                   per((double)result.disks.writes, &result), t + shape.parity, shape.data - t);
    }
    bench_free(bench);
    return good;
}

/* ----------------------------------------------------------------- rebuild -- */

static void print_rebuild(const char *what, const struct bench_result *result, double rebuilt)
{
    printf("%-28s %10.0f %10.0f %10.0f %10.0f", what,
           (double)result->operations / result->seconds, 1e6 * result->latency[0],
           1e6 * result->latency[1], 1e6 * result->latency[2]);
    if (rebuilt > 0)
        printf(" %10.1f", rebuilt / result->seconds / 1e6);
    printf("\n");
    fflush(stdout);
}

/* One rebuild of the first member, on an array of its own. */
static bool rebuild(const struct options *options, const char *what, unsigned depth,
                    const struct workload *workload, const struct core_limits *limits)
{
    const struct bench_shape shape = shape_of(options, 32, 8);
    struct bench *bench = bench_make(&shape);
    struct bench_result result;
    bool good = bench != NULL && bench_fill(bench, FILLERS, &result);
    if (limits != NULL)
        good = good && bench_replace(bench, 0, limits);
    good =
        good && bench_run(bench, workload, depth, limits != NULL ? UNTIL_REBUILT : UNTIL_TIME,
                          options->seconds, &result);
    if (good)
        print_rebuild(what, &result, limits != NULL ? (double)options->size : 0);
    bench_free(bench);
    return good;
}

static const struct workload *workload_of(const char *name)
{
    for (size_t i = 0; i < WORKLOADS; i++)
        if (strcmp(name, workloads[i].name) == 0)
            return &workloads[i];
    return NULL;
}

static bool run_rebuild(const struct options *options)
{
    const struct workload *workload =
        workload_of(options->workload != NULL ? options->workload : "mixed-4k");
    const struct core_limits none = {0}, goal = {.latency = (uint64_t)options->latency * 1000};
    const int *depth = options->depths.items;
    printf("%-28s %10s %10s %10s %10s %10s\n", workload->name, "op/s", "median us", "95 % us",
           "99 % us", "MB/s");
    if (!rebuild(options, "rebuild alone", 0, workload, &none))
        return false;
    for (size_t i = 0; i < options->depths.count; i++) {
        const unsigned clients = (unsigned)depth[i];
        printf("depth %u\n", clients);
        if (!rebuild(options, "  no rebuild", clients, workload, NULL) ||
            !rebuild(options, "  rebuild without a limit", clients, workload, &none) ||
            !rebuild(options, "  rebuild, latency goal", clients, workload, &goal))
            return false;
    }
    return true;
}

/* -------------------------------------------------------------------- main -- */

static enum options_verdict check(struct options *options)
{
    if (options->workload != NULL && workload_of(options->workload) == NULL)
        return options_wrong("there is no workload of this name", options->workload);
    if (options->forget && (options->workload == NULL || options->rows || options->rebuild ||
                            strcmp(options->workload, "stripes") != 0))
        return options_wrong("members can forget data only with --workload stripes",
                             "--forget");
    if (options->data + options->parity > PXA_MAX_MEMBERS)
        return options_wrong("an array has at most 64 members, and --data and --parity give",
                             "more");
    if (!list_read(&options->depths, options->depth, read_length) ||
        !list_read(&options->shard_counts, options->shards, read_length) ||
        !list_read(&options->batches, options->batch, read_length))
        return OPTIONS_WRONG;
    if (largest(&options->depths) > QUEUE_MOST_CLIENTS)
        return options_wrong("there are at most 1024 operations under way", options->depth);
    return OPTIONS_RUN;
}

int main(int argc, char **argv)
{
    static struct options options = {.data = 4,
                                     .parity = 2,
                                     .chunk = 65536,
                                     .latency = 20,
                                     .cpu = ENVIRONMENT_LAST,
                                     .size = 64 << 20,
                                     .seconds = 1,
                                     .depth = "1,32",
                                     .shards = "32",
                                     .batch = "8"};
    enum options_verdict verdict = command_line_read_alone(&line, &options, argc, argv);
    if (verdict == OPTIONS_RUN)
        verdict = check(&options);
    if (verdict != OPTIONS_RUN)
        return verdict == OPTIONS_HELP ? 0 : 2;
    environment_fix_addresses(argv);
    environment_pin(options.cpu);
    const bool good = options.rows      ? run_rows(&options)
                      : options.rebuild ? run_rebuild(&options)
                                        : run_workloads(&options);
    return good ? 0 : 1;
}
