/* SPDX-License-Identifier: BSD-3-Clause */
/* The stages of an assembly that read members: their logs, and the region map. */
#include "config.h"

#include "assemble.h"

#include "bytes.h"
#include "why.h"

#include <inttypes.h>

/* -------------------------------------------------------------------- log -- */

/*
 * Whether the blocks of a segment that are in the ring are right, or those that are in place
 * and could be read.  They were read one behind the other.
 */
static bool sums_are_right(const struct core *core, const struct replay *replay, bool in_place)
{
    const struct disk_segment *segment = &replay->segment;
    const uint8_t *bytes = replay->scratch;
    if (in_place)
        bytes += (size_t)disk_segment_blocks(segment) * CORE_BLOCK;
    for (unsigned i = 0; i < segment->count; i++) {
        const struct disk_entry *entry = &segment->entry[i];
        if (in_place ? !disk_entry_is_placed(entry) : entry->in_place)
            continue;
        bytes += CORE_BLOCK;
        if (!(in_place && replay->io[1 + i].error != 0) &&
            !disk_sum_matches(entry->sum, core->super.uuid, segment->role, entry->block, bytes))
            return false;
    }
    return true;
}

/* Reads the blocks of a segment that are in the ring. */
static void read_ring(struct core *core, struct assembly *assembly)
{
    struct replay *replay = &assembly->replay;
    const unsigned blocks = disk_segment_blocks(&replay->segment);
    replay->ios = blocks > 0;
    if (blocks > 0)
        io_read(core, &assembly->child, &replay->io[0], assembly->role,
                log_at(core, assembly->position + 1), (size_t)blocks * CORE_BLOCK,
                replay->scratch + CORE_BLOCK);
}

/* Reads those that are in place, behind the others; or, each alone, those of runs that have
   failed. */
static void read_places(struct core *core, struct assembly *assembly, bool again)
{
    struct replay *replay = &assembly->replay;
    const struct disk_segment *segment = &replay->segment;
    struct run run = {.core = core, .task = &assembly->child, .piece = replay->piece};
    uint8_t *bytes = replay->scratch + (size_t)disk_segment_blocks(segment) * CORE_BLOCK;
    for (unsigned i = 0; i < segment->count; i++) {
        struct io *io = &replay->io[1 + i];
        if (!disk_entry_is_placed(&segment->entry[i]))
            continue;
        bytes += CORE_BLOCK;
        if (again && (io->error == 0 || !io->shared))
            continue;
        run_add(&run, io, assembly->role, block_at(core, segment->entry[i].block), bytes);
        if (again)
            run_end(&run);
    }
    run_end(&run);
}

/* Whether all of these reads or writes have succeeded.  Otherwise the member fails. */
static bool have_succeeded(struct core *core, const struct replay *replay)
{
    bool all = true;
    for (unsigned i = 0; i < replay->ios; i++) {
        member_failed(core, &replay->io[i]);
        all = all && replay->io[i].error == 0;
    }
    return all;
}

/* What the next segment of this member must say. */
static void expect(const struct core *core, struct assembly *assembly)
{
    struct disk_segment *segment = &assembly->replay.segment;
    assembly->position = segment_place(core, core->member[assembly->role].head);
    segment->role = assembly->role;
    segment->uuid = core->super.uuid;
    segment->position = assembly->position;
    segment->previous = core->member[assembly->role].chain;
}

static bool entries_are_possible(const struct core *core, const struct disk_segment *segment)
{
    for (unsigned i = 0; i < segment->count; i++)
        if (segment->entry[i].block >= core->super.layout.stripes * core->stripe_rows)
            return false;
    return true;
}

static bool take_header(const struct core *core, struct assembly *assembly, uint64_t *chain)
{
    struct disk_segment *segment = &assembly->replay.segment;
    return disk_segment_get(assembly->replay.scratch, segment, chain) == PXR_OK &&
           segment->epoch > assembly->last && segment->count <= core->epochs.most &&
           assembly->walked + 1 + disk_segment_blocks(segment) <
               core->super.layout.log_blocks &&
           entries_are_possible(core, segment);
}

