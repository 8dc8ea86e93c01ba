/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim_crash.h"

#include "sim_verify.h"

#include <inttypes.h>
#include <string.h>

/* ----------------------------------------------------------------- fates -- */

/* How the fates of one crash are chosen. */
struct fates {
    struct dice *dice;
    uint64_t bits;  /* by write, if `exact` */
    unsigned used;  /* writes of the members before */
    bool exact;     /* each write is there or not, by its bit */
    unsigned whole; /* otherwise: the percentage of writes that are there */
    unsigned torn;  /* and of the others, the percentage that is there in part */
};

static enum sim_fate choose(void *context, unsigned number)
{
    const struct fates *fates = context;
    if (fates->exact)
        return fates->bits >> (fates->used + number) & 1 ? SIM_WHOLE : SIM_NOT;
    if (dice_percent(fates->dice, fates->whole))
        return SIM_WHOLE;
    if (!dice_percent(fates->dice, fates->torn))
        return SIM_NOT;
    return dice_percent(fates->dice, 50) ? SIM_PREFIX : SIM_SECTORS;
}

static unsigned width(const struct sim_world *world)
{
    return world->setup->k + world->setup->m;
}

/* What all disks hold after a crash. */
static void crash_disks(struct sim_world *world, struct fates *fates,
                        struct sim_image image[SIM_DISKS])
{
    for (unsigned i = 0; i < SIM_DISKS; i++) {
        if (world->disk[i] == NULL) {
            image[i] = sim_image_copy(&world->away[i]);
            continue;
        }
        image[i] = sim_member_crash(world->disk[i], choose, fates, &world->dice);
        fates->used += sim_member_undecided(world->disk[i]);
    }
    world->tally->states++;
}

static struct fates random_fates(struct sim_world *world, bool torn)
{
    static const unsigned whole[] = {0, 20, 50, 80, 100};
    struct fates fates = {.dice = &world->dice};
    fates.whole = whole[dice_below(&world->dice, sizeof whole / sizeof whole[0])];
    if (torn) {
        fates.whole = fates.whole == 100 ? 90 : fates.whole;
        fates.torn = 60;
    }
    return fates;
}

static void free_images(struct sim_image image[SIM_DISKS])
{
    for (unsigned i = 0; i < SIM_DISKS; i++)
        sim_image_free(&image[i]);
}

/* ---------------------------------------------------------------- losses -- */

static unsigned count(pxa_mask mask)
{
    return (unsigned)__builtin_popcountll(mask);
}

static pxa_mask bit(unsigned i)
{
    return (pxa_mask)1 << i;
}

/* Members of which nothing is left, or that must not be believed. */
static pxa_mask unusable(const struct sim_world *world)
{
    pxa_mask mask = sim_world_liars(world);
    for (unsigned i = 0; i < width(world); i++)
        if (world->disk[i] == NULL && world->away[i].page == NULL)
            mask |= bit(i);
    return mask;
}

/* Members that the array already does without. */
static pxa_mask gone(const struct sim_world *world)
{
    return world->out | world->suspect | unusable(world) |
           (world->assembled ? sim_world_out(world) : 0);
}

/* Members with faults, or that take no part now. */
static pxa_mask unsound(const struct sim_world *world)
{
    return world->suspect | unusable(world) | sim_world_out(world);
}

/* A random set of members to lose.  Of those that are gone, some come back. */
static pxa_mask random_loss(struct sim_world *world)
{
    const pxa_mask missing = gone(world);
    pxa_mask lost = missing & (unusable(world) | dice_next(&world->dice));
    for (size_t more = dice_below(&world->dice, world->setup->m + 1); more > 0; more--) {
        const pxa_mask one = bit((unsigned)dice_below(&world->dice, width(world)));
        if (count(lost | one | missing) <= world->setup->m)
            lost |= one;
    }
    return lost;
}

/* -------------------------------------------------------------- assembly -- */

static void try_once(struct sim_world *world, const struct sim_effort *effort);

/* A write of the replay was answered. */
static void replay_event(struct sim_world *world, const void *context)
{
    const struct sim_effort *effort = context;
    if (dice_percent(&world->dice, effort->replay))
        try_once(world, effort);
}

/* Makes a world of what is left of another one.  If only the process was killed, the disks that
   are not lost keep their caches. */
static struct sim_world *make_rest(struct sim_world *world,
                                   const struct sim_image image[SIM_DISKS], pxa_mask lost,
                                   bool killed)
{
    struct sim_world *rest = sim_world_new(world->setup, dice_next(&world->dice));
    sim_model_free(&rest->model);
    rest->model = sim_model_copy(&world->model);
    rest->model.oldest_read = UINT64_MAX;
    rest->depth = world->depth + 1;
    rest->unread = true;
    rest->suspect = world->suspect;
    rest->damaged = world->damaged;
    rest->tables = world->tables;
    rest->liars = sim_world_liars(world);
    rest->out = gone(world) | lost;
    for (unsigned i = 0; i < width(world); i++)
        if (lost & bit(i))
            rest->away[i] = sim_image_copy(&image[i]);
        else if (killed && world->disk[i] != NULL)
            sim_world_keep(rest, i, world->disk[i]);
        else
            sim_world_add(rest, i, sim_image_copy(&image[i]));
    return rest;
}

/*
 * Makes a world of what is left of another one, assembles it, and reads it.  If `effort` is not
 * NULL, there are more crashes during that.  A member that comes back may look as if it had
 * been changed without the others; then the array may be refused, and goes without it.
 */
