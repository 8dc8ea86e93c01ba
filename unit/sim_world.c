/* SPDX-License-Identifier: BSD-3-Clause */
/* The array as a whole: its disks, the core, and who is answered next. */
#include "sim_world.h"

#include "sim_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Histories are short.  A core that asks for more without an end does not get anywhere. */
enum { STEPS_MOST = 200000 };

struct job {
    bool ended;
    int status;
    char why[160];
};

struct sim_world *sim_world_new(const struct sim_setup *setup, uint64_t seed)
{
    struct sim_world *world = sim_allocate(sizeof *world);
    world->setup = setup;
    world->tally = setup->tally;
    world->dice = dice_of(seed, 0);
    world->model = sim_model_new(setup->blocks);
    if (core_create(&world->core, &setup->options) != PXR_OK)
        sim_world_wrong(world, "core_create", "failed");
    return world;
}

void sim_world_free(struct sim_world *world)
{
    core_free(world->core);
    while (world->ops != NULL) {
        struct sim_op *op = world->ops;
        world->ops = op->next;
        free(op->buffer);
        free(op);
    }
    for (unsigned i = 0; i < SIM_DISKS; i++)
        sim_world_drop(world, i);
    sim_model_free(&world->model);
    free(world);
}

void sim_world_add(struct sim_world *world, unsigned role, struct sim_image content)
{
    world->disk[role] = sim_allocate(sizeof *world->disk[role]);
    sim_member_make(world->disk[role], content, &world->dice, world->tally);
}

void sim_world_keep(struct sim_world *world, unsigned role, const struct sim_member *disk)
{
    world->disk[role] = sim_allocate(sizeof *world->disk[role]);
    sim_member_kill(disk, world->disk[role], &world->dice);
}

void sim_world_drop(struct sim_world *world, unsigned role)
{
    sim_image_free(&world->away[role]);
    if (world->disk[role] == NULL)
        return;
    sim_member_free(world->disk[role]);
    free(world->disk[role]);
    world->disk[role] = NULL;
}

void sim_world_wrong(struct sim_world *world, const char *kind, const char *detail)
{
    world->broken = true;
    sim_wrong(world->tally, kind, "%s (after %u crashes)", detail, world->depth);
}

/* ---------------------------------------------------------------- steps -- */

static unsigned count_waiting(const struct sim_world *world)
{
    unsigned waiting = 0;
    for (unsigned i = 0; i < SIM_DISKS; i++)
        if (world->disk[i] != NULL)
            waiting += world->disk[i]->waiting.count;
    return waiting;
}

static uint64_t count_writes(const struct sim_world *world)
{
    uint64_t writes = 0;
    for (unsigned i = 0; i < SIM_DISKS; i++)
        if (world->disk[i] != NULL)
            writes += world->disk[i]->writes;
    return writes;
}

/* Returns whether the core says that something is under way. */
static bool turn(struct sim_world *world)
{
    const uint64_t wrong = world->tally->wrong;
    const bool busy = core_turn(world->core);
    const char *fault = core_check(world->core);
    if (fault != NULL)
        sim_world_wrong(world, "core_check", fault);
    if (busy && count_waiting(world) == 0)
        sim_world_wrong(world, "a hang", "the core waits for a member that owes no answer");
    world->broken |= world->tally->wrong != wrong;
    return busy;
}

static void answer_one(struct sim_world *world)
{
    size_t which = dice_below(&world->dice, count_waiting(world));
    for (unsigned i = 0; i < SIM_DISKS; i++) {
        struct sim_member *disk = world->disk[i];
        if (disk == NULL)
            continue;
        if (which < disk->waiting.count) {
            sim_member_answer(disk, (unsigned)which);
            return;
        }
        which -= disk->waiting.count;
    }
}

bool sim_world_step(struct sim_world *world)
{
    const uint64_t writes = count_writes(world);
    if (world->broken)
        return false;
    const bool some = count_waiting(world) > 0;
    if (some)
        answer_one(world);
    turn(world);
    if (count_writes(world) != writes && world->event != NULL && !world->broken)
        world->event(world, world->context);
    return some;
}

bool sim_world_wait(struct sim_world *world, const bool *ended, const char *what)
{
    turn(world);
    for (unsigned steps = 0; !*ended && !world->broken; steps++) {
        if (!sim_world_step(world) && !*ended && !world->broken)
            sim_world_wrong(world, "a hang", what);
        else if (steps == STEPS_MOST)
            sim_world_wrong(world, "a loop without an end", what);
    }
    return !world->broken;
}

void sim_world_finish(struct sim_world *world)
{
    turn(world);
    for (unsigned steps = 0; world->ops != NULL && !world->broken; steps++) {
        if (!sim_world_step(world) && world->ops != NULL && !world->broken)
            sim_world_wrong(world, "a hang", "an operation is not answered");
        else if (steps == STEPS_MOST)
            sim_world_wrong(world, "a loop without an end", "operations");
    }
}

void sim_world_drain(struct sim_world *world)
{
    turn(world);
    for (unsigned steps = 0; sim_world_step(world); steps++)
        if (steps == STEPS_MOST)
            sim_world_wrong(world, "a loop without an end", "without operations");
}

/* Steps until a disk owes no answer. */
static void wait_for_disk(struct sim_world *world, unsigned role)
{
    while (world->disk[role] != NULL && world->disk[role]->waiting.count > 0 &&
           sim_world_step(world))
        continue;
}

/* ----------------------------------------------------------------- jobs -- */

static void job_done(void *token, int status, const char *why)
{
    struct job *job = token;
    job->ended = true;
    job->status = status;
    snprintf(job->why, sizeof job->why, "%s", why);
}

