/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "progress.h"

#include "message.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/*
 * Returns to the first column and erases to the end of the line.  It uses write(), because
 * signal handlers wipe, too. stdio does not buffer standard error, so the order is kept.
 */
static void wipe(void)
{
    static const char sequence[] = "\r\033[K";
    if (write(STDERR_FILENO, sequence, sizeof sequence - 1) < 0)
        return; /* the terminal is gone, and the line with it */
}

void progress_start(struct progress *progress, const char *verb, uint64_t total, bool quiet)
{
    progress->verb = verb;
    progress->total = total;
    progress->started = now();
    progress->shown = !quiet && isatty(STDERR_FILENO);
    if (progress->shown)
        message_before(wipe);
}

static void draw_time_left(double seconds)
{
    unsigned long left = (unsigned long)(seconds + 0.5);
    if (left >= 3600)
        fprintf(stderr, "  %lu:%02lu:%02lu left", left / 3600, left / 60 % 60, left % 60);
    else
        fprintf(stderr, "  %lu:%02lu left", left / 60, left % 60);
}

void progress_draw(const struct progress *progress, uint64_t done)
{
    if (!progress->shown)
        return;
    double elapsed = now() - progress->started;
    double rate = elapsed > 0 ? (double)done / elapsed : 0;
    wipe();
    fprintf(stderr, "permxor: %s", progress->verb);
    if (progress->total > 0)
        fprintf(stderr, "  %3.0f %%", 100.0 * (double)done / (double)progress->total);
    fprintf(stderr, "  %.1f MB  %.1f MB/s", (double)done / 1e6, rate / 1e6);
    if (progress->total > 0 && rate > 0)
        draw_time_left((double)(progress->total - done) / rate);
    fflush(stderr);
}

void progress_end(const struct progress *progress)
{
    if (!progress->shown)
        return;
    wipe();
    fflush(stderr);
    message_before(NULL);
}
