/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pipeline that all subcommands share.  Stripes are taken one at a time in order, are
 * worked on by all threads at once, and are put one at a time in order.
 *
 *     take   one thread at a time, stripe->number = 0, 1, 2, ...; reads the
 *            input if that is a pipe; PIPELINE_END when there are no more stripes
 *     work   any number of threads, in any order
 *     put    one thread at a time, in order; NULL if order does not matter
 *
 * Each returns STATUS_OK, or ends the run with another code by stripe_fail().  The message of
 * the first failure is printed once.
 */
#ifndef PXR_TOOLS_PIPELINE_H
#define PXR_TOOLS_PIPELINE_H

#include "stripe.h"

#define PIPELINE_END (-1)
#define PIPELINE_ENDLESS UINT64_MAX

typedef int pipeline_fn(void *context, struct stripe *stripe);

struct pipeline_job {
    const char *verb; /* the verb of the progress line */
    bool quiet;       /* no progress line */
    unsigned threads; /* at most this many; 0: as many as are suitable, see threads.h */
    uint64_t stripes; /* or PIPELINE_ENDLESS if take finds the end */
    uint64_t total;   /* bytes, 0 when not known */
    unsigned shards;  /* the number of cells in a stripe */
    size_t cell;      /* the most bytes in a cell */
    void *context;
    pipeline_fn *take; /* NULL: all stripes up to `stripes` */
    pipeline_fn *work;
    pipeline_fn *put;
};

/* Returns STATUS_OK or the code of the first failure. */
int pipeline_run(const struct pipeline_job *job);

#endif
