/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "bench.h"
#include "buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "permxor.h"
#include "random.h"

/* A driver commits what was answered once a second. */
#define COMMIT_EVERY UINT64_C(1000000000)

struct client {
    struct core_op op;
    struct bench *bench;
    uint8_t *buffer;
    uint64_t began; /* when the operation was submitted */
    struct client *next;
};

struct latencies {
    float *seconds;
    size_t count, room;
};

struct bench {
    struct bench_shape shape;
    struct disks *disks,
        *spare; /* `spare` has one disk, which takes the place of a failed one */
    struct core *core;
    uint64_t capacity;
    uint64_t commit_at;
    uint64_t random;
    uint64_t next; /* where the next sequential operation begins */
    uint64_t busy; /* nanoseconds of the run */
    bool news;     /* operations were submitted since the last turn */
    struct client *idle;
    unsigned under_way;
    struct latencies latencies;
    int failed; /* the status of an operation or a job that has failed, or PXR_OK */
    bool ended; /* a job has */
};

static bool complain(const char *what, int status)
{
    fprintf(stderr, "array_perf: %s: status %d\n", what, status);
    return false;
}

/* ------------------------------------------------------------------ turns -- */

/* Does what can be done now.  Returns whether the core has anything under way. */
static bool turn(struct bench *bench)
{
    const uint64_t now = disks_clock();
    bool answered = disks_answer(bench->disks, now);
    answered = disks_answer(bench->spare, now) || answered;
    core_now(bench->core, now / 1000);
    if (now >= bench->commit_at) {
        bench->commit_at = now + COMMIT_EVERY;
        core_commit(bench->core);
    }
    const bool more = core_turn(bench->core);
    /* A turn only waits if no member has answered, and no client has asked for anything. */
    if (answered || bench->news)
        bench->busy += disks_clock() - now;
    bench->news = false;
    return more;
}

static void job_done(void *token, int status, const char *why)
{
    struct bench *bench = token;
    bench->ended = true;
    bench->failed = status;
    if (status != PXR_OK)
        fprintf(stderr, "array_perf: %s\n", why);
}

/* Turns the core until a job has ended that was begun. */
static bool job(struct bench *bench, const char *what)
{
    while (!bench->ended)
        turn(bench);
    bench->ended = false;
    return bench->failed == PXR_OK || complain(what, bench->failed);
}

/* ---------------------------------------------------------------- clients -- */

uint64_t bench_bytes(const struct bench *bench, const struct workload *workload)
{
    return workload->bytes > 0 ? workload->bytes
                               : (uint64_t)bench->shape.data * bench->shape.chunk;
}

static bool keep(struct latencies *latencies, double seconds)
{
    if (latencies->count == latencies->room) {
        const size_t room = latencies->room > 0 ? 2 * latencies->room : 65536;
        float *const more = realloc(latencies->seconds, room * sizeof *more);
        if (more == NULL)
            return false;
        latencies->seconds = more;
        latencies->room = room;
    }
    latencies->seconds[latencies->count++] = (float)seconds;
    return true;
}

static void client_done(struct core_op *op, int status)
{
    struct client *client = op->user;
    struct bench *bench = client->bench;
    if (status == PXR_OK &&
        !keep(&bench->latencies, (double)(disks_clock() - client->began) / 1e9))
        status = PXR_ENOMEM;
    if (status != PXR_OK)
        bench->failed = status;
    client->next = bench->idle;
    bench->idle = client;
    bench->under_way--;
}

