/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The writing core of arrays on simulated disks, for as long as you like.
 *
 *   array_sim_long [--words=N] [--seconds=N] [--count=N] [--first=N] [--tell=1]
 *
 * With CORE_SMALL it is array_small_long, whose histories fill the tables and queues of the
 * core.
 *
 * First it runs every history of 1 to N operations, with more states of each crash than
 * test_array_sim, unless N is 0.  Then it runs random histories from number --first on, until
 * they are --count or --seconds are over.  PXR_SEED=N repeats a run: with --words=0 --first=N
 * --count=1 it is one history.  --tell=1 prints what happens.
 */
#include "check.h"
#include "sim_history.h"
#include "sim_random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef CORE_SMALL
#define NAME "array_small_long"
#else
#define NAME "array_sim_long"
#endif

static struct sim_tally tally;

static const struct sim_effort effort = {
    .states = 16, .torn = 4, .losses = 0, .replay = 10, .stay = 30, .stop = 20};

/* The number behind `--name=`, or `otherwise`. */
static uint64_t option(int argc, char **argv, const char *name, uint64_t otherwise)
{
    const size_t len = strlen(name);
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], name, len) == 0)
            return strtoull(argv[i] + len, NULL, 10);
    return otherwise;
}

static void show(const struct sim_tally *before, const char *title)
{
    CHECK(tally.losses > before->losses);
    CHECK_INT(tally.wrong - before->wrong, 0);
    sim_tally_print(&tally, title);
}

static void test_words(unsigned k, unsigned m, unsigned most)
{
    const struct sim_tally before = tally;
    const struct sim_shape shape = {
        .k = k, .m = m, .stripes = 2, .chunk = CORE_BLOCK, .log_blocks = 24};
    struct sim_setup setup;
    if (!CHECK(sim_setup_make(&setup, &shape, &tally)))
        return;
    for (unsigned length = 1; length <= most; length++)
        sim_history_all(&setup, length, check_seed(), &effort);
    sim_setup_free(&setup);
    show(&before, "so far");
}

static void test_random(uint64_t first, uint64_t count, uint64_t seconds)
{
    const struct sim_tally before = tally;
    const time_t end = time(NULL) + (time_t)seconds;
    for (uint64_t i = 0; i < count && time(NULL) < end && tally.wrong == 0; i++)
        sim_random_run(&tally, check_seed(), first + i);
    show(&before, "all");
}

int main(int argc, char **argv)
{
    static const unsigned codes[][2] = {{2, 1}, {2, 2}, {3, 2}, {2, 3}};
    check_start(NAME, argc, argv);
    tally.told = option(argc, argv, "--tell=", 0) != 0;
    const unsigned words = (unsigned)option(argc, argv, "--words=", 2);
    for (size_t i = 0; words > 0 && i < sizeof codes / sizeof codes[0]; i++)
        if (check_case("histories with %u+%u", codes[i][0], codes[i][1]))
            test_words(codes[i][0], codes[i][1], words < SIM_WORD_MOST ? words : SIM_WORD_MOST);
    if (check_case("random histories"))
        test_random(option(argc, argv, "--first=", 0),
                    option(argc, argv, "--count=", UINT64_MAX),
                    option(argc, argv, "--seconds=", 300));
    return check_finish();
}