static struct sim_world *revive(struct sim_world *world,
                                const struct sim_image image[SIM_DISKS], pxa_mask lost,
                                const struct sim_effort *effort)
{
    struct sim_world *rest = make_rest(world, image, lost, effort != NULL && effort->killed);
    sim_note(world->tally, "%u: crash; lost %" PRIx64 ", gone %" PRIx64, world->depth, lost,
             gone(world));
    const pxa_mask back = gone(world) & ~lost;
    rest->tally->losses++;
    rest->event = effort != NULL ? replay_event : NULL;
    rest->context = effort;
    const int status = sim_world_assemble(rest);
    if (status == PXA_EREFUSED && back != 0 && !rest->broken) {
        rest->tally->refusals++;
        sim_world_free(rest);
        return revive(world, image, lost | back, effort);
    }
    if (status == PXR_OK)
        sim_world_read_all(rest);
    else if (!rest->broken)
        sim_world_wrong(rest, "no assembly", rest->why);
    rest->event = NULL;
    return rest;
}

/* Whatever is lost after the orderly end, the blocks have to be the same. */
static void try_stop(struct sim_world *world)
{
    struct sim_image image[SIM_DISKS];
    struct fates all = {.dice = &world->dice, .whole = 100};
    const pxa_mask sound = (bit(width(world)) - 1) & ~unsound(world);
    sim_world_stop(world);
    if (!world->broken)
        sim_verify(world, sound);
    if (world->broken)
        return;
    crash_disks(world, &all, image);
    struct sim_world *rest = revive(world, image, random_loss(world), NULL);
    world->broken |= rest->broken;
    sim_world_free(rest);
    free_images(image);
}

/* One set of lost members after a crash.  Only after the `first` crash there is another one. */
static void try_loss(struct sim_world *world, const struct sim_image image[SIM_DISKS],
                     pxa_mask lost, bool first, const struct sim_effort *effort)
{
    struct sim_world *rest = revive(world, image, lost, first ? effort : NULL);
    if (!rest->broken && first && dice_percent(&rest->dice, effort->stay))
        try_once(rest, effort);
    if (!rest->broken && dice_percent(&rest->dice, effort->stop))
        try_stop(rest);
    world->broken |= rest->broken;
    sim_world_free(rest);
}

/* One random state with one random loss, of a world that has crashed before. */
static void try_once(struct sim_world *world, const struct sim_effort *effort)
{
    struct sim_image image[SIM_DISKS];
    struct fates fates = random_fates(world, dice_percent(&world->dice, 30));
    crash_disks(world, &fates, image);
    world->tally->replays++;
    try_loss(world, image, random_loss(world), false, effort);
    free_images(image);
}

/* ---------------------------------------------------------------- crashes -- */

static void try_losses(struct sim_world *world, const struct sim_image image[SIM_DISKS],
                       const struct sim_effort *effort)
{
    const pxa_mask missing = gone(world), never = unusable(world);
    for (unsigned i = 0; i < effort->losses && !world->broken; i++)
        try_loss(world, image, random_loss(world), true, effort);
    if (effort->losses > 0)
        return;
    for (pxa_mask lost = 0; lost < bit(width(world)) && !world->broken; lost++)
        if (count(lost | missing) <= world->setup->m && (never & ~lost) == 0)
            try_loss(world, image, lost, true, effort);
}

static void try_state(struct sim_world *world, struct fates *fates,
                      const struct sim_effort *effort)
{
    struct sim_image image[SIM_DISKS];
    crash_disks(world, fates, image);
    try_losses(world, image, effort);
    free_images(image);
}

/* Kills the process, with no more than the array already does without. */
static void kill_process(struct sim_world *world, const struct sim_effort *effort)
{
    struct sim_image image[SIM_DISKS];
    struct sim_effort killed = *effort;
    struct fates fates = random_fates(world, false);
    crash_disks(world, &fates, image);
    killed.killed = true;
    world->tally->crashes++;
    try_loss(world, image, unusable(world), true, &killed);
    free_images(image);
}

void sim_crash_try(struct sim_world *world, const struct sim_effort *effort)
{
    unsigned writes = 0;
    for (unsigned i = 0; i < width(world); i++)
        if (world->disk[i] != NULL)
            writes += sim_member_undecided(world->disk[i]);
    const bool all = writes < 20 && 1u << writes <= effort->states;
    const unsigned states = all ? 1u << writes : effort->states;
    const unsigned torn = writes > 0 ? effort->torn : 0;
    world->tally->crashes++;
    for (unsigned i = 0; i < states + torn && !world->broken; i++) {
        struct fates fates = random_fates(world, i >= states);
        fates.exact = all && i < states;
        fates.bits = i;
        try_state(world, &fates, effort);
    }
    if (!world->broken && effort->kill > 0 && dice_percent(&world->dice, effort->kill))
        kill_process(world, effort);
}

struct sim_world *sim_crash_now(struct sim_world *world)
{
    struct sim_image image[SIM_DISKS];
    struct fates fates = random_fates(world, dice_percent(&world->dice, 50));
    crash_disks(world, &fates, image);
    struct sim_world *rest = revive(world, image, random_loss(world), NULL);
    free_images(image);
    sim_world_free(world);
    rest->out = 0; /* the core knows by now */
    return rest;
}