static void client_begin(struct bench *bench, const struct workload *workload)
{
    struct client *client = bench->idle;
    const uint64_t bytes = bench_bytes(bench, workload);
    const uint64_t stride = workload->stride > 0 ? workload->stride : bytes;
    const uint64_t hot = bench->shape.hot;
    const uint64_t used =
        hot > 0 && hot < bench->capacity && !workload->sequential ? hot : bench->capacity;
    const uint64_t places = used / stride;
    const uint64_t place = workload->sequential ? bench->next++ : random_next(&bench->random);
    bench->idle = client->next;
    bench->under_way++;
    client->op = (struct core_op){
        .kind = random_next(&bench->random) % 100 < workload->reads ? CORE_READ : CORE_WRITE,
        .offset = place % places * stride,
        .len = bytes,
        .buffer = client->buffer,
        .done = client_done,
        .user = client,
    };
    client->began = disks_clock();
    bench->news = true;
    core_submit(bench->core, &client->op);
}

static void clients_free(struct client *clients, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        free(clients[i].buffer);
    free(clients);
}

static struct client *clients_make(struct bench *bench, const struct workload *workload,
                                   unsigned count)
{
    const size_t bytes = bench_bytes(bench, workload);
    struct client *clients = calloc(count, sizeof *clients);
    bench->idle = NULL;
    for (unsigned i = 0; clients != NULL && i < count; i++) {
        struct client *client = &clients[i];
        client->buffer = malloc(bytes);
        if (client->buffer == NULL) {
            clients_free(clients, i);
            return NULL;
        }
        buffers_fill(client->buffer, bytes, i);
        client->bench = bench;
        client->next = bench->idle;
        bench->idle = client;
    }
    return clients;
}

/* ---------------------------------------------------------------- results -- */

