/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim_trouble.h"

#include "core/disk.h"

#include <string.h>

static pxa_mask bit(unsigned i)
{
    return (pxa_mask)1 << i;
}

static pxa_mask troubled(const struct sim_world *world)
{
    return world->suspect | sim_world_out(world);
}

/* ---------------------------------------------------------------- faults -- */

/* The first good superblock of a disk, or zeros. */
static struct disk_super super_of(const struct sim_image *image)
{
    struct disk_super super;
    uint8_t block[CORE_BLOCK];
    for (unsigned place = 0; image->page != NULL && place < DISK_PLACES; place++) {
        sim_image_read(image, disk_super_at(place, sim_image_size(image)), CORE_BLOCK, block);
        if (disk_super_get(block, place, &super) == PXR_OK)
            return super;
    }
    return (struct disk_super){0};
}

static uint64_t number_at(const uint8_t *bytes, unsigned size)
{
    uint64_t number = 0;
    for (unsigned i = size; i > 0; i--)
        number = number << 8 | bytes[i - 1];
    return number;
}

/* Whether a header says that a block of the data belongs to its segment, or did once. */
static bool has_in_place(const uint8_t *header, uint64_t block)
{
    if (memcmp(header, "PXRALOG1", 8) != 0)
        return false;
    for (uint64_t i = 0; i < number_at(header + 12, 4) && i < DISK_SEGMENT_ENTRIES; i++)
        if (number_at(header + 96 + 16 * i, 8) == block &&
            number_at(header + 96 + 16 * i + 12, 4) != 0)
            return true;
    return false;
}

/* Whether a byte of a disk may be a part of the log.  The header that says so may still be on
   its way, while the block is there already. */
static bool is_log(const struct sim_member *disk, const struct disk_layout *layout, uint64_t at)
{
    const struct sim_image *image = &disk->view;
    uint8_t header[CORE_BLOCK];
    for (unsigned i = 0; at >= layout->data_at && i < disk->waiting.count; i++)
        if (disk->waiting.request[i].bytes != NULL &&
            has_in_place(disk->waiting.request[i].bytes, (at - layout->data_at) / CORE_BLOCK))
            return true;
    for (uint64_t i = 0; at >= layout->data_at && i < layout->log_blocks; i++) {
        sim_image_read(image, layout->log_at + i * CORE_BLOCK, CORE_BLOCK, header);
        if (has_in_place(header, (at - layout->data_at) / CORE_BLOCK))
            return true;
    }
    return false;
}

static void damage(struct sim_world *world, unsigned role, uint64_t at, struct dice *dice)
{
    sim_member_flip(world->disk[role], at, (unsigned)dice_below(dice, 8));
    world->damaged |= bit(role);
    world->heals &= ~bit(role);
}

/* Flips a bit in the data.  What belongs to a segment of the log is left alone, as the log is.
 */
static void flip_data(struct sim_world *world, unsigned role, struct dice *dice)
{
    const struct disk_layout layout = super_of(&world->disk[role]->stable).layout;
    const uint64_t len = layout.stripes * world->setup->shape.chunk;
    const uint64_t at = layout.data_at + dice_below(dice, (size_t)len);
    if (!is_log(world->disk[role], &layout, at))
        damage(world, role, at, dice);
}

/* Flips a bit in the data, in the checksums, or in the superblock of a place. */
static void flip(struct sim_world *world, unsigned role, struct dice *dice)
{
    const struct disk_layout layout = super_of(&world->disk[role]->stable).layout;
    const uint64_t size = sim_image_size(&world->disk[role]->stable);
    const size_t what = dice_below(dice, 10);
    uint64_t at = layout.sums_at, len = layout.sums_pages * 2 * CORE_BLOCK;
    if (what > 1) {
        flip_data(world, role, dice);
        return;
    }
    if (what == 1) {
        at = disk_super_at((unsigned)dice_below(dice, DISK_PLACES), size);
        len = CORE_BLOCK;
    }
    damage(world, role, at + dice_below(dice, (size_t)len), dice);
    world->tables |= bit(role);
}

