/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The region map.  A region is a range of all members that is as long on each.  Its generation
 * is 0 until something is written to it: its blocks are zeros then, whatever is on the members.
 * Before the first write the region is zeroed on all members, durably, and then its generation
 * is written to all of them, durably.  A crash between these leaves it unwritten.  A member
 * that has failed is not zeroed, so the superblocks have to say that it has failed before the
 * map says that the region is written.
 *
 * Afterwards a generation grows only when the region is written to while a member is away that
 * left after it.  So a member that comes back lacks just the regions whose generation is not
 * older than its leaving.  What the log still has from before that is written again, too, since
 * the member may not have it in place.  A checkpoint makes the new generations durable before
 * it moves the tail; before that, replay finds them in the log.
 */
#include "config.h"

#include "internal.h"

#include "bytes.h"

#include <string.h>

uint64_t region_of(const struct core *core, uint64_t stripe)
{
    return stripe * core->super.chunk / core->super.region;
}

bool region_is_written(const struct core *core, uint64_t stripe)
{
    return core->map.generation[region_of(core, stripe)] != 0;
}

/* While a region is being made ready its generation may be on its way to the members.  What a
   crash found in the log then would go into place in a region that counts as unwritten, and the
   first write to the region would zero it. */
bool region_is_ready(const struct core *core, uint64_t stripe)
{
    return region_is_written(core, stripe) && core->map.making != region_of(core, stripe);
}

/* ------------------------------------------------------------ generations -- */

bool region_is_newer(const struct core *core, uint64_t stripe, uint64_t left)
{
    return region_is_written(core, stripe) &&
           core->map.generation[region_of(core, stripe)] >= left;
}

/* The last time that a member left which is not in sync yet. */
static uint64_t last_leaving(const struct core *core)
{
    uint64_t last = 0;
    for (unsigned role = 0; role < core->width; role++) {
        const struct disk_role *state = &core->super.roles[role];
        if (state->state != CORE_IN_SYNC && state->left > last)
            last = state->left;
    }
    return last;
}

static void renew(struct core *core, uint64_t region, uint64_t last)
{
    struct region_map *map = &core->map;
    if (map->generation[region] == 0 || map->generation[region] >= last)
        return;
    map->generation[region] = core->super.events;
    map->dirty[region / DISK_MAP_ENTRIES] = true;
}

void region_touch(struct core *core, uint64_t stripe)
{
    renew(core, region_of(core, stripe), last_leaving(core));
}

void region_note(struct core *core, uint64_t stripe, uint64_t epoch)
{
    core->map.touched[region_of(core, stripe)] = epoch;
    region_touch(core, stripe);
}

void regions_lose(struct core *core)
{
    const uint64_t last = last_leaving(core);
    for (uint64_t region = 0; core->map.touched != NULL && region < core->map.count; region++)
        if (core->map.touched[region] >= core->tail)
            renew(core, region, last);
}

/* ------------------------------------------------------------------ pages -- */

/* A page of the map goes to its slots in turn, by its sequence. */
static uint64_t slot_at(const struct core *core, uint64_t page, uint64_t sequence)
{
    return core->super.layout.map_at + (2 * page + (sequence & 1)) * CORE_BLOCK;
}

uint64_t region_page_at(const struct core *core, uint64_t page)
{
    return slot_at(core, page, core->map.sequence[page]);
}

uint64_t region_other_page_at(const struct core *core, uint64_t page)
{
    return slot_at(core, page, core->map.sequence[page] + 1);
}

void region_page_make(const struct core *core, uint64_t page, uint8_t *block)
{
    const struct disk_page is = {DISK_MAP, 0, core->super.uuid, page, core->map.sequence[page]};
    memset(block, 0, CORE_BLOCK);
    for (uint64_t i = 0; i < DISK_MAP_ENTRIES; i++) {
        const uint64_t region = page * DISK_MAP_ENTRIES + i;
        if (region < core->map.count)
            put(block + DISK_PAGE_HEADER + i * 8, core->map.generation[region], 8);
    }
    disk_page_put(block, &is);
}

void region_page_write(struct core *core, struct task *task, uint64_t page)
{
    struct region_map *map = &core->map;
    map->running = map->writing = true;
    map->dirty[page] = false;
    map->sequence[page]++;
    map->version++;
    region_page_make(core, page, map->page);
    for (unsigned role = 0; role < core->width; role++)
        io_write(core, task, &map->io[role], role, region_page_at(core, page), CORE_BLOCK,
                 map->page, true);
}

static void check_all(struct core *core)
{
    for (unsigned role = 0; role < core->width; role++)
        member_failed(core, &core->map.io[role]);
}

void region_page_written(struct core *core)
{
    check_all(core);
    core->map.running = core->map.writing = false;
    task_wake_all(core, &core->map.waiters);
}

/* ---------------------------------------------------------- the first write -- */

static void zero_everywhere(struct core *core, struct task *task)
{
    struct region_map *map = &core->map;
    const uint64_t begin = map->making * core->super.region;
    const uint64_t end = core->super.layout.stripes * core->super.chunk;
    const uint64_t len = end - begin < core->super.region ? end - begin : core->super.region;
    for (unsigned role = 0; role < core->width; role++)
        io_zero(core, task, &map->io[role], role, core->super.layout.data_at + begin, len);
}

static bool make_ready(struct core *core, struct task *task)
{
    struct region_map *map = &core->map;
    const uint64_t page = map->making / DISK_MAP_ENTRIES;
    TASK_BEGIN(task);
    zero_everywhere(core, task);
    TASK_WAIT(task);
    check_all(core);
    for (unsigned role = 0; role < core->width; role++)
        io_flush(core, task, &map->io[role], role);
    TASK_WAIT(task);
    check_all(core);
    while (!core->dead && !config_is_durable(core)) {
        config_wait(core, task);
        TASK_WAIT(task);
    }
    if (!core->dead) {
        map->generation[map->making] = core->super.events;
        region_page_write(core, task, page);
    }
    TASK_WAIT(task);
    map->making = map->count;
    region_page_written(core);
    TASK_END(task);
}

/* Parts that want another region than the one that is being made ready ask again later. */
void region_want(struct core *core, uint64_t stripe, struct task *task)
{
    struct region_map *map = &core->map;
    task_queue_up(&map->waiters, task);
    if (map->running || map->held)
        return;
    map->running = true;
    map->making = region_of(core, stripe);
    task_start(core, &map->task, make_ready);
}
