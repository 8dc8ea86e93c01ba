/* SPDX-License-Identifier: BSD-3-Clause */
/* The disks of a simulated array as core_format() leaves them. */
#include "sim_world.h"

#include "judge.h"

#include <stdio.h>
#include <string.h>

static void fill_shape(struct sim_setup *setup, const struct sim_shape *how)
{
    struct core_shape *shape = &setup->shape;
    *shape = (struct core_shape){.data = setup->k,
                                 .parity = setup->m,
                                 .chunk = how->chunk,
                                 .region = (uint64_t)how->chunk << how->region_shift,
                                 .log = (uint64_t)how->log_blocks * CORE_BLOCK};
    memset(shape->uuid, 0xaa, sizeof shape->uuid);
    for (unsigned i = 0; i < setup->k + setup->m; i++)
        memset(shape->member_uuid[i], (int)(i + 1), sizeof shape->member_uuid[i]);
    snprintf(shape->name, sizeof shape->name, "simulated");
}

struct sim_image sim_used_disk(const struct sim_setup *setup, struct dice *dice)
{
    struct sim_image image = sim_image_new(setup->disk_size);
    uint8_t page[SIM_PAGE];
    dice_fill(dice, page, sizeof page);
    for (uint64_t at = 0; at < setup->disk_size; at += SIM_PAGE, page[at / SIM_PAGE % 99]++)
        sim_image_write(&image, at, sizeof page, page);
    return image;
}

/* Formats disks of setup->disk_size and counts the stripes.  Returns 0 if that failed. */
static uint64_t try_format(struct sim_setup *setup)
{
    struct sim_world *world = sim_world_new(setup, 1);
    struct core_status status = {0};
    for (unsigned i = 0; i < setup->k + setup->m; i++)
        sim_world_add(world, i, sim_used_disk(setup, &world->dice));
    if (sim_world_format(world) == PXR_OK) {
        for (unsigned i = 0; i < setup->k + setup->m; i++)
            setup->blank[i] = sim_image_copy(&world->disk[i]->stable);
        if (sim_world_assemble(world) == PXR_OK) {
            core_status(world->core, &status);
            setup->blocks = (size_t)(status.capacity / SIM_BLOCK);
        }
    }
    sim_world_free(world);
    return status.stripes;
}

bool sim_setup_make(struct sim_setup *setup, const struct sim_shape *shape,
                    struct sim_tally *tally)
{
    judge_start();
    *setup = (struct sim_setup){.k = shape->k, .m = shape->m, .tally = tally};
    setup->options.pages = core_least_pages(shape->k, shape->m) + shape->spare_pages;
    setup->options.cache = shape->cache;
    setup->options.error_limit = 4;
    setup->options.batch = shape->batch;
    setup->options.shards = shape->shards;
    setup->options.sync_window = shape->sync_window;
    fill_shape(setup, shape);
    /* The smallest disks that hold the stripes. */
    setup->disk_size =
        (uint64_t)shape->stripes * shape->chunk + (shape->log_blocks + 8) * CORE_BLOCK;
    for (unsigned tries = 0; tries < 64; tries++, setup->disk_size += CORE_BLOCK) {
        const uint64_t stripes = try_format(setup);
        if (stripes >= shape->stripes)
            return stripes == shape->stripes;
        sim_setup_free(setup);
    }
    return false;
}

void sim_setup_free(struct sim_setup *setup)
{
    for (unsigned i = 0; i < SIM_DISKS; i++)
        sim_image_free(&setup->blank[i]);
}