static void take_segment(struct core *core, struct assembly *assembly)
{
    struct member *member = &core->member[assembly->role];
    const struct disk_segment *segment = &assembly->replay.segment;
    uint64_t chain;
    (void)take_header(core, assembly, &chain);
    assembly->last = segment->epoch;
    assembly->walked += 1 + disk_segment_blocks(segment);
    member->head =
        (assembly->position + 1 + disk_segment_blocks(segment)) % core->super.layout.log_blocks;
    member->chain = chain;
    replay_add(&assembly->replay, segment, !sums_are_right(core, &assembly->replay, true));
    for (unsigned i = 0; i < segment->count; i++) {
        const struct unread unread = {segment->epoch, segment->entry[i].block, segment->role};
        if (disk_entry_is_placed(&segment->entry[i]) && assembly->replay.io[1 + i].error != 0)
            replay_add_unread(&assembly->replay, &unread);
    }
}

/* A member whose log cannot be read fails; what it lacks is on the others.  A block in place
   that cannot be read is one bad block of its row. */
bool scan_step(struct core *core, struct task *task)
{
    struct assembly *assembly = assembly_of(task);
    struct replay *replay = &assembly->replay;
    uint64_t chain;
    TASK_BEGIN(task);
    for (assembly->role = 0; assembly->role < core->width; assembly->role++) {
        assembly->last = assembly->walked = 0;
        while (member_is_current(core, assembly->role) && !core->dead) {
            expect(core, assembly);
            io_read(core, task, &replay->io[0], assembly->role,
                    log_at(core, assembly->position), CORE_BLOCK, replay->scratch);
            TASK_WAIT(task);
            member_failed(core, &replay->io[0]);
            if (replay->io[0].error != 0 || !take_header(core, assembly, &chain))
                break;
            read_ring(core, assembly);
            TASK_WAIT(task);
            if (!have_succeeded(core, replay) || !sums_are_right(core, replay, false))
                break;
            read_places(core, assembly, false);
            TASK_WAIT(task);
            read_places(core, assembly, true);
            TASK_WAIT(task);
            take_segment(core, assembly);
        }
    }
    task_wake(core, &assembly->job.task);
    TASK_END(task);
}

/* ----------------------------------------------------------------- replay -- */

/* Puts the blocks of a segment that are in the ring into place. */
static void place_blocks(struct core *core, struct task *task, struct replay *replay)
{
    const struct disk_segment *segment = &replay->segment;
    struct run run = {.core = core, .task = task, .writes = true, .piece = replay->piece};
    uint8_t *bytes = replay->scratch;
    replay->ios = 0;
    for (unsigned i = 0; i < segment->count; i++)
        if (!segment->entry[i].in_place)
            run_add(&run, &replay->io[replay->ios++], segment->role,
                    block_at(core, segment->entry[i].block), bytes += CORE_BLOCK);
    run_end(&run);
}

static bool is_to_replay(const struct core *core, const struct replay *replay)
{
    const struct found *found = &replay->found[replay->at];
    return found->epoch >= core->tail && found->epoch <= replay->last &&
           member_is_current(core, found->role);
}

static void expect_again(const struct core *core, struct replay *replay)
{
    const struct found *found = &replay->found[replay->at];
    replay->segment.role = found->role;
    replay->segment.uuid = core->super.uuid;
    replay->segment.position = found->position;
    replay->segment.previous = found->previous;
}

bool replay_step(struct core *core, struct task *task)
{
    struct assembly *assembly = assembly_of(task);
    struct replay *replay = &assembly->replay;
    uint64_t chain;
    TASK_BEGIN(task);
    for (replay->at = 0;
         replay->at < replay->count && !core->dead && assembly->status == PXR_OK;
         replay->at++) {
        if (!is_to_replay(core, replay))
            continue;
        expect_again(core, replay);
        io_read(core, task, &replay->io[0], replay->segment.role,
                log_at(core, replay->segment.position),
                (size_t)(1 + replay->found[replay->at].blocks) * CORE_BLOCK, replay->scratch);
        TASK_WAIT(task);
        if (replay->io[0].error != 0 ||
            disk_segment_get(replay->scratch, &replay->segment, &chain) != PXR_OK ||
            replay->segment.count != replay->found[replay->at].count ||
            !sums_are_right(core, replay, false)) {
            member_fail(core, replay->segment.role);
            continue;
        }
        place_blocks(core, task, replay);
        TASK_WAIT(task);
        (void)have_succeeded(core, replay);
        for (assembly->entry = 0; assembly->entry < replay->segment.count; assembly->entry++) {
            assembly->sums = sums_pin(
                core, replay->segment.entry[assembly->entry].block / core->stripe_rows, task);
            TASK_WAIT(task);
            assembly->status = sums_status(assembly->sums);
            if (assembly->status != PXR_OK)
                break;
            sums_set(core, assembly->sums, replay->segment.role,
                     replay->segment.entry[assembly->entry].block,
                     replay->segment.entry[assembly->entry].sum);
            sums_unpin(assembly->sums);
            region_note(core, replay->segment.entry[assembly->entry].block / core->stripe_rows,
                        replay->segment.epoch);
        }
    }
    task_wake(core, &assembly->job.task);
    TASK_END(task);
}

