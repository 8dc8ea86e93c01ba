/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which members take part, and the superblocks that say so.  A change of a role's state is an
 * event.  It is durable when all members that still take part have a superblock with its number
 * of events; until then no write is answered.
 *
 * A superblock goes to one of two slots in turn, so that a torn one leaves the other.  The copy
 * at the end follows when the slots are durable everywhere.
 */
#include "config.h"

#include "internal.h"

#include <string.h>

bool member_takes_io(const struct core *core, unsigned role)
{
    return core->member[role].open;
}

bool member_is_current(const struct core *core, unsigned role)
{
    const enum core_member_state state = core->super.roles[role].state;
    return core->member[role].open && (state == CORE_IN_SYNC || state == CORE_REBUILDING);
}

/* While it is rebuilt, its cursor is ahead of the one in the superblocks. */
bool member_has(const struct core *core, unsigned role, uint64_t stripe)
{
    if (!core->member[role].open)
        return false;
    const struct disk_role *state = &core->super.roles[role];
    const bool live = sync_is_live(core) && core->sync.role == role;
    return state->state == CORE_IN_SYNC ||
           (state->state == CORE_REBUILDING &&
            stripe < (live ? core->sync.cursor : state->cursor));
}

pxa_mask members_current(const struct core *core)
{
    pxa_mask members = 0;
    for (unsigned role = 0; role < core->width; role++)
        if (member_is_current(core, role))
            members |= mask_of(role);
    return members;
}

static bool is_in_sync(const struct core *core, unsigned role)
{
    return core->member[role].open && core->super.roles[role].state == CORE_IN_SYNC;
}

unsigned members_in_sync(const struct core *core)
{
    unsigned count = 0;
    for (unsigned role = 0; role < core->width; role++)
        count += is_in_sync(core, role);
    return count;
}

/* A member whose rebuild has just ended does not count before the superblocks say so: after a
   crash they would take it for one that is being rebuilt. */
bool member_can_go(const struct core *core, unsigned role)
{
    const unsigned last = core->sync.role;
    unsigned others = members_in_sync(core) - is_in_sync(core, role);
    if (last != role && sync_is_live(core) && is_in_sync(core, last))
        others--;
    return others >= core->super.data;
}

static void die(struct core *core)
{
    core->dead = true;
    task_wake_all(core, &core->config.waiters);
    task_wake_all(core, &core->map.waiters);
    epochs_abort(core);
}

/* A member that fails while its place is being prepared has no state yet that changes. */
void member_fail(struct core *core, unsigned role)
{
    struct disk_role *state = &core->super.roles[role];
    const bool current = member_is_current(core, role);
    core->member[role].open = false;
    core->member[role].serial = ++core->serials;
    if (!current)
        return;
    core->super.events++;
    state->cursor = state->state == CORE_IN_SYNC;
    state->state = CORE_FAILED;
    state->left = core->super.events;
    state->log_chain = core->config.durable_sequence;
    regions_lose(core);
    core->config.wanted = true;
    if (members_in_sync(core) < core->super.data)
        die(core);
}

void member_failed(struct core *core, const struct io *io)
{
    if (io->error != 0 && io->core != NULL && core->member[io->role].serial == io->serial &&
        core->member[io->role].open)
        member_fail(core, io->role);
}

/* ------------------------------------------------------------- superblocks -- */

bool config_is_durable(const struct core *core)
{
    return core->config.durable_events == core->super.events;
}

void config_wait(struct core *core, struct task *task)
{
    task_queue_up(&core->config.waiters, task);
}

uint64_t config_sequence(const struct core *core)
{
    return core->super.sequence > core->config.newest_page ? core->super.sequence
                                                           : core->config.newest_page;
}

void config_saw_page(struct core *core, uint64_t sequence)
{
    if (sequence > core->config.newest_page)
        core->config.newest_page = sequence;
}

/* The slot is the one that does not have the last superblock. */
static uint64_t next_sequence(const struct core *core)
{
    const uint64_t next = config_sequence(core) + 1;
    return next + ((next ^ core->super.sequence ^ 1) & 1);
}

/* What this round writes: a later checkpoint cannot change it. */
static void begin_round(struct core *core)
{
    struct config *config = &core->config;
    config->wanted = false;
    config->events = core->super.events;
    config->writing = config->next;
    core->super.sequence = next_sequence(core);
    core->super.tail = config->writing.tail;
    if (core->assembled && core->epochs.last_committed > core->super.committed)
        core->super.committed = core->epochs.last_committed;
    for (unsigned role = 0; role < core->width; role++) {
        core->super.roles[role].log_start = config->writing.start[role];
        if (core->super.roles[role].state != CORE_FAILED)
            core->super.roles[role].log_chain = config->writing.chain[role];
    }
    if (sync_is_live(core))
        core->super.roles[core->sync.role].cursor = config->writing.cursor;
}

static void write_supers(struct core *core, struct task *task, unsigned place)
{
    struct config *config = &core->config;
    for (unsigned role = 0; role < core->width; role++) {
        uint8_t *block = config->buffer + (size_t)role * CORE_BLOCK;
        const struct core_member *device = &core->member[role].device;
        config->io[role].error = 0;
        if (!member_is_current(core, role))
            continue;
        core->super.place = place;
        core->super.role = role;
        memcpy(core->super.member_uuid, core->super.roles[role].uuid, 16);
        disk_super_put(block, &core->super);
        io_write(core, task, &config->io[role], role,
                 disk_super_at(place, device->calls->size(device->self)), CORE_BLOCK, block,
                 true);
    }
}

/* Returns whether all members have what was written. */
static bool check_all(struct core *core)
{
    for (unsigned role = 0; role < core->width; role++)
        member_failed(core, &core->config.io[role]);
    return core->config.events == core->super.events;
}

/* What was written is durable now. */
static void end_round(struct core *core)
{
    struct config *config = &core->config;
    config->durable_events = config->events;
    config->durable_sequence = core->super.sequence;
    config->served = config->writing.ticket;
    core->tail = config->writing.tail;
    for (unsigned role = 0; role < core->width; role++)
        core->member[role].start = config->writing.start[role];
    task_wake_all(core, &config->waiters);
}

uint64_t config_request(struct core *core)
{
    core->config.wanted = true;
    return ++core->config.next.ticket;
}

static bool write_config(struct core *core, struct task *task)
{
    struct config *config = &core->config;
    TASK_BEGIN(task);
    do {
        begin_round(core);
        write_supers(core, task, core->super.sequence & 1);
        TASK_WAIT(task);
        if (!check_all(core))
            continue;
        write_supers(core, task, 2);
        TASK_WAIT(task);
        if (check_all(core))
            end_round(core);
    } while (!core->dead && !config_is_durable(core));
    config->running = false;
    TASK_END(task);
}

bool config_drive(struct core *core)
{
    struct config *config = &core->config;
    if (!config->wanted || config->running || core->dead)
        return false;
    config->running = true;
    task_start(core, &config->task, write_config);
    return true;
}
