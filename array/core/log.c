/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The log ring of a member.  A segment is a header and the blocks that it lists.  Where the
 * next segment begins is known from the one before it: behind it, or at the beginning of the
 * ring if a segment of the greatest length would not fit before the end.  A header also has the
 * checksum of the header before it.  So nothing that lies in the ring by chance, or that a user
 * has written as data, is ever taken for a segment.
 */
#include "config.h"

#include "internal.h"

/* A checkpoint is made after so many rows of which the ring has no blocks: a crash reads again
   those that went directly into place, and a replay keeps the checksums of all in memory. */
enum { MOST_BARE = CORE_SIZE(4096, 3) };

/* The most blocks of a segment: at least three segments fit into any ring. */
unsigned segment_most(uint64_t log_blocks)
{
    const uint64_t most = log_blocks / 4 - 1;
    return most < DISK_SEGMENT_ENTRIES ? (unsigned)most : DISK_SEGMENT_ENTRIES;
}

uint64_t segment_place(const struct core *core, uint64_t at)
{
    const uint64_t blocks = core->super.layout.log_blocks;
    return blocks - at < 1 + segment_most(blocks) ? 0 : at;
}

/* Blocks from `from` on to `to`, around the ring. */
static uint64_t distance(const struct core *core, uint64_t from, uint64_t to)
{
    const uint64_t blocks = core->super.layout.log_blocks;
    return (to + blocks - from) % blocks;
}

/* Whether a segment of `count` blocks fits between a member's head and the start of its log. */
static bool fits(const struct core *core, const struct member *member, unsigned count)
{
    const uint64_t at = segment_place(core, member->head);
    const uint64_t needed = distance(core, member->head, at) + 1 + count;
    const uint64_t used = distance(core, member->start, member->head);
    if (used + needed >= core->super.layout.log_blocks)
        return false;
    return true;
}

static bool log_is_half_full(const struct core *core, const struct member *member)
{
    return distance(core, member->start, member->head) > core->super.layout.log_blocks / 2;
}

/* The members to which the open epoch writes segments; records of others are not logged. */
static pxa_mask settle_records(struct core *core, struct epoch *epoch)
{
    pxa_mask members = 0;
    for (unsigned role = 0; role < core->width; role++)
        epoch->count[role] = epoch->blocks[role] = 0;
    for (struct page *page = epoch->first; page != NULL; page = page->next) {
        const struct member *member = &core->member[page->role];
        page->logged = page->logged && member->serial == page->serial &&
                       member_is_current(core, page->role);
        epoch->count[page->role] += page->logged;
        epoch->blocks[page->role] += page->logged && !page->direct && !page->trimmed;
        if (page->logged)
            members |= mask_of(page->role);
    }
    return members;
}

uint64_t log_at(const struct core *core, uint64_t block)
{
    return core->super.layout.log_at + block * CORE_BLOCK;
}

/* Fills in the entries of a member's header. */
static void list_blocks(const struct core *core, const struct epoch *epoch,
                        struct disk_segment *segment)
{
    for (const struct page *page = epoch->first; page != NULL; page = page->next)
        if (page->logged && page->role == segment->role)
            segment->entry[segment->count++] = (struct disk_entry){
                page_block(core, page), page->sum, page->direct || page->trimmed};
}

/* Writes the header and the blocks behind it to the ring, and the others where they belong. */
static void write_blocks(struct core *core, struct task *task, struct epoch *epoch,
                         const struct disk_segment *segment)
{
    const unsigned role = segment->role;
    uint64_t at = log_at(core, segment->position);
    struct iovec *piece = core->epochs.log_piece + (size_t)role * (1 + core->epochs.most);
    struct run ring = {.core = core, .task = task, .writes = true, .piece = piece};
    struct run direct = ring;
    direct.piece += 1 + epoch->blocks[role];
    run_add(&ring, &epoch->io[role], role, at, epoch->header + (size_t)role * CORE_BLOCK);
    for (struct page *page = epoch->first; page != NULL; page = page->next) {
        if (!page->logged || page->role != role || page->trimmed)
            continue;
        if (page->direct)
            run_add(&direct, &page->io, role, block_at(core, page_block(core, page)),
                    page->bytes);
        else
            run_add(&ring, &page->io, role, at += CORE_BLOCK, page->bytes);
    }
    run_end(&ring);
    run_end(&direct);
}

static void write_segment(struct core *core, struct task *task, struct epoch *epoch,
                          unsigned role)
{
    struct member *member = &core->member[role];
    struct disk_segment segment = {.role = role,
                                   .uuid = core->super.uuid,
                                   .epoch = epoch->number,
                                   .position = segment_place(core, member->head),
                                   .previous = member->chain,
                                   .committed = core->epochs.last_committed,
                                   .members = epoch->members};
    list_blocks(core, epoch, &segment);
    member->chain = disk_segment_put(epoch->header + (size_t)role * CORE_BLOCK, &segment);
    write_blocks(core, task, epoch, &segment);
    member->head = (segment.position + 1 + epoch->blocks[role]) % core->super.layout.log_blocks;
    epoch->end[role] = member->head;
    epoch->chain[role] = member->chain;
}

static bool write_epoch(struct core *core, struct task *task)
{
    struct epoch *epoch = core->epochs.writing;
    TASK_BEGIN(task);
    for (unsigned role = 0; role < core->width; role++) {
        epoch->io[role].error = 0;
        if (mask_has(epoch->members, role))
            write_segment(core, task, epoch, role);
    }
    TASK_WAIT(task);
    for (unsigned role = 0; role < core->width; role++)
        member_failed(core, &epoch->io[role]);
    for (struct page *page = epoch->first; page != NULL; page = page->next)
        if (page->logged)
            member_failed(core, &page->io);
    while (!core->dead && !config_is_durable(core)) {
        config_wait(core, task);
        TASK_WAIT(task);
    }
    core->epochs.writing = NULL;
    log_written(core, epoch);
    TASK_END(task);
}

/*
 * Sends the open epoch to the log.  If a ring lacks room, a checkpoint has to come first.  If a
 * member has failed, the superblocks have to say so first: the epoch has no segment of that
 * member, and after a crash it would be whole without it.
 */
bool log_begin(struct core *core)
{
    struct epoch *epoch = core->epochs.open;
    if (!config_is_durable(core))
        return false;
    epoch->members = settle_records(core, epoch);
    for (unsigned role = 0; role < core->width; role++) {
        if (!mask_has(epoch->members, role))
            continue;
        const struct member *member = &core->member[role];
        if (log_is_half_full(core, member) ||
            core->epochs.bare > (uint64_t)MOST_BARE * core->width)
            core->checkpoint.wanted = true;
        if (!fits(core, member, epoch->blocks[role])) {
            core->checkpoint.wanted = true;
            return false;
        }
    }
    for (unsigned role = 0; role < core->width; role++)
        core->epochs.bare += epoch->count[role] - epoch->blocks[role];
    core->epochs.writing = epoch;
    core->epochs.open = NULL;
    task_start(core, &core->epochs.writer, write_epoch);
    task_wake_all(core, &core->epochs.room);
    return true;
}
