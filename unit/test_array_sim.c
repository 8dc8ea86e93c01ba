/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The writing core of arrays on simulated disks: every history of one and two operations, a
 * crash after every write of a member, every set of lost members; and some longer histories.
 * With CORE_SMALL it is test_array_small, whose histories fill the tables and queues of the
 * core.
 */
#include "check.h"
#include "sim_history.h"
#include "sim_random.h"

#include <stdio.h>

#ifdef CORE_SMALL
#define NAME "test_array_small"
#else
#define NAME "test_array_sim"
#endif

static struct sim_tally tally;

/* What the other cases did, so that the table has the sum. */
static void finish_case(const struct sim_tally *before)
{
    CHECK(tally.losses > before->losses);
    CHECK(tally.blocks > before->blocks);
    CHECK_INT(tally.wrong - before->wrong, 0);
}

/* Slow machines do much less, since all that the simulator does is a repetition. */
static unsigned some(unsigned count)
{
    return check_effort(check_effort(count));
}

/* ------------------------------------------------------- small histories -- */

/* A cache of so few pages is too small for the blocks. */
enum { CACHE = 3 };

static bool make_setup(struct sim_setup *setup, unsigned k, unsigned m, unsigned cache)
{
    const struct sim_shape shape = {
        .k = k, .m = m, .stripes = 2, .chunk = CORE_BLOCK, .log_blocks = 24, .cache = cache};
    return CHECK(sim_setup_make(setup, &shape, &tally));
}

/* Every set of lost members; with less effort, a random one. */
static void test_one_operation(unsigned k, unsigned m)
{
    const struct sim_effort effort = {.states = 1,
                                      .torn = 1,
                                      .losses = check_thorough() ? 0 : 1,
                                      .replay = check_thorough() ? 3 : 0,
                                      .stay = 10,
                                      .stop = 10};
    const struct sim_tally before = tally;
    struct sim_setup setup;
    if (!make_setup(&setup, k, m, 0))
        return;
    sim_history_all(&setup, 1, check_seed(), &effort);
    sim_setup_free(&setup);
    finish_case(&before);
}

/* Epochs of which one was computed from the other, and flushes behind them. */
static void test_two_epochs(void)
{
    const struct sim_effort effort = {.states = check_thorough() ? 16 : 4, .losses = 3};
    static const char *const words[] = {"ac", "ca", "ea", "eg", "ag"};
    const struct sim_tally before = tally;
    struct sim_setup setup;
    if (!make_setup(&setup, 2, 1, 0))
        return;
    for (size_t i = 0; i < sizeof words / sizeof words[0] && tally.wrong == 0; i++)
        sim_history_run(&setup, &(struct sim_history){.word = words[i], .seed = check_random()},
                        &effort);
    sim_setup_free(&setup);
    finish_case(&before);
}

/* Not every member that was away may come back, but some have to. */
static void check_comebacks(const struct sim_tally *before)
{
    CHECK(tally.comebacks > before->comebacks || !check_thorough());
}

/* Histories that random ones seldom are. */
static void test_words(unsigned k, unsigned m, unsigned cache, const char *const *words,
                       unsigned count)
{
    const struct sim_effort effort = {
        .states = 1, .torn = 3, .losses = 1, .replay = 5, .stay = 5, .stop = 2};
    const struct sim_tally before = tally;
    struct sim_setup setup;
    if (!make_setup(&setup, k, m, cache))
        return;
    for (unsigned i = 0; i < some(count) && tally.wrong == 0; i++)
        sim_history_run(&setup, &(struct sim_history){.word = words[i], .seed = check_random()},
                        &effort);
    sim_setup_free(&setup);
    finish_case(&before);
}

static void test_more_operations(unsigned k, unsigned m, unsigned cache)
{
    const struct sim_effort effort = {
        .states = 1, .torn = 1, .losses = 2, .replay = 2, .stay = 10, .stop = 5};
    const struct sim_tally before = tally;
    struct sim_setup setup;
    if (!make_setup(&setup, k, m, cache))
        return;
    sim_history_some(&setup, 2, some(8), check_seed(), &effort);
    sim_history_some(&setup, 3, some(4), check_seed(), &effort);
    sim_history_some(&setup, 4, some(4), check_seed(), &effort);
    sim_setup_free(&setup);
    finish_case(&before);
}

/* The process is killed, another one assembles, and the power fails while it does. */
static void test_killed(unsigned k, unsigned m)
{
    const struct sim_effort effort = {
        .losses = 1, .replay = 30, .stay = 20, .stop = 5, .kill = 100};
    const struct sim_tally before = tally;
    struct sim_setup setup;
    if (!make_setup(&setup, k, m, CACHE))
        return;
    sim_history_some(&setup, 2, some(12), check_seed(), &effort);
    sim_setup_free(&setup);
    finish_case(&before);
}

/* ------------------------------------------------ several operations at once -- */

static struct sim_world *assemble(const struct sim_setup *setup)
{
    struct sim_world *world = sim_world_new(setup, check_random());
    tally.histories++;
    for (unsigned i = 0; i < setup->k + setup->m; i++)
        sim_world_add(world, i, sim_image_copy(&setup->blank[i]));
    CHECK_INT(sim_world_assemble(world), PXR_OK);
    return world;
}

static void finish(struct sim_world *world)
{
    sim_world_finish(world);
    if (!world->broken)
        sim_world_read_all(world);
    sim_world_free(world);
}

