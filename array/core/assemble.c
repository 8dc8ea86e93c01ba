/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Assembling, stage by stage:
 *
 *   1. The superblocks are read, and say who is current.
 *   2. The logs are read, and made durable as they were read.  A member whose log is damaged
 *      fails.
 *   3. Who is missing is failed, and the others' superblocks say so durably.  Only then may
 *      anything go into place: a member that is missing now must not count later.
 *   4. The region map is read, and made equal on all members.
 *   5. The log is replayed.
 *   6. A checkpoint makes that durable, and begins an empty log.  Epochs that were dropped have
 *      numbers below its tail, so they never count again.
 */
#include "config.h"

#include "assemble.h"

#include "why.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void assembly_destroy(struct job *job)
{
    struct assembly *assembly = (struct assembly *)job;
    free(assembly->blocks);
    replay_destroy(&assembly->replay);
}

/* ------------------------------------------------------------ superblocks -- */

static bool is_usable(const struct core_member *device)
{
    return device->calls != NULL && device->calls->size(device->self) >= 8 * CORE_BLOCK &&
           device->calls->size(device->self) <= PXA_MAX_MEMBER_SIZE;
}

static int prepare(struct core *core, struct assembly *assembly)
{
    struct pxr_error *why = &assembly->job.why;
    if (core->assembled || core->jobs->next != NULL)
        return pxa_because(why, PXR_EINVAL, "the core is in use");
    if (assembly->count > PXA_MAX_MEMBERS)
        return pxa_because(why, PXR_EINVAL, "%u members are given, but an array has at most %d",
                           assembly->count, PXA_MAX_MEMBERS);
    core->dead = core->stopping = false;
    assembly->blocks = malloc((size_t)DISK_PLACES * PXA_MAX_MEMBERS * CORE_BLOCK);
    if (assembly->blocks == NULL)
        return PXR_ENOMEM;
    for (unsigned i = 0; i < assembly->count; i++) {
        assembly->candidate[i].status = PXA_ENONE;
        core->member[i] = (struct member){.device = assembly->devices[i],
                                          .open = is_usable(&assembly->devices[i]),
                                          .serial = ++core->serials};
    }
    return PXR_OK;
}

static uint8_t *place_of(struct assembly *assembly, unsigned device, unsigned place)
{
    return assembly->blocks + ((size_t)device * DISK_PLACES + place) * CORE_BLOCK;
}

static void read_supers(struct core *core, struct assembly *assembly)
{
    for (unsigned i = 0; i < assembly->count; i++)
        for (unsigned place = 0; core->member[i].open && place < DISK_PLACES; place++)
            io_read(core, &assembly->job.task, &assembly->io[i * DISK_PLACES + place], i,
                    disk_super_at(place,
                                  assembly->devices[i].calls->size(assembly->devices[i].self)),
                    CORE_BLOCK, place_of(assembly, i, place));
}

static void take_supers(struct core *core, struct assembly *assembly, unsigned i)
{
    struct candidate *candidate = &assembly->candidate[i];
    const struct core_member *device = &assembly->devices[i];
    struct disk_super super;
    for (unsigned place = 0; core->member[i].open && place < DISK_PLACES; place++) {
        if (assembly->io[i * DISK_PLACES + place].error != 0)
            continue;
        const int here = disk_super_check(place_of(assembly, i, place), place,
                                          device->calls->size(device->self), &super);
        candidate->status = disk_super_join(candidate->status, &candidate->super, here, &super);
    }
}

/* Puts the devices into their roles.  The newest superblock says where all logs begin: it was
   written when everything before that was in place on all members. */
static void seat(struct core *core, struct assembly *assembly)
{
    for (unsigned i = 0; i < PXA_MAX_MEMBERS; i++)
        core->member[i] = (struct member){.serial = ++core->serials};
    for (unsigned role = 0; role < core->width; role++) {
        const int device = assembly->chosen.device[role];
        if (device < 0)
            continue;
        const struct disk_role *state = &core->super.roles[role];
        struct member *member = &core->member[role];
        member->device = assembly->devices[device];
        member->open = true;
        member->head = member->start = core->config.next.start[role] = state->log_start;
        member->chain = core->config.next.chain[role] = state->log_chain;
    }
    core->tail = core->config.next.tail = core->super.tail;
    core->config.durable_events = core->super.events;
}

static int choose(struct core *core, struct assembly *assembly)
{
    struct pxr_error *why = &assembly->job.why;
    for (unsigned i = 0; i < assembly->count; i++)
        take_supers(core, assembly, i);
    int status =
        candidates_choose(assembly->candidate, assembly->count, &assembly->chosen, why);
    if (status == PXR_OK)
        status = candidates_check_features(assembly->candidate, assembly->count, why);
    if (status != PXR_OK)
        return status;
    core->super = assembly->candidate[assembly->chosen.newest].super;
    status = core_open_array(core, why);
    if (status != PXR_OK)
        return status;
    seat(core, assembly);
    struct replay *replay = &assembly->replay;
    replay->scratch = malloc((size_t)(1 + core->epochs.most) * CORE_BLOCK);
    replay->io = calloc(core->epochs.most + 1, sizeof *replay->io);
    replay->piece = calloc(core->epochs.most + 1, sizeof *replay->piece);
    return replay->scratch == NULL || replay->io == NULL || replay->piece == NULL ? PXR_ENOMEM
                                                                                  : PXR_OK;
}

/* ----------------------------------------------------------------- members -- */

/*
 * What was read is not durable if the process crashed that wrote it, and not the machine.
 * Nothing may go into place because of a segment that a crash now would take away.
 */
