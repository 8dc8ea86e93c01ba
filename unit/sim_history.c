/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim_history.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum act { OPERATION, FAILURE, REPLACEMENT, COMEBACK };

struct letter {
    char name;
    enum core_kind kind;
    bool fua, part;     /* `part`: a part of a block, which has to be known */
    int first;          /* chunk of data; -1 is the last one of the first stripe */
    unsigned chunks;    /* 0: the whole stripe */
    uint32_t skip, cut; /* bytes that the range leaves out at its ends */
    enum act act;
};

static const struct letter letters[] = {
    {'a', CORE_WRITE, false, false, 0, 1, 0, 0, OPERATION},      /* a block */
    {'b', CORE_WRITE, true, false, 0, 1, 0, 0, OPERATION},       /* the same with FUA */
    {'c', CORE_WRITE, false, false, 1, 1, 0, 0, OPERATION},      /* another block of the row */
    {'d', CORE_WRITE, true, false, 0, 0, 0, 0, OPERATION},       /* the stripe, with FUA */
    {'e', CORE_WRITE, false, false, -1, 2, 0, 0, OPERATION},     /* over the stripes' border */
    {'f', CORE_WRITE, false, true, 0, 1, 1300, 1200, OPERATION}, /* a part of a block */
    {'g', CORE_FLUSH, false, false, 0, 0, 0, 0, OPERATION},
    {'h', CORE_ZERO, false, false, 1, 1, 0, 0, OPERATION},
    {'k', CORE_WRITE, false, false, 0, 0, 0, 0, OPERATION},   /* the stripe */
    {'t', CORE_TRIM, false, false, 0, 0, 0, 0, OPERATION},    /* the stripe */
    {'i', CORE_FLUSH, false, false, 0, 0, 0, 0, FAILURE},     /* of the member with block 0 */
    {'j', CORE_FLUSH, false, false, 0, 0, 0, 0, REPLACEMENT}, /* of this member, if it failed */
    {'m', CORE_FLUSH, false, false, 0, 0, 0, 0, COMEBACK},    /* the same, with what it had */
};

const char sim_letters[] = "abcdefghijkmt";

static void submit(struct sim_world *world, const struct letter *letter)
{
    const uint64_t chunk = world->setup->shape.chunk;
    const unsigned k = world->setup->k;
    const unsigned first = letter->first < 0 ? k - 1 : (unsigned)letter->first;
    const unsigned chunks = letter->chunks == 0 ? k : letter->chunks;
    if (letter->part)
        sim_world_finish(world);
    /* Of writes that were under way together, either may be what the block holds. */
    if (world->broken || (letter->part && sim_model_known(&world->model, first) == NULL))
        return;
    if (letter->kind == CORE_FLUSH)
        sim_world_submit(world, CORE_FLUSH, 0, 0, false);
    else
        sim_world_submit(world, letter->kind, first * chunk + letter->skip,
                         chunks * chunk - letter->skip - letter->cut, letter->fua);
}

/* The member that holds the first block. */
static unsigned first_member(const struct sim_world *world)
{
    const struct core_shape *shape = &world->setup->shape;
    const struct pxa_geometry geometry = {shape->data, shape->parity, PXA_LEFT_SYMMETRIC,
                                          shape->chunk, shape->chunk};
    struct pxa_row row;
    pxa_row(&geometry, 0, &row);
    return row.member[0];
}

static bool has_failed(const struct sim_world *world, unsigned role)
{
    struct core_status status;
    core_status(world->core, &status);
    return status.state[role] == CORE_FAILED;
}

/* It may be in the midst of its rebuild. */
static void fail(struct sim_world *world)
{
    const unsigned role = first_member(world);
    if (!has_failed(world, role) && core_fail(world->core, role) != PXR_OK)
        sim_world_wrong(world, "core_fail", "refused");
    world->tally->changes++;
}

static void replace(struct sim_world *world)
{
    const unsigned role = first_member(world);
    uint8_t uuid[16];
    if (!has_failed(world, role))
        return;
    memset(uuid, 'n', sizeof uuid);
    sim_world_replace(world, role, sim_used_disk(world->setup, &world->dice), uuid);
}

static void come_back(struct sim_world *world)
{
    const unsigned role = first_member(world);
    if (has_failed(world, role) && world->disk[role] != NULL)
        sim_world_readd(world, role, sim_image_copy(&world->disk[role]->stable));
}

static void perform(struct sim_world *world, char name)
{
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        if (letters[i].name != name)
            continue;
        if (letters[i].act == OPERATION)
            submit(world, &letters[i]);
        else if (letters[i].act == FAILURE)
            fail(world);
        else if (letters[i].act == COMEBACK)
            come_back(world);
        else
            replace(world);
    }
}

static void crash_at_write(struct sim_world *world, const void *context)
{
    sim_crash_try(world, context);
}

void sim_history_run(const struct sim_setup *setup, const struct sim_history *history,
                     const struct sim_effort *effort)
{
    struct sim_world *world = sim_world_new(setup, history->seed);
    snprintf(setup->tally->about, sizeof setup->tally->about,
             "%u+%u, history %s %s, seed %" PRIu64, setup->k, setup->m, history->word,
             history->together ? "together" : "in turn", history->seed);
    setup->tally->histories++;
    for (unsigned i = 0; i < setup->k + setup->m; i++)
        sim_world_add(world, i, sim_image_copy(&setup->blank[i]));
    if (sim_world_assemble(world) != PXR_OK && !world->broken)
        sim_world_wrong(world, "no assembly", world->why);
    world->event = crash_at_write;
    world->context = effort;
    for (const char *at = history->word; *at != '\0' && !world->broken; at++) {
        perform(world, *at);
        if (!history->together)
            sim_world_finish(world);
    }
    sim_world_finish(world);
    if (!world->broken)
        core_commit(world->core);
    sim_world_drain(world);
    if (!world->broken)
        sim_world_stop(world);
    if (!world->broken)
        sim_crash_try(world, effort);
    sim_world_free(world);
}

/* --------------------------------------------------------------- words -- */

static void run_word(const struct sim_setup *setup, const char *word, struct dice *dice,
                     const struct sim_effort *effort)
{
    for (unsigned together = 0; together < (word[1] != '\0' ? 2 : 1); together++) {
        const struct sim_history history = {word, together != 0, dice_next(dice)};
        if (setup->tally->wrong == 0)
            sim_history_run(setup, &history, effort);
    }
}

void sim_history_all(const struct sim_setup *setup, unsigned length, uint64_t seed,
                     const struct sim_effort *effort)
{
    const size_t choices = strlen(sim_letters);
    struct dice dice = dice_of(seed, length);
    char word[SIM_WORD_MOST + 1] = "";
    size_t words = 1;
    for (unsigned i = 0; i < length; i++)
        words *= choices;
    for (size_t number = 0; number < words; number++) {
        size_t rest = number;
        for (unsigned i = 0; i < length; i++, rest /= choices)
            word[i] = sim_letters[rest % choices];
        run_word(setup, word, &dice, effort);
    }
}

void sim_history_some(const struct sim_setup *setup, unsigned length, unsigned count,
                      uint64_t seed, const struct sim_effort *effort)
{
    struct dice dice = dice_of(seed, length);
    char word[SIM_WORD_MOST + 1] = "";
    for (unsigned i = 0; i < count; i++) {
        for (unsigned at = 0; at < length; at++)
            word[at] = sim_letters[dice_below(&dice, strlen(sim_letters))];
        run_word(setup, word, &dice, effort);
    }
}
