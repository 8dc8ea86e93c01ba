/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim_verify.h"

#include "core/disk.h"
#include "judge.h"
#include "reference.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct disks {
    struct sim_world *world;
    struct disk_super super;
    unsigned width;
    uint8_t block[SIM_DISKS][CORE_BLOCK]; /* of a row, by role */
};

static void wrong(struct disks *disks, const char *what, uint64_t number, unsigned role)
{
    char detail[100];
    snprintf(detail, sizeof detail, "%s of block %" PRIu64 ", role %u", what, number, role);
    sim_world_wrong(disks->world, "a wrong disk", detail);
}

static uint64_t number_at(const uint8_t *bytes, unsigned size)
{
    uint64_t number = 0;
    for (unsigned i = size; i > 0; i--)
        number = number << 8 | bytes[i - 1];
    return number;
}

static void read_block(const struct disks *disks, unsigned role, uint64_t at, uint8_t *block)
{
    sim_image_read(&disks->world->disk[role]->stable, at, CORE_BLOCK, block);
}

/* ---------------------------------------------------------------- tables -- */

/* Reads the newer slot of a page of a table.  Returns false if none was ever written. */
static bool read_page(const struct disks *disks, unsigned role, enum disk_table table,
                      uint64_t index, uint8_t *block)
{
    const uint64_t begin =
        table == DISK_MAP ? disks->super.layout.map_at : disks->super.layout.sums_at;
    uint64_t newest = 0;
    uint8_t slot[CORE_BLOCK];
    bool found = false;
    for (unsigned i = 0; i < 2; i++) {
        struct disk_page page = {table, table == DISK_MAP ? 0 : role, disks->super.uuid, index,
                                 0};
        read_block(disks, role, begin + (2 * index + i) * CORE_BLOCK, slot);
        if (disk_page_get(slot, &page, disks->super.sequence) != PXR_OK ||
            (found && page.sequence < newest))
            continue;
        memcpy(block, slot, CORE_BLOCK);
        newest = page.sequence;
        found = true;
    }
    return found;
}

static bool is_written(const struct disks *disks, unsigned role, uint64_t stripe)
{
    const uint64_t region = stripe * disks->super.chunk / disks->super.region;
    uint8_t page[CORE_BLOCK];
    return read_page(disks, role, DISK_MAP, region / DISK_MAP_ENTRIES, page) &&
           number_at(page + DISK_PAGE_HEADER + region % DISK_MAP_ENTRIES * 8, 8) != 0;
}

static uint32_t sum_of(const struct disks *disks, unsigned role, uint64_t number)
{
    uint8_t page[CORE_BLOCK];
    if (!read_page(disks, role, DISK_SUMS, number / DISK_SUMS_ENTRIES, page))
        return DISK_ZEROS;
    return (uint32_t)number_at(page + DISK_PAGE_HEADER + number % DISK_SUMS_ENTRIES * 4, 4);
}

/* ------------------------------------------------------------------ rows -- */

/* md's P and Q for up to two, and Cauchy's matrix for more. */
static uint8_t coefficient(const struct core_shape *shape, unsigned r, unsigned column)
{
    return shape->parity <= 2 ? reference_pow(2, r * column)
                              : reference_inv((uint8_t)((shape->data + r) ^ column));
}

static void check_parity(struct disks *disks, const struct pxa_row *where, uint64_t number)
{
    const struct core_shape *shape = &disks->world->setup->shape;
    const uint8_t *data[SIM_DISKS];
    uint8_t coefficients[SIM_DISKS], parity[CORE_BLOCK];
    for (unsigned d = 0; d < shape->data; d++)
        data[d] = disks->block[where->member[d]];
    for (unsigned r = 0; r < shape->parity; r++) {
        const unsigned role = where->member[shape->data + r];
        for (unsigned d = 0; d < shape->data; d++)
            coefficients[d] = coefficient(shape, r, where->shard[d]);
        memset(parity, 0, sizeof parity);
        judge_dot(CORE_BLOCK, shape->data, coefficients, data, parity);
        if (memcmp(parity, disks->block[role], CORE_BLOCK) != 0)
            wrong(disks, "the parity", number, role);
    }
}

static void check_data(struct disks *disks, const struct pxa_row *where, uint64_t stripe,
                       unsigned row)
{
    const struct core_shape *shape = &disks->world->setup->shape;
    const uint64_t rows = shape->chunk / CORE_BLOCK;
    for (unsigned d = 0; d < shape->data; d++) {
        const size_t address = (size_t)((stripe * shape->data + d) * rows + row);
        if (!sim_model_may_read(&disks->world->model, address, 0, CORE_BLOCK,
                                disks->block[where->member[d]], UINT64_MAX))
            wrong(disks, "the data", address, where->member[d]);
    }
}

/* A row that nobody has written, or not since a trim, is zeros, whatever is in place. */
static bool is_blank(const struct disks *disks, uint64_t number, pxa_mask roles)
{
    for (unsigned role = 0; role < disks->width; role++)
        if ((roles >> role & 1) && sum_of(disks, role, number) != DISK_ZEROS &&
            sum_of(disks, role, number) != DISK_TRIMMED)
            return false;
    return true;
}

static void check_row(struct disks *disks, uint64_t stripe, unsigned row, pxa_mask roles)
{
    const struct core_shape *shape = &disks->world->setup->shape;
    const struct pxa_geometry geometry = {shape->data, shape->parity, PXA_LEFT_SYMMETRIC,
                                          shape->chunk,
                                          disks->super.layout.stripes * shape->chunk};
    const uint64_t number = stripe * (shape->chunk / CORE_BLOCK) + row;
    const bool blank = is_blank(disks, number, roles);
    struct pxa_row where;
    for (unsigned role = 0; role < disks->width; role++) {
        if (!(roles >> role & 1))
            continue;
        if (blank) {
            memset(disks->block[role], 0, CORE_BLOCK);
            continue;
        }
        read_block(disks, role, disks->super.layout.data_at + number * CORE_BLOCK,
                   disks->block[role]);
        if (!disk_sum_matches(sum_of(disks, role, number), disks->super.uuid, role, number,
                              disks->block[role]))
            wrong(disks, "the checksum", number, role);
    }
    if (roles != ((pxa_mask)1 << disks->width) - 1)
        return;
    pxa_row(&geometry, stripe, &where);
    check_parity(disks, &where, number);
    check_data(disks, &where, stripe, row);
}

void sim_verify(struct sim_world *world, pxa_mask roles)
{
    struct disks disks = {.world = world, .width = world->setup->k + world->setup->m};
    const unsigned rows = world->setup->shape.chunk / CORE_BLOCK;
    unsigned first = 0;
    uint8_t block[CORE_BLOCK];
    while (!(roles >> first & 1))
        first++;
    read_block(&disks, first, disk_super_at(0, world->setup->disk_size), block);
    if (disk_super_get(block, 0, &disks.super) != PXR_OK) {
        wrong(&disks, "the superblock", 1, first);
        return;
    }
    for (uint64_t stripe = 0; stripe < disks.super.layout.stripes; stripe++)
        for (unsigned row = 0; row < rows && is_written(&disks, first, stripe); row++)
            check_row(&disks, stripe, row, roles);
}
