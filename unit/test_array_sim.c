/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The writing core of arrays on simulated disks: every history of one and two operations, a
 * crash after every write of a member, every set of lost members; and some longer histories.
 */
#include "check.h"
#include "sim_history.h"
#include "sim_random.h"

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

/* ----------------------------------------------------------- exhaustive -- */

static const struct sim_effort effort = {
    .states = 2, .torn = 1, .losses = 0, .replay = 4, .stay = 10, .stop = 10};

static void test_code(unsigned k, unsigned m)
{
    const struct sim_tally before = tally;
    const struct sim_shape shape = {
        .k = k, .m = m, .stripes = 2, .chunk = CORE_BLOCK, .log_blocks = 24};
    struct sim_setup setup;
    if (!CHECK(sim_setup_make(&setup, &shape, &tally)))
        return;
    sim_history_all(&setup, 1, check_seed(), &effort);
    if (check_thorough())
        sim_history_all(&setup, 2, check_seed(), &effort);
    else
        sim_history_some(&setup, 2, some(64), check_seed(), &effort);
    sim_history_some(&setup, 3, some(4), check_seed(), &effort);
    sim_history_some(&setup, 4, some(4), check_seed(), &effort);
    sim_setup_free(&setup);
    finish_case(&before);
}

/* --------------------------------------------------------------- random -- */

static void test_random(unsigned count)
{
    const struct sim_tally before = tally;
    for (unsigned i = 0; i < count && tally.wrong == 0; i++)
        sim_random_run(&tally, check_seed(), i);
    finish_case(&before);
}

int main(int argc, char **argv)
{
    static const unsigned codes[][2] = {{2, 1}, {2, 2}, {3, 2}, {2, 3}};
    check_start("test_array_sim", argc, argv);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (check_case("histories with %u+%u", codes[i][0], codes[i][1]))
            test_code(codes[i][0], codes[i][1]);
    if (check_case("random histories"))
        test_random(some(40));
    sim_tally_print(&tally, "simulated");
    return check_finish();
}
