/* SPDX-License-Identifier: BSD-3-Clause */
/* bench.h - an array over disks in memory, and clients that keep it busy. */
#ifndef PERF_ARRAY_BENCH_H
#define PERF_ARRAY_BENCH_H

#include "core/core.h"
#include "disks.h"

struct bench_shape {
    unsigned data, parity;
    uint32_t chunk;
    uint64_t size; /* of each disk */
    struct disk_speed speed;
    uint64_t hot; /* the bytes of the array that random operations use; 0: all */
    struct core_options options;
};

/* What a client asks for. */
struct workload {
    const char *name;
    unsigned reads;  /* percent */
    uint32_t bytes;  /* 0: a stripe */
    bool sequential; /* else at random places */
    uint32_t stride; /* places are multiples of it; 0: of the bytes */
};

struct bench;

/* Makes an array that nothing was written to.  Returns NULL with a message when that fails. */
struct bench *bench_make(const struct bench_shape *shape);
void bench_free(struct bench *bench);

/* The bytes of one operation of a workload. */
uint64_t bench_bytes(const struct bench *bench, const struct workload *workload);

/* What a run was like. */
struct bench_result {
    double seconds;
    double busy; /* seconds in the core, and in copying for members */
    uint64_t operations;
    double latency[3]; /* seconds: the median, and of 95 % and 99 % at most so much */
    struct disk_counts disks;
    uint64_t claims, contended;
};

/* When a run ends. */
enum bench_until {
    UNTIL_TIME,    /* after some seconds */
    UNTIL_WRITTEN, /* when a sequential workload has come to the end of the array */
    UNTIL_REBUILT  /* when no member is being rebuilt any more */
};

/*
 * Runs `clients` clients, each with one operation under way; with none, it only waits for the
 * end.  `seconds` counts for UNTIL_TIME alone.  Returns false with a message when an operation
 * fails or there is not enough memory.
 */
bool bench_run(struct bench *bench, const struct workload *workload, unsigned clients,
               enum bench_until until, double seconds, struct bench_result *result);

/* Writes the whole array, and waits until everything is in place: first writes take another
   way than later ones. */
bool bench_fill(struct bench *bench, unsigned clients, struct bench_result *result);

/* Fails a member, and puts an empty one in its place.  Returns false with a message when the
   core refuses. */
bool bench_replace(struct bench *bench, unsigned role, const struct core_limits *limits);

#endif
