/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim_random.h"

#include "sim_trouble.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A history. */
struct history {
    struct sim_setup setup;
    struct sim_world *world;
    struct dice dice;
    unsigned depth;   /* the most operations under way */
    unsigned trouble; /* the percentage of the steps that make trouble */
    bool rot;         /* it is nothing but rot, and scrubs */
};

/* -------------------------------------------------------------- operations -- */

/* Whether a write may begin or end within this block. */
static bool may_cut(const struct history *history, uint64_t address)
{
    return sim_model_known(&history->world->model, (size_t)(address / SIM_BLOCK)) != NULL;
}

/* A random range.  Its ends are at blocks, at sectors, or anywhere. */
static void choose_range(struct history *history, uint64_t unit, uint64_t *offset,
                         uint64_t *len)
{
    const uint64_t capacity = (uint64_t)history->setup.blocks * SIM_BLOCK;
    const uint64_t stripe = (uint64_t)history->setup.k * history->setup.shape.chunk;
    uint64_t most = dice_percent(&history->dice, 80) ? 3 * SIM_BLOCK : 2 * stripe;
    *offset = dice_below(&history->dice, (size_t)(capacity / unit)) * unit;
    if (most > capacity - *offset)
        most = capacity - *offset;
    *len = (1 + dice_below(&history->dice, (size_t)(most / unit))) * unit;
    if (dice_percent(&history->dice, 10) && capacity >= stripe) {
        *offset = dice_below(&history->dice, (size_t)(capacity / stripe)) * stripe;
        *len = stripe;
    }
}

static void submit_one(struct history *history)
{
    static const uint64_t units[] = {SIM_BLOCK, SIM_BLOCK, SIM_BLOCK, SIM_TAGGED, 1};
    const size_t kind = dice_below(&history->dice, 100);
    const bool reads = kind >= 60 && kind < 85, zeros = kind >= 85 && kind < 90;
    uint64_t unit = units[dice_below(&history->dice, sizeof units / sizeof units[0])];
    const uint64_t capacity = (uint64_t)history->setup.blocks * SIM_BLOCK;
    const uint64_t stripe = (uint64_t)history->setup.k * history->setup.shape.chunk;
    uint64_t offset, len;
    if (zeros && unit == 1)
        unit = SIM_TAGGED;
    choose_range(history, unit, &offset, &len);
    if (!reads && kind < 90 &&
        (!may_cut(history, offset) || !may_cut(history, offset + len - 1)))
        choose_range(history, SIM_BLOCK, &offset, &len);
    const bool fua = !reads && dice_percent(&history->dice, 30);
    if (kind >= 90 && kind < 93 && dice_percent(&history->dice, 70)) {
        offset -= offset % stripe;
        len = capacity - offset < stripe ? capacity - offset : stripe;
    }
    if (kind < 60)
        sim_world_submit(history->world, CORE_WRITE, offset, len, fua);
    else if (reads)
        sim_world_submit(history->world, CORE_READ, offset, len, false);
    else if (zeros)
        sim_world_submit(history->world, CORE_ZERO, offset, len, fua);
    else if (kind < 93)
        sim_world_submit(history->world, CORE_TRIM, offset, len, fua);
    else
        sim_world_submit(history->world, CORE_FLUSH, 0, 0, false);
}

/* ----------------------------------------------------------------- steps -- */

static void try_crash(struct history *history)
{
    const struct sim_effort effort = {
        .states = 1, .torn = 1, .losses = 1, .replay = 10, .stay = 50, .stop = 30};
    sim_crash_try(history->world, &effort);
}

/* Stops the array in the orderly way and assembles it with other losses. */
static void stop_and_go(struct history *history)
{
    sim_world_finish(history->world);
    if (!history->world->broken)
        sim_world_stop(history->world);
    if (!history->world->broken)
        history->world = sim_crash_now(history->world);
}

static void step(struct history *history)
{
    const size_t what = dice_below(&history->dice, 1000);
    if (what < 400 && history->world->op_count < history->depth)
        submit_one(history);
    else if (what < 950)
        sim_world_step(history->world);
    else if (what < 960)
        core_commit(history->world->core);
    else if (what < 980)
        try_crash(history);
    else if (what < 990)
        history->world = sim_crash_now(history->world);
    else if (what < 993)
        stop_and_go(history);
    else if (what < 997)
        sim_world_scrub(history->world, dice_percent(&history->dice, 70));
    if (!history->world->broken && dice_percent(&history->dice, history->trouble))
        (history->rot ? sim_rot : sim_trouble)(history->world, &history->dice);
}

/* ---------------------------------------------------------------- setups -- */

/* Every other history has a cache, often one that is too small for the array. */
static bool make_setup(struct history *history, struct sim_tally *tally, uint64_t number)
{
    static const unsigned code[][2] = {{2, 1}, {2, 2}, {3, 2}, {2, 3}, {4, 1}, {1, 2}, {4, 3}};
    const unsigned *chosen = code[dice_below(&history->dice, sizeof code / sizeof code[0])];
    const struct sim_shape shape = {
        .k = chosen[0],
        .m = chosen[1],
        .stripes = 1 + (unsigned)dice_below(&history->dice, 6),
        .chunk = CORE_BLOCK << dice_below(&history->dice, 3),
        .region_shift = (unsigned)dice_below(&history->dice, 3),
        .log_blocks = 24 + (unsigned)dice_below(&history->dice, 40),
        .spare_pages =
            dice_percent(&history->dice, 50) ? 0 : (unsigned)dice_below(&history->dice, 100),
        .cache = number % 2 == 0 ? 0 : 1 + (unsigned)(number / 2 % 30),
    };
    history->depth = 1 + (unsigned)dice_below(&history->dice, 12);
    history->rot = dice_percent(&history->dice, 30);
    history->trouble = history->rot ? 10 : dice_percent(&history->dice, 30) ? 0 : 3;
    if (!sim_setup_make(&history->setup, &shape, tally)) {
        sim_wrong(tally, "no setup", "stripes %u, chunk %" PRIu32 ", log %u", shape.stripes,
                  shape.chunk, shape.log_blocks);
        return false;
    }
    return true;
}

static void begin(struct history *history, uint64_t seed)
{
    history->world = sim_world_new(&history->setup, seed);
    for (unsigned i = 0; i < history->setup.k + history->setup.m; i++)
        sim_world_add(history->world, i, sim_image_copy(&history->setup.blank[i]));
    /* Disks that answer within the call. */
    for (unsigned i = 0; i < history->setup.k + history->setup.m; i++)
        history->world->disk[i]->at_once = dice_percent(&history->dice, 5);
    if (sim_world_assemble(history->world) != PXR_OK && !history->world->broken)
        sim_world_wrong(history->world, "no assembly", history->world->why);
}

void sim_random_run(struct sim_tally *tally, uint64_t seed, uint64_t number)
{
    struct history history = {.dice = dice_of(seed, number)};
    snprintf(tally->about, sizeof tally->about, "random history %" PRIu64 " of seed %" PRIu64,
             number, seed);
    tally->histories++;
    if (make_setup(&history, tally, number)) {
        begin(&history, dice_next(&history.dice));
        const size_t steps = 100 + dice_below(&history.dice, 400);
        for (size_t i = 0; i < steps && !history.world->broken; i++)
            step(&history);
        if (!history.world->broken)
            stop_and_go(&history);
        sim_world_free(history.world);
    }
    sim_setup_free(&history.setup);
}
