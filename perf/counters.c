/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "counters.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<linux/perf_event.h>)
#include <linux/perf_event.h>

const struct counters_events counters_processor = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
                                                   PERF_COUNT_HW_INSTRUCTIONS};

/* The C library has no function for this system call. */
static int open_event(uint32_t type, uint64_t config, int leader)
{
    struct perf_event_attr event = {
        .type = type,
        .size = sizeof event,
        .config = config,
        .read_format = PERF_FORMAT_GROUP,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        /* Count all the time, or fail when read: the kernel must not count a part and scale it
           up. */
        .pinned = leader < 0,
    };
    return (int)syscall(SYS_perf_event_open, &event, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}
#else
const struct counters_events counters_processor = {0, 0, 0};

static int open_event(uint32_t type, uint64_t config, int leader)
{
    (void)type, (void)config, (void)leader;
    errno = ENOSYS;
    return -1;
}
#endif

bool counters_open(struct counters *c, const struct counters_events *events)
{
    c->member = -1;
    c->leader = open_event(events->type, events->first, -1);
    if (c->leader >= 0)
        c->member = open_event(events->type, events->second, c->leader);
    if (c->member >= 0)
        return true;
    int why = errno;
    counters_close(c);
    errno = why;
    return false;
}

void counters_close(struct counters *c)
{
    if (c->member >= 0)
        close(c->member);
    if (c->leader >= 0)
        close(c->leader);
    c->leader = c->member = -1;
}

bool counters_read(const struct counters *c, struct counts *counts)
{
    struct {
        uint64_t events, value[2];
    } group;
    *counts = (struct counts){0, 0};
    if (c->leader < 0 || read(c->leader, &group, sizeof group) != sizeof group)
        return false;
    counts->first = (double)group.value[0];
    counts->second = (double)group.value[1];
    return true;
}

static int paranoia(void)
{
    int level;
    FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%d", &level) != 1)
        level = 0;
    fclose(file);
    return level;
}

void counters_describe(FILE *out)
{
    struct counters counters;
    struct counts counts;
    if (counters_open(&counters, &counters_processor))
        fprintf(out, "counters: %s\n",
                counters_read(&counters, &counts)
                    ? "cycles and instructions, in user space"
                    : "none, others hold the processor's counters");
    else if (errno == EACCES || errno == EPERM)
        fprintf(out, "counters: none, not permitted (kernel.perf_event_paranoid is %d)\n",
                paranoia());
    else if (errno == ENOENT || errno == EOPNOTSUPP || errno == ENODEV)
        fprintf(out, "counters: none, this (virtual) machine offers none\n");
    else
        fprintf(out, "counters: none, %s\n", strerror(errno));
    counters_close(&counters);
}