/* Many operations at once with the smallest pool that is allowed. */
static void test_least_pool(unsigned k, unsigned m, unsigned cache, unsigned rounds)
{
    const struct sim_shape shape = {.k = k,
                                    .m = m,
                                    .stripes = 4,
                                    .chunk = 4 * CORE_BLOCK,
                                    .log_blocks = 32,
                                    .cache = cache};
    struct sim_setup setup;
    const uint64_t stripe = (uint64_t)k * shape.chunk;
    snprintf(tally.about, sizeof tally.about, "%u+%u with the least pool", k, m);
    if (!CHECK(sim_setup_make(&setup, &shape, &tally)))
        return;
    for (unsigned round = 0; round < rounds && tally.wrong == 0; round++) {
        struct sim_world *world = assemble(&setup);
        for (unsigned i = 0; i < 6; i++)
            sim_world_submit(world, i % 3 == 2 ? CORE_READ : CORE_WRITE, i % 2 * stripe,
                             3 * stripe, i == 4);
        finish(world);
    }
    sim_setup_free(&setup);
    CHECK_INT(tally.wrong, 0);
}

/* A crash while the first write to a region makes it ready, when another write has come, and a
   write behind the crash.  One member may have all that is left.  The members answer six times,
   to zeros and flushes, before the map is written.  So the other write comes about then. */
static void test_first_writes(unsigned rounds)
{
    const struct sim_shape shape = {
        .k = 1, .m = 2, .stripes = 4, .chunk = CORE_BLOCK, .region_shift = 2, .log_blocks = 24};
    struct sim_setup setup;
    snprintf(tally.about, sizeof tally.about, "first writes to a region");
    if (!CHECK(sim_setup_make(&setup, &shape, &tally)))
        return;
    for (unsigned round = 0; round < rounds && tally.wrong == 0; round++) {
        struct sim_world *world = assemble(&setup);
        for (unsigned stripe = 0; stripe < 2; stripe++) {
            sim_world_submit(world, CORE_WRITE, stripe * CORE_BLOCK, CORE_BLOCK, true);
            const uint64_t least = stripe == 0 ? 4 : 2;
            for (uint64_t steps = least + check_random() % 8; steps > 0; steps--)
                sim_world_step(world);
        }
        world = sim_crash_now(world);
        if (!world->broken)
            sim_world_submit(world, CORE_WRITE, 2 * CORE_BLOCK, CORE_BLOCK, true);
        finish(world);
    }
    sim_setup_free(&setup);
    CHECK_INT(tally.wrong, 0);
}

/* --------------------------------------------------------------- random -- */

static void test_random(unsigned count)
{
    const struct sim_tally before = tally;
    for (unsigned i = 0; i < count && tally.wrong == 0; i++)
        sim_random_run(&tally, check_seed(), i);
    finish_case(&before);
    check_comebacks(&before);
}

int main(int argc, char **argv)
{
    static const unsigned codes[][2] = {{2, 1}, {2, 2}, {3, 2}, {2, 3}};
    /* Rows that go directly into place, and what is written to them before and after that. */
    static const char *const rows[] = {"dd", "db", "bd", "dcb", "kb"};
    static const char *const back[] = {"diam", "aimc", "kimb", "dibmia", "daimim"};
    /* Trims, and what was written to the row before and after that. */
    static const char *const trims[] = {"dt",   "dtd",   "atb",  "dktd", "btb",
                                        "dtgb", "dktkc", "ditm", "dtij", "bitjd"};
    const size_t count = sizeof codes / sizeof codes[0];
    check_start(NAME, argc, argv);
    /* With less effort, only the second code. */
    const size_t first = check_thorough() ? 0 : 1, end = check_thorough() ? count : 2;
    for (size_t i = first; i < end; i++)
        if (check_case("least pool with %u+%u", codes[i][0], codes[i][1]))
            for (unsigned cache = 0; cache < 2; cache++)
                test_least_pool(codes[i][0], codes[i][1], cache, some(8));
    if (check_case("first writes to a region"))
        test_first_writes(some(8000));
    if (check_case("random histories"))
        test_random(some(240));
    if (check_case("two epochs"))
        test_two_epochs();
    for (size_t i = first; i < end; i++)
        if (check_case("one operation with %u+%u", codes[i][0], codes[i][1]))
            test_one_operation(codes[i][0], codes[i][1]);
    for (size_t i = first; i < end; i++)
        if (check_case("whole rows with %u+%u", codes[i][0], codes[i][1]))
            for (unsigned cache = 0; cache <= CACHE; cache += CACHE)
                test_words(codes[i][0], codes[i][1], cache, rows, 5);
    for (size_t i = first; i < end; i++)
        if (check_case("trims with %u+%u", codes[i][0], codes[i][1]))
            for (unsigned cache = 0; cache <= CACHE; cache += CACHE)
                test_words(codes[i][0], codes[i][1], cache, trims, 10);
    for (size_t i = first; i < end; i++)
        if (check_case("a member comes back with %u+%u", codes[i][0], codes[i][1])) {
            const struct sim_tally before = tally;
            for (unsigned cache = 0; cache <= CACHE; cache += CACHE)
                test_words(codes[i][0], codes[i][1], cache, back, 5);
            check_comebacks(&before);
        }
    for (size_t i = first; i < end; i++)
        if (check_case("two to four operations with %u+%u", codes[i][0], codes[i][1]))
            for (unsigned cache = 0; cache <= CACHE; cache += CACHE)
                test_more_operations(codes[i][0], codes[i][1], cache);
    for (size_t i = first; i < end; i++)
        if (check_case("a killed process with %u+%u", codes[i][0], codes[i][1]))
            test_killed(codes[i][0], codes[i][1]);
    sim_tally_print(&tally, "simulated");
    return check_finish();
}
