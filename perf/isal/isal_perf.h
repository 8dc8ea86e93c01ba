/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * isal_perf.h - programs with the names, options and output lines of ISA-L's own programs,
 * built on the measuring engine.
 *
 * A program is a description and a function that states jobs; a job is one line of figures.
 * What the figures mean: doc/perf-peers.md.
 */
#ifndef PERF_ISAL_ISAL_PERF_H
#define PERF_ISAL_ISAL_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../library.h"
#include "../setting.h"
#include "../walk.h"

#define RUN_MAX_SHARDS 255 /* k + p: what ISA-L's functions take */

struct run;

/* A program.  Lengths are bytes of a buffer. */
struct program {
    const char *name;
    const char *options; /* the letters among k, p, e, s that it takes */
    int k, p, losses;    /* defaults; what a program does not have is 0 */
    int least_k;

    int multiple; /* a length has to be a multiple of this */
    int warm_len; /* length without -s and --cold; 0: a share of warm_set */
    int warm_set; /* for all k + p buffers; a share, of the cold set too, is */
    int share_to; /* rounded down to a multiple of this */

    /* Returns false, with a message, where a result is wrong or nothing could be measured. */
    bool (*run)(struct run *run);
};

extern const struct program erasure_code_perf, erasure_code_update_perf, gf_vect_mul_perf,
    gf_vect_dot_prod_perf, xor_gen_perf, pq_gen_perf;

struct run {
    const struct program *program;
    int k, p, losses, len;
    bool cold, bare;
    const char *library_path; /* NULL: the functions of this build */
    struct setting setting;

    struct library library;
    struct functions call; /* the measured functions; while a result is judged, portable ones */

    struct arena arena;
    struct walk walk;
    bool wrong; /* a result was wrong */
};

/*
 * One line of figures.  Before the measurement, the job is called once with the measured
 * functions and once with portable ones, on targets of zeros, and all targets must be equal.
 */
struct job {
    const char *name;
    const char *counting; /* how ISA-L counts the bytes of a call, in words: */
    bool sources_alone;   /* the sources' alone, or else the targets', too */
    size_t sources, targets;

    /* A call gets pointers to the sources, then to the targets; pointer i is to shard shards[i]
       of a stripe. */
    void (*call)(void *context, u8 **row);
    void *context;
    const uint16_t *shards;

    bool (*prepare)(void *context); /* work that is not measured; NULL: none */
    const uint16_t *want;           /* shards that the targets must equal; NULL: any */
};

/* Read the command line; see isal_options.c. */
enum options_verdict isal_options_parse(struct run *run, const struct program *program,
                                        int argc, char **argv);

/* Lay out stripes of `width` shards, in the way of the mode, for jobs of at most `targets`
   targets. */
bool run_lay_out(struct run *run, size_t width, size_t targets);

/* Judge a job, measure it, and print the figures. */
bool run_job(struct run *run, const struct job *job);

/* Do one call, on the first stripe. */
bool run_once(struct run *run, const struct job *job);

/* Returns whether the measured library has a function that is needed.  Prints a message where
   it has not. */
bool run_needs(const struct run *run, bool has, const char *name);

int isal_perf(const struct program *program, int argc, char **argv);

#endif