static void flush_current(struct core *core, struct assembly *assembly)
{
    for (unsigned role = 0; role < core->width; role++) {
        assembly->io[role].error = 0;
        if (member_is_current(core, role))
            io_flush(core, &assembly->job.task, &assembly->io[role], role);
    }
}

static void check_flushed(struct core *core, const struct assembly *assembly)
{
    for (unsigned role = 0; role < core->width; role++)
        member_failed(core, &assembly->io[role]);
}

static void fail_missing(struct core *core)
{
    for (unsigned role = 0; role < core->width; role++) {
        struct disk_role *state = &core->super.roles[role];
        if (core->member[role].open || state->state == CORE_FAILED)
            continue;
        core->super.events++;
        state->cursor = state->state == CORE_IN_SYNC;
        state->state = CORE_FAILED;
        state->left = core->super.events;
        state->log_chain = 0; /* which superblocks it had is not known */
    }
}

/*
 * Decides how far the log goes.  Whoever lacks a committed epoch fails.  That it goes so far
 * becomes durable: a replay may write over what an epoch has in place, so after a crash the
 * epoch could look torn.
 */
static int decide(struct core *core, struct assembly *assembly)
{
    struct replay *replay = &assembly->replay;
    if (core->dead)
        return PXA_EIO;
    if (replay->no_memory)
        return PXR_ENOMEM;
    const pxa_mask damaged = replay_decide(replay, members_current(core), core->super.data,
                                           core->tail, core->super.committed);
    for (pxa_mask left = damaged; left != 0; left &= left - 1)
        member_fail(core, mask_first(left));
    if (damaged != 0 && !core->dead)
        (void)replay_decide(replay, members_current(core), core->super.data, core->tail,
                            core->super.committed);
    if (core->dead || replay->gap)
        return pxa_because(&assembly->job.why, PXA_EDAMAGED,
                           "the log of a committed epoch after %" PRIu64
                           " is missing on too many members",
                           replay->last);
    fail_missing(core);
    core->super.committed = replay->last;
    assembly->ticket = config_request(core);
    return PXR_OK;
}

/*
 * The log is empty now: it begins behind what was read, and with a new epoch.  Of an epoch that
 * was torn on all members not even the number is known, so the new one may have its number and
 * its place.  So that their segments never are taken for each other, the new ones follow a
 * chain value that no log had before.
 */
static void begin_log(struct core *core, const struct assembly *assembly)
{
    struct epochs *epochs = &core->epochs;
    epochs->last_written = epochs->last_committed = epochs->last_placed =
        assembly->replay.highest;
    for (unsigned role = 0; role < core->width; role++) {
        core->member[role].placed = core->member[role].head;
        core->member[role].chain = core->member[role].placed_chain = core->super.sequence;
    }
    core->replayed = assembly->replay.last + 1 - core->tail;
    core->dropped = assembly->replay.dropped;
}

/* -------------------------------------------------------------- the stages -- */

static void run_child(struct core *core, struct assembly *assembly, task_step *step)
{
    assembly->job.task.pending++;
    task_start(core, &assembly->child, step);
}

/* Memory is freed when nothing is under way that uses it. */
static bool give_up(struct core *core, struct task *task)
{
    struct assembly *assembly = (struct assembly *)task;
    TASK_BEGIN(task);
    task_queue_up(&core->idle, task);
    TASK_WAIT(task);
    core_close_array(core);
    return job_end(core, &assembly->job, assembly->status);
    TASK_END(task);
}

/* The task goes on with give_up(). */
static bool fail(struct core *core, struct assembly *assembly, int status)
{
    assembly->status = status;
    assembly->job.task.step = give_up;
    assembly->job.task.line = 0;
    return give_up(core, &assembly->job.task);
}

static bool assemble(struct core *core, struct task *task)
{
    struct assembly *assembly = (struct assembly *)task;
    int status;
    TASK_BEGIN(task);
    status = prepare(core, assembly);
    if (status != PXR_OK)
        return job_end(core, &assembly->job, status);
    read_supers(core, assembly);
    TASK_WAIT(task);
    status = choose(core, assembly);
    if (status != PXR_OK)
        return fail(core, assembly, status);
    run_child(core, assembly, scan_step);
    TASK_WAIT(task);
    flush_current(core, assembly);
    TASK_WAIT(task);
    check_flushed(core, assembly);
    status = decide(core, assembly);
    if (status != PXR_OK)
        return fail(core, assembly, status);
    while (!core->dead && core->config.served < assembly->ticket) {
        config_wait(core, task);
        TASK_WAIT(task);
    }
    run_child(core, assembly, map_step);
    TASK_WAIT(task);
    if (assembly->status == PXR_OK)
        run_child(core, assembly, replay_step);
    TASK_WAIT(task);
    if (assembly->status == PXR_OK && !core->dead) {
        begin_log(core, assembly);
        checkpoint_want(core, task);
    }
    TASK_WAIT(task);
    if (assembly->status != PXR_OK || core->dead)
        return fail(core, assembly, core->dead ? PXA_EIO : assembly->status);
    core->assembled = true;
    return job_end(core, &assembly->job, PXR_OK);
    TASK_END(task);
}

void core_assemble(struct core *core, const struct core_member *members, unsigned count,
                   core_job_done *done, void *token)
{
    struct assembly *assembly = job_make(core, sizeof *assembly, done, token);
    if (assembly == NULL)
        return;
    assembly->job.destroy = assembly_destroy;
    assembly->count = count;
    for (unsigned i = 0; i < count && i < PXA_MAX_MEMBERS; i++)
        assembly->devices[i] = members[i];
    job_start(core, &assembly->job, assemble);
}
