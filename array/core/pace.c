/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How fast rebuilds and scrubs go.  The caller says what time it is.  Credit grows with it, and
 * each part that begins takes some.  A window says how many parts may be under way: it is
 * halved when more than one of 20 operations took longer than the goal, grows by one when that
 * was not so, and is whole when there were none.
 */
#include "config.h"

#include "internal.h"

/* In microseconds: of this time there may be credit at once, and so often the window changes.
 */
enum { SECOND = 1000000, BURST = SECOND / 10, INTERVAL = SECOND / 10 };

/* The window changes after so many operations, too. */
enum { OPERATIONS = 20 };

static const uint64_t most_rate = UINT64_C(1) << 40;

/* What a rate gives in so much time, which is a second at most.  It is in millionths of a byte,
   so that short times give something, too. */
static int64_t amount(uint64_t rate, uint64_t time)
{
    return (int64_t)(rate * time);
}

int core_limit(struct core *core, const struct core_limits *limits)
{
    struct pace *pace = &core->pace;
    if (limits->least > most_rate || limits->most > most_rate ||
        (limits->most != 0 && limits->least > limits->most))
        return PXR_EINVAL;
    pace->limits = *limits;
    pace->credit = amount(limits->most, BURST);
    pace->behind = 0;
    pace->window = core->options.sync_window;
    pace->seen = pace->slow = 0;
    return PXR_OK;
}

static void set_window(struct core *core)
{
    struct pace *pace = &core->pace;
    if (pace->seen == 0)
        pace->window = core->options.sync_window;
    else if (pace->slow * OPERATIONS > pace->seen)
        pace->window = pace->window > 1 ? pace->window / 2 : 1;
    else if (pace->window < core->options.sync_window)
        pace->window++;
    pace->seen = pace->slow = 0;
    pace->changed = pace->now;
}

static int64_t grow(int64_t value, uint64_t rate, uint64_t time)
{
    const int64_t most = amount(rate, BURST), grown = value + amount(rate, time);
    return grown < most ? grown : most;
}

void core_now(struct core *core, uint64_t time)
{
    struct pace *pace = &core->pace;
    const uint64_t passed = pace->known && time > pace->now ? time - pace->now : 0;
    const uint64_t counted = passed < SECOND ? passed : SECOND;
    pace->now += pace->known ? passed : time;
    pace->known = true;
    pace->credit = grow(pace->credit, pace->limits.most, counted);
    pace->behind = grow(pace->behind, pace->limits.least, counted);
    if (pace->now - pace->changed >= INTERVAL)
        set_window(core);
}

uint64_t core_wake_at(const struct core *core)
{
    const struct pace *pace = &core->pace;
    if (!(core->sync.running || core->scrub.running) || pace->limits.most == 0 ||
        pace->credit > 0)
        return UINT64_MAX;
    return pace->now + (uint64_t)-pace->credit / pace->limits.most + 1;
}

bool pace_allows(const struct core *core, unsigned under_way)
{
    const struct pace *pace = &core->pace;
    const unsigned window = pace->behind > 0 ? core->options.sync_window : pace->window;
    return (pace->limits.most == 0 || pace->credit > 0) &&
           under_way < (core->pool.waiters.first == NULL ? window : 1);
}

void pace_take(struct core *core, uint64_t bytes)
{
    struct pace *pace = &core->pace;
    if (pace->limits.most != 0)
        pace->credit -= (int64_t)bytes * SECOND;
    if (pace->limits.least != 0 && pace->behind > 0)
        pace->behind -= (int64_t)bytes * SECOND;
}

void pace_answered(struct core *core, const struct core_op *op)
{
    struct pace *pace = &core->pace;
    if (pace->limits.latency == 0 || op->began == UINT64_MAX)
        return;
    pace->seen++;
    pace->slow += pace->now - op->began > pace->limits.latency;
    if (pace->seen >= OPERATIONS)
        set_window(core);
}
