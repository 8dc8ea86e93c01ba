/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "noise.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const char *const cause_name[NOISE_CAUSES] = {"spread", "drift", "preempted", "steal",
                                                     "busy neighbours"};

/* ------------------------------------------------------------------- look -- */

/* A line of /proc/stat is a name and these fields, in ticks. */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };

/* The fields that count work. */
static const int working[] = {USER, NICE, SYSTEM, IRQ, SOFTIRQ};
#define WORKING (sizeof working / sizeof working[0])

static bool read_fields(const char *line, const char *name, unsigned long long field[FIELDS])
{
    size_t length = strlen(name);
    return strncmp(line, name, length) == 0 && line[length] == ' ' &&
           sscanf(line + length, "%llu %llu %llu %llu %llu %llu %llu %llu", &field[USER],
                  &field[NICE], &field[SYSTEM], &field[IDLE], &field[IOWAIT], &field[IRQ],
                  &field[SOFTIRQ], &field[STEAL]) == FIELDS;
}

static double ticks_at_work(const unsigned long long field[FIELDS])
{
    double ticks = 0;
    for (size_t i = 0; i < WORKING; i++)
        ticks += (double)field[working[i]];
    return ticks;
}

/* Reads the cores' lines, which are the first ones. */
static void look_at_cores(struct noise_look *look)
{
    char line[256], core[24];
    unsigned long long f[FIELDS];
    FILE *file = fopen("/proc/stat", "r");
    if (file == NULL)
        return;
    snprintf(core, sizeof core, "cpu%d", look->core);
    while (fgets(line, sizeof line, file) != NULL && strncmp(line, "cpu", 3) == 0) {
        if (read_fields(line, "cpu", f))
            look->busy = look->tick * ticks_at_work(f);
        else if (read_fields(line, core, f))
            look->stolen = look->tick * (double)f[STEAL];
    }
    fclose(file);
}

static double clock_reading(clockid_t clock)
{
    struct timespec t;
    if (clock_gettime(clock, &t) != 0)
        return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The two clocks are read one directly after the other, because the time between the readings
   would count as time without the core, or would hide some of it. */
void noise_look(struct noise_look *look)
{
    struct rusage usage;
    long ticks = sysconf(_SC_CLK_TCK);
    *look = (struct noise_look){.core = sched_getcpu()};
    look->tick = ticks > 0 ? 1 / (double)ticks : 0.01;
    if (getrusage(RUSAGE_THREAD, &usage) == 0)
        look->preempted = usage.ru_nivcsw;
    look->now = clock_reading(CLOCK_MONOTONIC);
    look->ran = clock_reading(CLOCK_THREAD_CPUTIME_ID);
    look_at_cores(look);
}

/* ------------------------------------------------------------------ judge -- */

static double not_negative(double value)
{
    return value > 0 ? value : 0;
}

/*
 * The difference of two times in ticks is off by up to one tick, and that of the cores' sum by
 * one tick for every kind of time in it.  A figure must exceed its limit by that much before a
 * short measurement is blamed.
 */
static unsigned causes_of(const struct noise *n)
{
    return (n->away > NOISE_AWAY_LIMIT * n->seconds ? NOISE_PREEMPTED : 0u) |
           (n->stolen > NOISE_STEAL_LIMIT * n->seconds + n->tick ? NOISE_STEAL : 0u) |
           (n->others > NOISE_OTHERS_LIMIT * n->seconds + (double)WORKING * n->tick
                ? NOISE_NEIGHBOURS
                : 0u);
}

struct noise noise_between(const struct noise_look *before, const struct noise_look *after)
{
    struct noise n = {.seconds = after->now - before->now, .tick = after->tick};
    double ran = after->ran - before->ran;
    n.preempted = after->preempted - before->preempted;
    if (after->core == before->core)
        n.stolen = not_negative(after->stolen - before->stolen);
    n.away = not_negative(n.seconds - ran - n.stolen);
    n.others = not_negative(after->busy - before->busy - ran);
    n.causes = causes_of(&n);
    return n;
}

/* ----------------------------------------------------------------- report -- */

const char *noise_text(unsigned causes, char text[NOISE_TEXT])
{
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < NOISE_CAUSES; i++)
        if (causes & 1u << i)
            length += (size_t)snprintf(text + length, NOISE_TEXT - length, "%s%s",
                                       length > 0 ? ", " : "", cause_name[i]);
    return text;
}

void noise_judge(struct noise_summary *s, unsigned causes)
{
    s->measured++;
    s->noisy += causes != 0;
    for (int i = 0; i < NOISE_CAUSES; i++)
        s->caused[i] += (causes & 1u << i) != 0;
}

void noise_add(struct noise_summary *s, const struct noise *n)
{
    s->total.seconds += n->seconds;
    s->total.preempted += n->preempted;
    s->total.away += n->away;
    s->total.stolen += n->stolen;
    s->total.others += n->others;
    s->total.tick = n->tick;
}

bool noise_is_noisy(const struct noise_summary *s)
{
    return 10 * s->noisy > s->measured || causes_of(&s->total) != 0;
}

/* Writes "3 of 80 noisy: 2 spread, 1 steal". */
static int count_causes(const struct noise_summary *s, char *text, size_t size)
{
    int length = snprintf(text, size, "%zu of %zu noisy", s->noisy, s->measured);
    const char *before = ": ";
    for (int i = 0; i < NOISE_CAUSES; i++)
        if (s->caused[i] > 0) {
            length += snprintf(text + length, size - (size_t)length, "%s%zu %s", before,
                               s->caused[i], cause_name[i]);
            before = ", ";
        }
    return length;
}

const char *noise_verdict(const struct noise_summary *s, char text[NOISE_VERDICT])
{
    double share = s->total.seconds > 0 ? 100 / s->total.seconds : 0;
    if (s->measured == 0) {
        snprintf(text, NOISE_VERDICT, "machine: not judged (nothing was measured)");
        return text;
    }
    int length =
        snprintf(text, NOISE_VERDICT, "machine: %s (", noise_is_noisy(s) ? "NOISY" : "quiet");
    length += count_causes(s, text + length, NOISE_VERDICT - (size_t)length);
    snprintf(text + length, NOISE_VERDICT - (size_t)length,
             "; core taken away %.1f %% of the time, %ld times, stolen %.1f %%; other work: "
             "%.2f cores)",
             share * s->total.away, s->total.preempted, share * s->total.stolen,
             share / 100 * s->total.others);
    return text;
}
