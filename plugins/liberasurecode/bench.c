/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench - time liberasurecode over two libisals, taking turns in one process.
 *
 *     bench LIBERASURECODE THEIR_LIBISAL OUR_LIBISAL
 *
 * Each round times both, and the order changes from round to round.  The ratio is the median of
 * the rounds' ratios, theirs over ours, and the throughput is that of the fastest round.  The
 * work of liberasurecode itself, which is to allocate, copy and put the data together again, is
 * part of the time, because that is what a client gets.
 */
#include "sides.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 9, MOST_BYTES = 4 << 20 };
#define ROUND_SECONDS 0.01

static char source[MOST_BYTES];

/* One of the two libraries, with an instance and a stripe of its own. */
struct runner {
    struct side side;
    int desc;
    struct stripe stripe;
    double fastest;
};

struct job {
    const char *name;
    void (*call)(const struct runner *r, const struct job *job);
    struct code code;
    uint64_t size;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ------------------------------------------------------------------- jobs -- */

static void encode(const struct runner *r, const struct job *job)
{
    struct stripe stripe;
    side_encode(&r->side, r->desc, &job->code, source, job->size, &stripe);
    r->side.encode_cleanup(r->desc, stripe.data, stripe.parity);
}

/* Decode without the first m fragments of the data, or all of them if there are fewer. */
static void decode(const struct runner *r, const struct job *job)
{
    char *bytes, **rest = (char **)r->stripe.fragment + job->code.m;
    uint64_t size;
    if (r->side.decode(r->desc, rest, job->code.k, r->stripe.len, 0, &bytes, &size) != 0)
        die("decode with %s", r->side.library);
    r->side.decode_cleanup(r->desc, bytes);
}

static void rebuild(const struct runner *r, const struct job *job)
{
    static char fragment[MOST_BYTES + 4096];
    char **rest = (char **)r->stripe.fragment + 1;
    if (r->side.rebuild(r->desc, rest, job->code.k, r->stripe.len, 0, fragment) != 0)
        die("rebuild with %s", r->side.library);
}

/* ------------------------------------------------------------------- time -- */

static double time_calls(const struct runner *r, const struct job *job, long calls)
{
    const double began = now();
    for (long i = 0; i < calls; i++)
        job->call(r, job);
    return (now() - began) / (double)calls;
}

static long calls_per_round(const struct runner *r, const struct job *job)
{
    long calls = 1;
    while (time_calls(r, job, calls) * (double)calls < ROUND_SECONDS)
        calls *= 2;
    return calls;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void time_job(struct runner *theirs, struct runner *ours, const struct job *job)
{
    double ratios[ROUNDS];
    const long calls = calls_per_round(theirs, job);
    theirs->fastest = ours->fastest = 1e9;
    time_calls(ours, job, calls);
    for (int round = 0; round < ROUNDS; round++) {
        struct runner *order[] = {round % 2 ? ours : theirs, round % 2 ? theirs : ours};
        double seconds[2];
        for (int i = 0; i < 2; i++) {
            seconds[i] = time_calls(order[i], job, calls);
            if (seconds[i] < order[i]->fastest)
                order[i]->fastest = seconds[i];
        }
        ratios[round] = round % 2 ? seconds[1] / seconds[0] : seconds[0] / seconds[1];
    }
    qsort(ratios, ROUNDS, sizeof(*ratios), ascending);
    const double mega = 1e-6 * (double)job->size;
    printf("%-8s %-16s %2d+%d %8llu  %8.0f %8.0f  %5.2f (%.2f..%.2f)\n", job->name,
           job->code.backend->name, job->code.k, job->code.m, (unsigned long long)job->size,
           mega / theirs->fastest, mega / ours->fastest, ratios[ROUNDS / 2], ratios[1],
           ratios[ROUNDS - 2]);
    fflush(stdout);
}

static void open_stripe(struct runner *r, const struct job *job)
{
    r->desc = side_create(&r->side, &job->code);
    side_encode(&r->side, r->desc, &job->code, source, job->size, &r->stripe);
}

static void close_stripe(struct runner *r)
{
    r->side.encode_cleanup(r->desc, r->stripe.data, r->stripe.parity);
    r->side.destroy(r->desc);
}

int main(int argc, char **argv)
{
    static const char *const backends[] = {"isa_l_rs_vand", "isa_l_rs_cauchy"};
    static const uint8_t shapes[][2] = {{4, 2}, {10, 4}};
    static const uint64_t sizes[] = {4 << 10, 64 << 10, 1 << 20, MOST_BYTES};
    static struct runner theirs, ours;
    if (argc != 4) {
        fprintf(stderr, "usage: bench LIBERASURECODE THEIR_LIBISAL OUR_LIBISAL\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof(source); i++)
        source[i] = (char)(i * 31 + i / 253);
    side_open(&theirs.side, argv[1], argv[2]);
    side_open(&ours.side, argv[1], argv[3]);
    printf("                                bytes  theirs MB/s   ours  theirs/ours\n");
    for (int b = 0; b < 2; b++)
        for (int s = 0; s < 2; s++)
            for (int i = 0; i < 4; i++) {
                struct job jobs[] = {
                    {.name = "encode", .call = encode},
                    {.name = "decode", .call = decode},
                    {.name = "rebuild", .call = rebuild},
                };
                for (int j = 0; j < 3; j++) {
                    struct job *job = &jobs[j];
                    job->code = (struct code){backend_find(backends[b]), shapes[s][0],
                                              shapes[s][1], CHKSUM_NONE};
                    job->size = sizes[i];
                    open_stripe(&theirs, job);
                    open_stripe(&ours, job);
                    time_job(&theirs, &ours, job);
                    close_stripe(&theirs);
                    close_stripe(&ours);
                }
            }
    return 0;
}
