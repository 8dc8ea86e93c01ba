/* SPDX-License-Identifier: BSD-3-Clause */
/* The writing core: how fast rebuilds and scrubs go. */
#include "array_rig.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t some_uuid[16] = "0123456789abcde";

static struct core_status status_now(void)
{
    struct core_status status;
    core_status(rig.core, &status);
    return status;
}

static void begin_pace(const struct core_options *options, const struct core_limits *limits)
{
    rig_begin(2, 1, CORE_BLOCK, false, options);
    check_fill(rig.model, rig.capacity);
    CHECK_INT(rig_run(CORE_WRITE, 0, rig.capacity, rig.model, false), PXR_OK);
    rig_reassemble(options, 0, 3);
    CHECK_INT(core_limit(rig.core, limits), PXR_OK);
    core_now(rig.core, 5000000);
}

/* A scrub of 40 rows in a second: it goes on when the core says, and not before. */
static void check_rate(void)
{
    const struct core_limits limits = {.most = (uint64_t)40 * CORE_BLOCK}, none = {0};
    struct outcome outcome = {false, 0};
    uint64_t now = 5000000;
    begin_pace(NULL, &limits);
    CHECK(core_wake_at(rig.core) == UINT64_MAX);
    core_scrub(rig.core, false, rig_job_done, &outcome);
    rig_drain();
    const uint64_t first = status_now().scrub_rows;
    CHECK_INT(first, 4); /* of the first tenth of a second */
    for (unsigned i = 1; i <= 41; i++) {
        const uint64_t wake = core_wake_at(rig.core);
        if (!CHECK(wake > now && wake < now + 30000))
            break;
        core_now(rig.core, wake - 2);
        core_now(rig.core, now); /* time never goes back */
        rig_drain();
        CHECK_INT(status_now().scrub_rows, first + i - 1);
        core_now(rig.core, now = wake);
        rig_drain();
        CHECK_INT(status_now().scrub_rows, first + i);
    }
    CHECK(now > 5990000 && now < 6010000);
    CHECK_INT(core_limit(rig.core, &none), PXR_OK);
    rig_drain();
    CHECK(outcome.ended && outcome.status == PXR_OK);
    CHECK(core_wake_at(rig.core) == UINT64_MAX);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* A rebuild has the same limit. */
static void check_rebuild_rate(void)
{
    const struct core_limits limits = {.most = (uint64_t)100 * CORE_BLOCK};
    struct outcome replaced = {false, 0};
    uint64_t now = 5000000;
    begin_pace(NULL, &limits);
    CHECK_INT(core_fail(rig.core, 1), PXR_OK);
    core_replace(rig.core, 1, rig.member[1], some_uuid, rig_job_done, &replaced);
    rig_drain();
    CHECK_INT(status_now().rebuilt[1], 10);
    for (unsigned i = 0; i < 10; i++)
        core_now(rig.core, now += 100000); /* what nobody uses is lost */
    rig_drain();
    CHECK_INT(status_now().rebuilt[1], 20);
    while (core_wake_at(rig.core) != UINT64_MAX) {
        core_now(rig.core, core_wake_at(rig.core));
        rig_drain();
    }
    CHECK_INT(status_now().state[1], CORE_IN_SYNC);
    rig_check_all();
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

/* Reads that take that long. */
static void read_slowly(uint64_t *now, unsigned count, uint64_t time)
{
    for (unsigned i = 0; i < rig.width; i++)
        rig.store[i].later = true;
    for (unsigned i = 0; i < count; i++) {
        struct outcome outcome = {false, 0};
        struct core_op op = {.kind = CORE_READ,
                             .len = 1,
                             .buffer = rig.buffer,
                             .done = rig_op_done,
                             .user = &outcome};
        core_submit(rig.core, &op);
        core_turn(rig.core);
        CHECK(!outcome.ended);
        core_now(rig.core, *now += time);
        rig_drain();
        CHECK(outcome.ended && outcome.status == PXR_OK);
    }
}

/* How many rows a scrub works on at a time. */
static unsigned scrub_width(void)
{
    struct outcome outcome = {false, 0};
    core_scrub(rig.core, false, rig_job_done, &outcome);
    core_turn(rig.core);
    const unsigned width = rig.store[1].waits;
    rig_drain();
    CHECK(outcome.ended && outcome.status == PXR_OK);
    return width;
}

static void check_latency(uint64_t least)
{
    const struct core_options options = {.sync_window = 8};
    const struct core_limits limits = {.least = least, .latency = 1000};
    uint64_t now = 5000000;
    begin_pace(&options, &limits);
    read_slowly(&now, 20, 1001);
    CHECK_INT(status_now().sync_window, 4);
    read_slowly(&now, 40, 1001);
    CHECK_INT(status_now().sync_window, 1);
    CHECK_INT(scrub_width(), least == 0 ? 1 : 8);
    core_now(rig.core, now += 1);
    read_slowly(&now, 19, 1000);
    read_slowly(&now, 1, 1001); /* one of 20 may be slower */
    CHECK_INT(status_now().sync_window, 2);
    core_now(rig.core, now += 100000);
    CHECK_INT(status_now().sync_window, 8);
    CHECK_INT(scrub_width(), 8);
    CHECK_INT(rig_stop(), PXR_OK);
    rig_end();
}

static void check_limits_refused(void)
{
    const struct core_limits high = {.most = (UINT64_C(1) << 40) + 1}, crossed = {2, 1, 0};
    CHECK_INT(core_create(&rig.core, NULL), PXR_OK);
    CHECK_INT(core_limit(rig.core, &high), PXR_EINVAL);
    CHECK_INT(core_limit(rig.core, &crossed), PXR_EINVAL);
    core_free(rig.core);
}

int main(int argc, char **argv)
{
    check_start("test_array_pace", argc, argv);
    if (check_case("the rate of a scrub"))
        check_rate();
    if (check_case("the rate of a rebuild"))
        check_rebuild_rate();
    for (unsigned least = 0; least < 2; least++)
        if (check_case("the latency of reads, %s least rate", least ? "a" : "no"))
            check_latency(least ? UINT64_C(1) << 30 : 0);
    if (check_case("limits that are refused"))
        check_limits_refused();
    return check_finish();
}