static int by_value(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void summarize(struct latencies *latencies, double *result)
{
    static const double shares[] = {0.5, 0.95, 0.99};
    const size_t count = latencies->count;
    qsort(latencies->seconds, count, sizeof *latencies->seconds, by_value);
    for (unsigned i = 0; i < 3; i++)
        result[i] =
            count > 0 ? latencies->seconds[(size_t)(shares[i] * (double)(count - 1))] : 0;
}

static struct disk_counts counts_since(const struct bench *bench, struct disk_counts before)
{
    const struct disk_counts a = disks_counts(bench->disks), b = disks_counts(bench->spare);
    return (struct disk_counts){
        a.reads + b.reads - before.reads, a.writes + b.writes - before.writes,
        a.flushes + b.flushes - before.flushes, a.bytes_read + b.bytes_read - before.bytes_read,
        a.bytes_written + b.bytes_written - before.bytes_written};
}

/* -------------------------------------------------------------------- runs -- */

static bool is_rebuilding(const struct bench *bench)
{
    struct core_status status;
    core_status(bench->core, &status);
    for (unsigned i = 0; i < bench->shape.data + bench->shape.parity; i++)
        if (status.state[i] == CORE_REBUILDING)
            return true;
    return false;
}

/* When a run ends, and what it has seen of that. */
struct end {
    enum bench_until until;
    uint64_t time;
    uint64_t places; /* of the workload */
    uint64_t turns;
};

static bool has_more(const struct bench *bench, const struct end *end)
{
    return end->until != UNTIL_WRITTEN || bench->next < end->places;
}

static bool goes_on(const struct bench *bench, struct end *end)
{
    /* Looking at the state of all members takes its time. */
    enum { TURNS = 256 };
    switch (end->until) {
    case UNTIL_TIME:
        return disks_clock() < end->time;
    case UNTIL_WRITTEN:
        return has_more(bench, end);
    case UNTIL_REBUILT:
        break;
    }
    return ++end->turns % TURNS != 0 || is_rebuilding(bench);
}

static void run_clients(struct bench *bench, const struct workload *workload, struct end *end)
{
    bench->next = 0;
    while (bench->failed == PXR_OK && goes_on(bench, end)) {
        while (bench->idle != NULL && has_more(bench, end))
            client_begin(bench, workload);
        turn(bench);
    }
    while (bench->under_way > 0)
        turn(bench);
}

bool bench_run(struct bench *bench, const struct workload *workload, unsigned count,
               enum bench_until until, double seconds, struct bench_result *result)
{
    struct client *const clients = clients_make(bench, workload, count);
    struct core_status before, after;
    if (clients == NULL)
        return complain("clients", PXR_ENOMEM);
    core_status(bench->core, &before);
    const struct disk_counts disks = counts_since(bench, (struct disk_counts){0});
    const uint64_t began = disks_clock();
    bench->busy = bench->latencies.count = 0;
    bench->failed = PXR_OK;
    struct end end = {until, began + (uint64_t)(seconds * 1e9),
                      bench->capacity / bench_bytes(bench, workload), 0};
    run_clients(bench, workload, &end);
    core_status(bench->core, &after);
    *result = (struct bench_result){.seconds = (double)(disks_clock() - began) / 1e9,
                                    .busy = (double)bench->busy / 1e9,
                                    .operations = bench->latencies.count,
                                    .disks = counts_since(bench, disks),
                                    .claims = after.claims - before.claims,
                                    .contended = after.contended - before.contended};
    summarize(&bench->latencies, result->latency);
    clients_free(clients, count);
    return bench->failed == PXR_OK || complain(workload->name, bench->failed);
}

bool bench_fill(struct bench *bench, unsigned clients, struct bench_result *result)
{
    static const struct workload stripes = {.name = "the first writes", .sequential = true};
    if (!bench_run(bench, &stripes, clients, UNTIL_WRITTEN, 0, result))
        return false;
    core_commit(bench->core);
    while (turn(bench))
        ;
    return true;
}

bool bench_replace(struct bench *bench, unsigned role, const struct core_limits *limits)
{
    const uint8_t uuid[16] = {0xcc, 1};
    int status = core_limit(bench->core, limits);
    if (status == PXR_OK)
        status = core_fail(bench->core, role);
    if (status != PXR_OK)
        return complain("a member cannot be failed", status);
    core_replace(bench->core, role, disks_member(bench->spare, 0), uuid, job_done, bench);
    return job(bench, "a member cannot be replaced");
}

/* ------------------------------------------------------------------- bench -- */

static bool begin(struct bench *bench)
{
    const struct bench_shape *shape = &bench->shape;
    const unsigned count = shape->data + shape->parity;
    struct core_shape array = {.data = shape->data,
                               .parity = shape->parity,
                               .chunk = shape->chunk,
                               .uuid = {0xaa},
                               .name = "array_perf"};
    struct core_member member[PXA_MAX_MEMBERS];
    for (unsigned i = 0; i < count; i++) {
        member[i] = disks_member(bench->disks, i);
        memset(array.member_uuid[i], (int)i + 1, 16);
    }
    core_format(bench->core, &array, member, count, job_done, bench);
    if (!job(bench, "the array cannot be made"))
        return false;
    core_assemble(bench->core, member, count, job_done, bench);
    if (!job(bench, "the array cannot be assembled"))
        return false;
    struct core_status status;
    core_status(bench->core, &status);
    bench->capacity = status.capacity;
    return true;
}

struct bench *bench_make(const struct bench_shape *shape)
{
    struct bench *bench = calloc(1, sizeof *bench);
    if (bench == NULL)
        return NULL;
    bench->shape = *shape;
    bench->random = random_seed(0);
    bench->commit_at = disks_clock() + COMMIT_EVERY;
    bench->disks = disks_make(shape->data + shape->parity, shape->size, shape->speed);
    bench->spare = disks_make(1, shape->size, shape->speed);
    const int status = bench->disks == NULL || bench->spare == NULL
                           ? PXR_ENOMEM
                           : core_create(&bench->core, &shape->options);
    if (status != PXR_OK)
        complain("no core", status);
    if (status == PXR_OK && begin(bench))
        return bench;
    bench_free(bench);
    return NULL;
}

void bench_free(struct bench *bench)
{
    if (bench == NULL)
        return;
    core_free(bench->core);
    disks_free(bench->disks);
    disks_free(bench->spare);
    free(bench->latencies.seconds);
    free(bench);
}