/* -------------------------------------------------------------------- map -- */

static void read_slots(struct core *core, struct assembly *assembly)
{
    for (unsigned role = 0; role < core->width; role++)
        for (unsigned slot = 0; slot < 2; slot++)
            io_read(core, &assembly->child, &assembly->io[2 * role + slot], role,
                    core->super.layout.map_at + (2 * assembly->page + slot) * CORE_BLOCK,
                    CORE_BLOCK, assembly->blocks + (2 * (size_t)role + slot) * CORE_BLOCK);
}

/* What a member has of a page.  Returns the status of its better slot. */
static int look(const struct core *core, const struct assembly *assembly, unsigned role,
                uint64_t *sequence, const uint8_t **block)
{
    int best = PXA_EDAMAGED;
    *sequence = 0;
    for (unsigned slot = 0; slot < 2; slot++) {
        struct disk_page page = {DISK_MAP, 0, core->super.uuid, assembly->page, 0};
        const uint8_t *bytes = assembly->blocks + (2 * (size_t)role + slot) * CORE_BLOCK;
        if (assembly->io[2 * role + slot].error != 0)
            continue;
        const int status = disk_page_get(bytes, &page, core->super.sequence);
        if (status == PXR_OK && page.sequence > *sequence) {
            *sequence = page.sequence;
            *block = bytes;
            best = PXR_OK;
        } else if (status == PXA_ENONE && best != PXR_OK) {
            best = PXA_ENONE;
        }
    }
    return best;
}

/* Takes the newest page that any member has.  Returns whether one could be read. */
static bool take_page(struct core *core, struct assembly *assembly)
{
    const uint8_t *newest = NULL;
    uint64_t sequence;
    bool any = false;
    for (unsigned role = 0; role < core->width; role++) {
        const uint8_t *block = NULL;
        const int status = look(core, assembly, role, &sequence, &block);
        any = any || status != PXA_EDAMAGED;
        if (sequence <= core->map.sequence[assembly->page])
            continue;
        core->map.sequence[assembly->page] = sequence;
        config_saw_page(core, sequence);
        newest = block;
    }
    for (uint64_t i = 0; newest != NULL && i < DISK_MAP_ENTRIES; i++) {
        const uint64_t region = assembly->page * DISK_MAP_ENTRIES + i;
        if (region < core->map.count)
            core->map.generation[region] = get(newest + DISK_PAGE_HEADER + i * 8, 8);
    }
    return any;
}

/* Members that lack the newest page get it, before their older ones are written over. */
static void heal_page(struct core *core, struct assembly *assembly)
{
    uint64_t sequence;
    const uint8_t *block;
    pxa_mask lacking = 0;
    for (unsigned role = 0; role < core->width; role++) {
        (void)look(core, assembly, role, &sequence, &block);
        if (sequence != core->map.sequence[assembly->page])
            lacking |= mask_of(role);
    }
    region_page_make(core, assembly->page, core->map.page);
    for (unsigned role = 0; role < core->width; role++) {
        assembly->io[role].error = 0;
        if (mask_has(lacking, role))
            io_write(core, &assembly->child, &assembly->io[role], role,
                     region_page_at(core, assembly->page), CORE_BLOCK, core->map.page, true);
    }
}

bool map_step(struct core *core, struct task *task)
{
    struct assembly *assembly = assembly_of(task);
    TASK_BEGIN(task);
    for (assembly->page = 0; assembly->page < core->super.layout.map_pages; assembly->page++) {
        read_slots(core, assembly);
        TASK_WAIT(task);
        if (!take_page(core, assembly)) {
            assembly->status =
                pxa_because(&assembly->job.why, PXA_EDAMAGED,
                            "no member has page %" PRIu64 " of the region map", assembly->page);
            break;
        }
        heal_page(core, assembly);
        TASK_WAIT(task);
        for (unsigned role = 0; role < core->width; role++)
            member_failed(core, &assembly->io[role]);
    }
    task_wake(core, &assembly->job.task);
    TASK_END(task);
}
