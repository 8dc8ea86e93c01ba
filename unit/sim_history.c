/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim_history.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct letter {
    char name;
    enum core_kind kind;
    bool fua, part;         /* `part`: a part of a block, which has to be known */
    unsigned first, chunks; /* chunks of data; 0: the whole stripe */
    uint32_t skip, cut;     /* bytes that the range leaves out at its ends */
};

/* The chunks are counted from the end of the first stripe, so that -1 is its last one. */
static const struct letter letters[] = {
    {'a', CORE_WRITE, false, false, 0, 1, 0, 0},          /* a block */
    {'b', CORE_WRITE, true, false, 0, 1, 0, 0},           /* the same with FUA */
    {'c', CORE_WRITE, false, false, 1, 1, 0, 0},          /* another block of the row */
    {'d', CORE_WRITE, true, false, 0, 0, 0, 0},           /* the stripe, with FUA */
    {'e', CORE_WRITE, false, false, UINT32_MAX, 2, 0, 0}, /* over the border of the stripes */
    {'f', CORE_WRITE, false, true, 0, 1, 1300, 1200},     /* a part of a block */
    {'g', CORE_FLUSH, false, false, 0, 0, 0, 0},
    {'h', CORE_ZERO, false, false, 1, 1, 0, 0}, /* zeros */
};

const char sim_letters[] = "abcdefgh";

static void submit_letter(struct sim_world *world, const struct letter *letter)
{
    const uint64_t chunk = world->setup->shape.chunk;
    const unsigned k = world->setup->k;
    const unsigned first = letter->first == UINT32_MAX ? k - 1 : letter->first;
    const unsigned chunks = letter->chunks == 0 ? k : letter->chunks;
    if (letter->part)
        sim_world_finish(world);
    if (world->broken)
        return;
    if (letter->kind == CORE_FLUSH)
        sim_world_submit(world, CORE_FLUSH, 0, 0, false);
    else
        sim_world_submit(world, letter->kind, first * chunk + letter->skip,
                         chunks * chunk - letter->skip - letter->cut, letter->fua);
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
        for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
            if (letters[i].name == *at)
                submit_letter(world, &letters[i]);
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
    const size_t letters = strlen(sim_letters);
    struct dice dice = dice_of(seed, length);
    char word[SIM_WORD_MOST + 1] = "";
    size_t words = 1;
    for (unsigned i = 0; i < length; i++)
        words *= letters;
    for (size_t number = 0; number < words; number++) {
        size_t rest = number;
        for (unsigned i = 0; i < length; i++, rest /= letters)
            word[i] = sim_letters[rest % letters];
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
