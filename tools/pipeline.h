/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pipeline that all subcommands share: stripes are taken one at a time in
 * order, worked on by all threads at once, and put one at a time in order.
 *
 *     take   one thread at a time, stripe->number = 0, 1, 2, ...; reads the
 *            input where that is a pipe; PIPELINE_END when there are no more
 *     work   any number of threads, in any order
 *     put    one thread at a time, in order; NULL where order does not matter
 *
 * Each returns STATUS_OK, or ends the run with another code by way of
 * stripe_fail(), whose message is printed once, for the first failure.
 */
#ifndef PXR_TOOLS_PIPELINE_H
#define PXR_TOOLS_PIPELINE_H

#include "stripe.h"

#define PIPELINE_END (-1)
#define PIPELINE_ENDLESS UINT64_MAX

typedef int pipeline_fn(void *context, struct stripe *stripe);

struct pipeline_job {
    const char *verb; /* what the progress line says */
    bool quiet;       /* no progress line */
    unsigned threads; /* at most so many; 0: as many as suit, see threads.h */
    uint64_t stripes; /* or PIPELINE_ENDLESS when take finds the end */
    uint64_t total;   /* bytes, 0 when not known */
    unsigned shards;  /* cells in a stripe */
    size_t cell;      /* bytes in a cell, at most */
    void *context;
    pipeline_fn *take; /* NULL: all stripes up to `stripes` */
    pipeline_fn *work;
    pipeline_fn *put;
};

/* Returns STATUS_OK or the code of the first failure. */
int pipeline_run(const struct pipeline_job *job);

#endif
