/* SPDX-License-Identifier: BSD-3-Clause */
/* The superblock. */
#include "config.h"

#include "disk.h"

#include "bytes.h"
#include "mask.h"

#include <string.h>

/* Where its fields are. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_INCOMPATIBLE = 12,
    AT_READ_ONLY = 16,
    AT_UUID = 24,
    AT_NAME = 40,
    AT_DATA = 72,
    AT_PARITY = 76,
    AT_CHUNK = 80,
    AT_MATRIX = 84,
    AT_ROTATION = 88,
    AT_BLOCK = 92,
    AT_MATRIX_HASH = 96,
    AT_REGION = 104,
    AT_MAP = 112,
    AT_LOG = 120,
    AT_LOG_BLOCKS = 128,
    AT_SUMS = 136,
    AT_BLOCKS = 144,
    AT_STRIPES = 152,
    AT_ROLE = 160,
    AT_PLACE = 164,
    AT_MEMBER_UUID = 168,
    AT_SEQUENCE = 184,
    AT_EVENTS = 192,
    AT_TAIL = 200,
    AT_COMMITTED = 208,
    AT_ROLES = 256,
    ROLE_SIZE = 48,
    AT_CHECKSUM = CORE_BLOCK - 16
};

static const uint8_t magic[8] = DISK_SUPER_MAGIC;

enum { FORMAT = 1, MATRIX_PQ = 1, MATRIX_CAUCHY = 2 };

uint64_t disk_super_at(unsigned place, uint64_t member_size)
{
    return place < 2 ? (place + 1) * (uint64_t)CORE_BLOCK
                     : (member_size / CORE_BLOCK - 1) * CORE_BLOCK;
}

static void put_layout(uint8_t *block, const struct disk_layout *layout)
{
    put(block + AT_MAP, layout->map_at, 8);
    put(block + AT_LOG, layout->log_at, 8);
    put(block + AT_LOG_BLOCKS, layout->log_blocks, 8);
    put(block + AT_SUMS, layout->sums_at, 8);
    put(block + AT_BLOCKS, layout->data_at, 8);
    put(block + AT_STRIPES, layout->stripes, 8);
}

static void put_role(uint8_t *at, const struct disk_role *role)
{
    memcpy(at, role->uuid, 16);
    put(at + 16, role->state, 4);
    put(at + 20, role->log_start, 4);
    put(at + 24, role->left, 8);
    put(at + 32, role->cursor, 8);
    put(at + 40, role->log_chain, 8);
}

void disk_super_put(uint8_t *block, const struct disk_super *super)
{
    memset(block, 0, CORE_BLOCK);
    memcpy(block + AT_MAGIC, magic, sizeof magic);
    put(block + AT_VERSION, FORMAT, 4);
    put(block + AT_INCOMPATIBLE, super->incompatible, 4);
    put(block + AT_READ_ONLY, super->read_only, 4);
    memcpy(block + AT_UUID, super->uuid, 16);
    memcpy(block + AT_NAME, super->name, sizeof super->name);
    put(block + AT_DATA, super->data, 4);
    put(block + AT_PARITY, super->parity, 4);
    put(block + AT_CHUNK, super->chunk, 4);
    put(block + AT_MATRIX, super->parity <= 2 ? MATRIX_PQ : MATRIX_CAUCHY, 4);
    put(block + AT_ROTATION, PXA_LEFT_SYMMETRIC, 4);
    put(block + AT_BLOCK, CORE_BLOCK, 4);
    put(block + AT_MATRIX_HASH, super->matrix_hash, 8);
    put(block + AT_REGION, super->region, 8);
    put_layout(block, &super->layout);
    put(block + AT_ROLE, super->role, 4);
    put(block + AT_PLACE, super->place, 4);
    memcpy(block + AT_MEMBER_UUID, super->member_uuid, 16);
    put(block + AT_SEQUENCE, super->sequence, 8);
    put(block + AT_EVENTS, super->events, 8);
    put(block + AT_TAIL, super->tail, 8);
    put(block + AT_COMMITTED, super->committed, 8);
    for (unsigned i = 0; i < super->data + super->parity; i++)
        put_role(block + AT_ROLES + i * ROLE_SIZE, &super->roles[i]);
    put_hash(block + AT_CHECKSUM, XXH3_128bits(block, AT_CHECKSUM));
}

static void get_layout(const uint8_t *block, struct disk_super *super)
{
    struct disk_layout *layout = &super->layout;
    layout->map_at = get(block + AT_MAP, 8);
    layout->log_at = get(block + AT_LOG, 8);
    layout->log_blocks = get(block + AT_LOG_BLOCKS, 8);
    layout->sums_at = get(block + AT_SUMS, 8);
    layout->data_at = get(block + AT_BLOCKS, 8);
    layout->stripes = get(block + AT_STRIPES, 8);
}

/* Nobody has left at a number of events that is still to come. */
static bool get_role(const uint8_t *at, const struct disk_super *super, struct disk_role *role)
{
    const uint64_t state = get(at + 16, 4);
    memcpy(role->uuid, at, 16);
    role->state = (enum core_member_state)state;
    role->left = get(at + 24, 8);
    role->cursor = get(at + 32, 8);
    role->log_start = get(at + 20, 4);
    role->log_chain = get(at + 40, 8);
    return role->log_start < super->layout.log_blocks &&
           role->cursor <= super->layout.stripes && role->left <= super->events &&
           state >= CORE_IN_SYNC && state <= CORE_FAILED;
}

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