static unsigned handles_of(struct sim_world *world, struct core_member handles[SIM_DISKS])
{
    unsigned count = 0;
    for (unsigned i = 0; i < SIM_DISKS; i++)
        if (world->disk[i] != NULL)
            handles[count++] = (struct core_member){&sim_calls, world->disk[i]};
    return count;
}

static void shuffle(struct dice *dice, struct core_member *handles, unsigned count)
{
    for (unsigned i = count; i > 1; i--) {
        const size_t other = dice_below(dice, i);
        const struct core_member swap = handles[i - 1];
        handles[i - 1] = handles[other];
        handles[other] = swap;
    }
}

int sim_world_format(struct sim_world *world)
{
    struct core_member handles[SIM_DISKS];
    struct job job = {0};
    const unsigned count = handles_of(world, handles);
    core_format(world->core, &world->setup->shape, handles, count, job_done, &job);
    sim_world_wait(world, &job.ended, "core_format()");
    return job.status;
}

int sim_world_assemble(struct sim_world *world)
{
    struct core_member handles[SIM_DISKS];
    struct job job = {0};
    const unsigned count = handles_of(world, handles);
    shuffle(&world->dice, handles, count);
    core_assemble(world->core, handles, count, job_done, &job);
    if (!sim_world_wait(world, &job.ended, "core_assemble()"))
        return PXA_EIO;
    world->assembled = job.status == PXR_OK;
    sim_note(world->tally, "%u: assembled %u disks: status %d %s", world->depth, count,
             job.status, job.why);
    if (!world->assembled)
        snprintf(world->why, sizeof world->why, "status %d: %s", job.status, job.why);
    return job.status;
}

void sim_world_stop(struct sim_world *world)
{
    struct job job = {0};
    world->out |= sim_world_out(world);
    core_stop(world->core, job_done, &job);
    if (sim_world_wait(world, &job.ended, "core_stop()") && job.status != PXR_OK)
        sim_world_wrong(world, "core_stop", job.why);
    world->assembled = false;
}

/* Puts a disk with this content into the place of a role's. */
static bool put_disk(struct sim_world *world, unsigned role, struct sim_image content)
{
    wait_for_disk(world, role);
    if (world->broken) {
        sim_image_free(&content);
        return false;
    }
    sim_world_drop(world, role);
    sim_world_add(world, role, content);
    return true;
}

bool sim_world_replace(struct sim_world *world, unsigned role, struct sim_image content,
                       const uint8_t uuid[16])
{
    struct job job = {0};
    if (!put_disk(world, role, content))
        return false;
    world->tally->changes++;
    sim_note(world->tally, "%u: replaces role %u", world->depth, role);
    core_replace(world->core, role, (struct core_member){&sim_calls, world->disk[role]}, uuid,
                 job_done, &job);
    if (sim_world_wait(world, &job.ended, "core_replace()") && job.status != PXR_OK)
        sim_world_wrong(world, "core_replace", job.why);
    return !world->broken;
}

bool sim_world_readd(struct sim_world *world, unsigned role, struct sim_image content)
{
    struct job job = {0};
    if (!put_disk(world, role, content))
        return false;
    core_readd(world->core, role, (struct core_member){&sim_calls, world->disk[role]}, job_done,
               &job);
    if (!sim_world_wait(world, &job.ended, "core_readd()"))
        return false;
    sim_note(world->tally, "%u: takes back role %u: status %d %s", world->depth, role,
             job.status, job.why);
    if (job.status == PXR_OK) {
        world->tally->changes++;
        world->tally->comebacks++;
        return true;
    }
    if (job.status != PXR_EINVAL && job.status != PXA_EREFUSED)
        sim_world_wrong(world, "core_readd", job.why);
    sim_world_drop(world, role);
    return false;
}

/* Faults of up to m members leave enough of each row. */
static void scrub_done(void *token, int status, const char *why)
{
    struct sim_world *world = token;
    struct core_status now;
    world->scrubbing = false;
    core_status(world->core, &now);
    sim_note(world->tally, "%u: scrub ended, status %d %s, bad %" PRIu64 ", repaired %" PRIu64,
             world->depth, status, why, now.scrub_bad, now.scrub_repaired);
    if (now.scrub_lost != 0 && !world->errors_allowed)
        sim_world_wrong(world, "a scrub", "too little of a row is left");
    if (now.scrub_parity != 0)
        sim_world_wrong(world, "a scrub", "parity is wrong, and its checksum is right");
    if (status != PXR_OK || world->heals == 0)
        return;
    world->heals &= ~sim_world_out(world);
    world->damaged &= ~world->heals;
    world->suspect &= ~world->heals;
    world->tally->healed += (unsigned)__builtin_popcountll(world->heals);
}

void sim_world_scrub(struct sim_world *world, bool repair)
{
    if (world->scrubbing)
        return;
    world->scrubbing = true;
    world->heals = repair ? world->damaged & ~world->tables : 0;
    world->tally->scrubs++;
    sim_note(world->tally, "%u: scrub, %s", world->depth, repair ? "repair" : "check");
    core_scrub(world->core, repair, scrub_done, world);
}

pxa_mask sim_world_out(const struct sim_world *world)
{
    struct core_status status;
    pxa_mask out = 0;
    core_status(world->core, &status);
    for (unsigned i = 0; i < world->setup->k + world->setup->m; i++)
        if (status.state[i] != CORE_IN_SYNC)
            out |= (pxa_mask)1 << i;
    return out;
}

pxa_mask sim_world_liars(const struct sim_world *world)
{
    pxa_mask liars = world->liars;
    for (unsigned i = 0; i < SIM_DISKS; i++)
        if (world->disk[i] != NULL && world->disk[i]->lied)
            liars |= (pxa_mask)1 << i;
    return liars;
}
