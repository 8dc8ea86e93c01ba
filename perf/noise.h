/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * noise.h - what disturbed a measurement, judged by its figures and by what the system reports
 * for that time.
 *
 * The figures show the effect, and the system shows the cause; either one makes a measurement
 * noisy.  The effect may be missing where the cause is plain: the median of many short batches
 * hardly moves when the thread loses its core every few milliseconds, but then it is no longer
 * the median of an undisturbed core.
 */
#ifndef PERF_NOISE_H
#define PERF_NOISE_H

#include <stdbool.h>
#include <stddef.h>

enum noise_cause {
    NOISE_SPREAD = 1 << 0,    /* the middle half of the figures is wide */
    NOISE_DRIFT = 1 << 1,     /* the medians of the two halves differ */
    NOISE_PREEMPTED = 1 << 2, /* the system gave the core to others */
    NOISE_STEAL = 1 << 3,     /* the hypervisor gave the core to others */
    NOISE_NEIGHBOURS = 1 << 4 /* other work ran: it takes caches, memory and clock */
};
#define NOISE_CAUSES 5

/* The limits for the last three causes: shares of one core's time. */
#define NOISE_AWAY_LIMIT 0.02
#define NOISE_STEAL_LIMIT 0.02
#define NOISE_OTHERS_LIMIT 0.5

/* Readings that only grow.  They are in seconds where nothing else is said. */
struct noise_look {
    double now;     /* on the monotonic clock */
    double ran;     /* time that the calling thread ran */
    long preempted; /* how often the thread lost the core against its will */
    double stolen;  /* time that the hypervisor took from the thread's core */
    double busy;    /* of all cores together; 0: not known */
    double tick;    /* resolution of the last two */
    int core;
};

/* Take the readings now. */
void noise_look(struct noise_look *look);

/* What happened during a measurement. */
struct noise {
    unsigned causes; /* enum noise_cause; 0: quiet */
    double seconds;  /* how long it took */
    long preempted;
    double away;   /* seconds without the core that are not the hypervisor's */
    double stolen; /* seconds */
    double others; /* seconds of other work, on all cores together */
    double tick;   /* resolution of the last two */
};

/* The noise between two looks, with the last three causes. */
struct noise noise_between(const struct noise_look *before, const struct noise_look *after);

/* Writes the causes as words, "spread, preempted".  Returns `text`. */
#define NOISE_TEXT 64
const char *noise_text(unsigned causes, char text[NOISE_TEXT]);

/* ---------------------------------------------------------- a whole run -- */

struct noise_summary {
    size_t measured, noisy;      /* figures; of several subjects, their ratios */
    size_t caused[NOISE_CAUSES]; /* in the order of the causes */
    struct noise total;          /* without its causes */
};

/* Add what happened during a measurement, and for each of its figures the causes that disturbed
   it. */
void noise_add(struct noise_summary *summary, const struct noise *noise);
void noise_judge(struct noise_summary *summary, unsigned causes);

/* Returns whether the run as a whole is not to be trusted: more than a tenth of its figures are
   noisy, or the whole run passes one of the limits. */
bool noise_is_noisy(const struct noise_summary *summary);

/* The verdict in one line, without a line end: "machine: quiet (...)", "machine: NOISY (...)",
   or "machine: not judged (...)" where nothing was measured. */
#define NOISE_VERDICT 320
const char *noise_verdict(const struct noise_summary *summary, char text[NOISE_VERDICT]);

#endif