/* No array comes to greater numbers. */
static bool numbers_are_possible(const struct disk_super *super)
{
    return super->sequence <= DISK_MOST && super->events <= DISK_MOST &&
           super->tail <= DISK_MOST && super->tail > 0 && super->committed <= DISK_MOST;
}

/* Whether the core can handle such an array. */
static bool is_possible(const uint8_t *block, const struct disk_super *super)
{
    return width_is_possible(super->data, super->parity) && is_power_of_two(super->chunk) &&
           super->chunk >= CORE_BLOCK && super->chunk <= 64 * CORE_BLOCK &&
           get(block + AT_MATRIX, 4) == (super->parity <= 2 ? MATRIX_PQ : MATRIX_CAUCHY) &&
           get(block + AT_ROTATION, 4) == PXA_LEFT_SYMMETRIC &&
           get(block + AT_BLOCK, 4) == CORE_BLOCK && super->region >= super->chunk &&
           super->region % super->chunk == 0 && super->role < super->data + super->parity;
}

int disk_super_get(const uint8_t *block, unsigned place, struct disk_super *super)
{
    uint8_t checksum[16];
    if (memcmp(block + AT_MAGIC, magic, sizeof magic) != 0)
        return PXA_ENONE;
    put_hash(checksum, XXH3_128bits(block, AT_CHECKSUM));
    if (memcmp(checksum, block + AT_CHECKSUM, sizeof checksum) != 0)
        return PXA_EDAMAGED;
    if (get(block + AT_VERSION, 4) != FORMAT || get(block + AT_INCOMPATIBLE, 4) != 0)
        return PXA_EREFUSED;
    *super = (struct disk_super){.place = (unsigned)get(block + AT_PLACE, 4)};
    super->read_only = (uint32_t)get(block + AT_READ_ONLY, 4);
    memcpy(super->uuid, block + AT_UUID, 16);
    memcpy(super->name, block + AT_NAME, sizeof super->name);
    super->data = (unsigned)get(block + AT_DATA, 4);
    super->parity = (unsigned)get(block + AT_PARITY, 4);
    super->chunk = (uint32_t)get(block + AT_CHUNK, 4);
    super->matrix_hash = get(block + AT_MATRIX_HASH, 8);
    super->region = get(block + AT_REGION, 8);
    get_layout(block, super);
    super->role = (unsigned)get(block + AT_ROLE, 4);
    memcpy(super->member_uuid, block + AT_MEMBER_UUID, 16);
    super->sequence = get(block + AT_SEQUENCE, 8);
    super->events = get(block + AT_EVENTS, 8);
    super->tail = get(block + AT_TAIL, 8);
    super->committed = get(block + AT_COMMITTED, 8);
    if (super->place != place || !is_possible(block, super) || !numbers_are_possible(super) ||
        super->name[sizeof super->name - 1] != 0)
        return PXA_EDAMAGED;
    for (unsigned i = 0; i < super->data + super->parity; i++)
        if (!get_role(block + AT_ROLES + i * ROLE_SIZE, super, &super->roles[i]))
            return PXA_EDAMAGED;
    return PXR_OK;
}

int disk_super_check(const uint8_t *block, unsigned place, uint64_t member_size,
                     struct disk_super *super)
{
    const int status = disk_super_get(block, place, super);
    return status == PXR_OK && !disk_layout_fits(super, member_size) ? PXA_EDAMAGED : status;
}

int disk_super_join(int status, struct disk_super *best, int here,
                    const struct disk_super *super)
{
    static const int order[] = {PXA_EREFUSED, PXR_OK, PXA_EDAMAGED, PXA_EIO};
    if (here == PXR_OK && (status != PXR_OK || super->sequence > best->sequence))
        *best = *super;
    for (unsigned i = 0; i < sizeof order / sizeof *order; i++)
        if (status == order[i] || here == order[i])
            return order[i];
    return PXA_ENONE;
}

uint64_t disk_config_hash(const struct disk_super *super)
{
    uint8_t text[8 + PXA_MAX_MEMBERS * 28];
    size_t length = 8;
    put(text, super->events, 8);
    for (unsigned i = 0; i < super->data + super->parity; i++, length += 28) {
        memcpy(text + length, super->roles[i].uuid, 16);
        put(text + length + 16, super->roles[i].state, 4);
        put(text + length + 20, super->roles[i].left, 8);
    }
    return XXH3_64bits(text, length);
}