static void make_fault(struct sim_world *world, unsigned role, struct dice *dice)
{
    struct sim_faults *faults = &world->disk[role]->faults;
    const unsigned soon = 1 + (unsigned)dice_below(dice, 6);
    const size_t kind = dice_below(dice, 8);
    sim_note(world->tally, "%u: fault %zu of role %u", world->depth, kind, role);
    switch (kind) {
    case 0:
        faults->error[SIM_READ] = soon;
        break;
    case 1:
        faults->error[SIM_WRITE] = soon;
        break;
    case 2:
        faults->error[SIM_FLUSH] = soon;
        break;
    case 3:
        faults->lose = soon;
        break;
    case 4:
        faults->misdirect = soon;
        break;
    case 5:
        faults->dead = true;
        break;
    case 6:
        if (core_fail(world->core, role) != PXR_OK)
            sim_world_wrong(world, "core_fail", "refused");
        world->tally->changes++;
        break;
    default:
        for (unsigned flips = soon; flips > 0; flips--)
            flip(world, role, dice);
        break;
    }
    world->suspect |= bit(role);
}

/* --------------------------------------------------------------- repairs -- */

/* Takes a disk out of the array, if it is not out already.  Its rebuild may be under way.  If
   it does not drain, operations go on while another disk comes. */
static bool take_out(struct sim_world *world, unsigned role, bool drain)
{
    struct core_status status;
    core_status(world->core, &status);
    if (status.state[role] != CORE_FAILED) {
        if (core_fail(world->core, role) != PXR_OK) {
            sim_world_wrong(world, "core_fail", "refused");
            return false;
        }
        world->tally->changes++;
    }
    if (drain)
        sim_world_drain(world);
    return !world->broken;
}

/* What is left of the disk of a role, with the uuid in its superblock, or nothing. */
static struct sim_image old_disk(const struct sim_world *world, unsigned role, uint8_t uuid[16])
{
    const struct sim_image *image =
        world->disk[role] != NULL ? &world->disk[role]->stable : &world->away[role];
    struct disk_super super = super_of(image);
    memcpy(uuid, super.member_uuid, sizeof super.member_uuid);
    return super.chunk != 0 ? sim_image_copy(image) : (struct sim_image){0, NULL};
}

/* Puts a new disk into the role, or one that was there before. */
static void repair(struct sim_world *world, unsigned role, struct dice *dice)
{
    uint8_t uuid[16];
    struct sim_image content = {0, NULL};
    if (!take_out(world, role, dice_percent(dice, 50)))
        return;
    if (dice_percent(dice, 50) && !((world->damaged | sim_world_liars(world)) & bit(role)))
        content = old_disk(world, role, uuid);
    if (content.page != NULL && dice_percent(dice, 70) &&
        sim_world_readd(world, role, sim_image_copy(&content))) {
        sim_image_free(&content);
        world->suspect &= ~bit(role);
        return;
    }
    if (content.page == NULL) {
        content = sim_used_disk(world->setup, dice);
        memset(uuid, (int)(16 + dice_below(dice, 200)), sizeof uuid);
        uuid[0] = (uint8_t)role;
    }
    sim_world_replace(world, role, content, uuid);
    world->suspect &= ~bit(role);
    world->damaged &= ~bit(role);
    world->tables &= ~bit(role);
    world->heals &= ~bit(role);
    world->liars &= ~bit(role);
}

/* Rot in a member, or a repair of the members that have it. */
void sim_rot(struct sim_world *world, struct dice *dice)
{
    const unsigned width = world->setup->k + world->setup->m;
    const unsigned role = (unsigned)dice_below(dice, width);
    const pxa_mask trouble = troubled(world) | bit(role);
    if (sim_world_out(world) & bit(role))
        repair(world, role, dice);
    else if (dice_percent(dice, 40))
        sim_world_scrub(world, true);
    else if ((unsigned)__builtin_popcountll(trouble) <= world->setup->m) {
        world->suspect |= bit(role);
        for (unsigned flips = 4; flips > 0; flips--)
            flip_data(world, role, dice);
    }
}

void sim_trouble(struct sim_world *world, struct dice *dice)
{
    const unsigned width = world->setup->k + world->setup->m;
    const unsigned role = (unsigned)dice_below(dice, width);
    const pxa_mask trouble = troubled(world);
    const bool is_rot = (world->damaged & ~(world->tables | sim_world_out(world))) & bit(role);
    if (is_rot && dice_percent(dice, 60))
        sim_world_scrub(world, true);
    else if (trouble & bit(role))
        repair(world, role, dice);
    else if ((unsigned)__builtin_popcountll(trouble) < world->setup->m)
        make_fault(world, role, dice);
}
