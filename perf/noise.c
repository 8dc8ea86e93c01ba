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

/* A line of /proc/stat is a name and these, in ticks. */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };

static bool read_fields(const char *line, const char *name, unsigned long long field[FIELDS])
{
    size_t length = strlen(name);
    return strncmp(line, name, length) == 0 && line[length] == ' ' &&
           sscanf(line + length, "%llu %llu %llu %llu %llu %llu %llu %llu", &field[USER],
                  &field[NICE], &field[SYSTEM], &field[IDLE], &field[IOWAIT], &field[IRQ],
                  &field[SOFTIRQ], &field[STEAL]) == FIELDS;
}

/* The cores' lines are the first ones. */
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
            look->busy = look->tick * (double)(f[USER] + f[NICE] + f[SYSTEM] + f[SOFTIRQ]);
        else if (read_fields(line, core, f))
            look->stolen = look->tick * (double)f[STEAL];
    }
    fclose(file);
}

void noise_look(struct noise_look *look)
{
    struct rusage usage;
    struct timespec ran;
    long ticks = sysconf(_SC_CLK_TCK);
    *look = (struct noise_look){.core = sched_getcpu()};
    look->tick = ticks > 0 ? 1 / (double)ticks : 0.01;
    if (getrusage(RUSAGE_THREAD, &usage) == 0)
        look->preempted = usage.ru_nivcsw;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran) == 0)
        look->ran = (double)ran.tv_sec + 1e-9 * (double)ran.tv_nsec;
    look_at_cores(look);
}

/* ------------------------------------------------------------------ judge -- */

static double not_negative(double value)
{
    return value > 0 ? value : 0;
}

/*
 * Times in ticks are off by one at either end, and the sum over the cores by one for
 * every kind of time; a short measurement must show that much more before it is blamed.
 */
static unsigned causes_of(const struct noise *n, double tick)
{
    return (n->away > NOISE_AWAY_LIMIT * n->seconds ? NOISE_PREEMPTED : 0u) |
           (n->stolen > NOISE_STEAL_LIMIT * n->seconds + tick ? NOISE_STEAL : 0u) |
           (n->others > NOISE_OTHERS_LIMIT * n->seconds + 3 * tick ? NOISE_NEIGHBOURS : 0u);
}

struct noise noise_between(const struct noise_look *before, const struct noise_look *after,
                           double seconds)
{
    struct noise n = {.seconds = seconds};
    double ran = after->ran - before->ran;
    n.preempted = after->preempted - before->preempted;
    if (after->core == before->core)
        n.stolen = not_negative(after->stolen - before->stolen);
    n.away = not_negative(seconds - ran - n.stolen);
    n.others = not_negative(after->busy - before->busy - ran);
    n.causes = causes_of(&n, after->tick);
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

void noise_add(struct noise_summary *s, const struct noise *n)
{
    s->measured++;
    s->noisy += n->causes != 0;
    for (int i = 0; i < NOISE_CAUSES; i++)
        s->caused[i] += (n->causes & 1u << i) != 0;
    s->total.seconds += n->seconds;
    s->total.preempted += n->preempted;
    s->total.away += n->away;
    s->total.stolen += n->stolen;
    s->total.others += n->others;
}

bool noise_is_noisy(const struct noise_summary *s)
{
    return 10 * s->noisy > s->measured || causes_of(&s->total, 0) != 0;
}

/* "3 of 80 noisy: 2 spread, 1 steal" */
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
