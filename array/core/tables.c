/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages of the region map and of checksums, headers of segments, and checksums of blocks. */
#include "config.h"

#include "disk.h"

#include "bytes.h"

#include <string.h>

/* ------------------------------------------------------------ table pages -- */

enum {
    PAGE_TABLE = 8,
    PAGE_ROLE = 12,
    PAGE_UUID = 16,
    PAGE_INDEX = 32,
    PAGE_SEQUENCE = 40,
    PAGE_CHECKSUM = 48
};

static const uint8_t page_magic[8] = "PXRAPAGE";

/* The checksum of a block, in which its own field counts as zeros. */
static void checksum_of(const uint8_t *block, unsigned field, uint8_t checksum[16])
{
    uint8_t copy[CORE_BLOCK];
    memcpy(copy, block, CORE_BLOCK);
    memset(copy + field, 0, 16);
    put_hash(checksum, XXH3_128bits(copy, CORE_BLOCK));
}

static bool checksum_is_right(const uint8_t *block, unsigned field)
{
    uint8_t checksum[16];
    checksum_of(block, field, checksum);
    return memcmp(checksum, block + field, 16) == 0;
}

void disk_page_put(uint8_t *block, const struct disk_page *page)
{
    memcpy(block, page_magic, sizeof page_magic);
    put(block + PAGE_TABLE, page->table, 4);
    put(block + PAGE_ROLE, page->role, 4);
    memcpy(block + PAGE_UUID, page->uuid, 16);
    put(block + PAGE_INDEX, page->index, 8);
    put(block + PAGE_SEQUENCE, page->sequence, 8);
    checksum_of(block, PAGE_CHECKSUM, block + PAGE_CHECKSUM);
}

/* Generations of regions are numbers of events. */
static bool entries_are_possible(const uint8_t *block, enum disk_table table)
{
    for (uint64_t i = 0; table == DISK_MAP && i < DISK_MAP_ENTRIES; i++)
        if (get(block + DISK_PAGE_HEADER + i * 8, 8) > DISK_MOST)
            return false;
    return true;
}

int disk_page_get(const uint8_t *block, struct disk_page *page, uint64_t super)
{
    if (all_zero(block, CORE_BLOCK))
        return PXA_ENONE;
    if (memcmp(block, page_magic, sizeof page_magic) != 0 ||
        !checksum_is_right(block, PAGE_CHECKSUM) || get(block + PAGE_TABLE, 4) != page->table ||
        get(block + PAGE_ROLE, 4) != page->role ||
        memcmp(block + PAGE_UUID, page->uuid, 16) != 0 ||
        get(block + PAGE_INDEX, 8) != page->index)
        return PXA_EDAMAGED;
    const uint64_t sequence = get(block + PAGE_SEQUENCE, 8);
    if (sequence > super + DISK_AHEAD || sequence > DISK_MOST ||
        !entries_are_possible(block, page->table))
        return PXA_EDAMAGED;
    page->sequence = sequence;
    return PXR_OK;
}

/* -------------------------------------------------------------------- log -- */

enum {
    LOG_ROLE = 8,
    LOG_COUNT = 12,
    LOG_UUID = 16,
    LOG_EPOCH = 32,
    LOG_POSITION = 40,
    LOG_PREVIOUS = 48,
    LOG_MEMBERS = 56,
    LOG_COMMITTED = 64,
    LOG_CHECKSUM = 80,
    LOG_ENTRIES = 96,
    LOG_ENTRY = 16,
    LOG_IN_PLACE = 1 /* a flag of an entry */
};

static const uint8_t log_magic[8] = "PXRALOG1";

uint64_t disk_segment_put(uint8_t *block, const struct disk_segment *segment)
{
    memset(block, 0, CORE_BLOCK);
    memcpy(block, log_magic, sizeof log_magic);
    put(block + LOG_ROLE, segment->role, 4);
    put(block + LOG_COUNT, segment->count, 4);
    memcpy(block + LOG_UUID, segment->uuid, 16);
    put(block + LOG_EPOCH, segment->epoch, 8);
    put(block + LOG_POSITION, segment->position, 8);
    put(block + LOG_PREVIOUS, segment->previous, 8);
    put(block + LOG_MEMBERS, segment->members, 8);
    put(block + LOG_COMMITTED, segment->committed, 8);
    for (unsigned i = 0; i < segment->count; i++) {
        put(block + LOG_ENTRIES + i * LOG_ENTRY, segment->entry[i].block, 8);
        put(block + LOG_ENTRIES + i * LOG_ENTRY + 8, segment->entry[i].sum, 4);
        put(block + LOG_ENTRIES + i * LOG_ENTRY + 12,
            segment->entry[i].in_place ? LOG_IN_PLACE : 0, 4);
    }
    checksum_of(block, LOG_CHECKSUM, block + LOG_CHECKSUM);
    return get(block + LOG_CHECKSUM, 8);
}

int disk_segment_get(const uint8_t *block, struct disk_segment *segment, uint64_t *chain)
{
    if (memcmp(block, log_magic, sizeof log_magic) != 0 ||
        !checksum_is_right(block, LOG_CHECKSUM) || get(block + LOG_ROLE, 4) != segment->role ||
        memcmp(block + LOG_UUID, segment->uuid, 16) != 0 ||
        get(block + LOG_POSITION, 8) != segment->position ||
        get(block + LOG_PREVIOUS, 8) != segment->previous ||
        get(block + LOG_COUNT, 4) > DISK_SEGMENT_ENTRIES ||
        get(block + LOG_EPOCH, 8) > DISK_MOST || get(block + LOG_COMMITTED, 8) > DISK_MOST)
        return PXA_EDAMAGED;
    segment->count = (unsigned)get(block + LOG_COUNT, 4);
    segment->epoch = get(block + LOG_EPOCH, 8);
    segment->members = get(block + LOG_MEMBERS, 8);
    segment->committed = get(block + LOG_COMMITTED, 8);
    for (unsigned i = 0; i < segment->count; i++) {
        segment->entry[i].block = get(block + LOG_ENTRIES + i * LOG_ENTRY, 8);
        segment->entry[i].sum = (uint32_t)get(block + LOG_ENTRIES + i * LOG_ENTRY + 8, 4);
        const uint64_t flags = get(block + LOG_ENTRIES + i * LOG_ENTRY + 12, 4);
        segment->entry[i].in_place = flags != 0;
        if (flags > LOG_IN_PLACE ||
            (segment->entry[i].sum == DISK_TRIMMED && !segment->entry[i].in_place))
            return PXA_EDAMAGED;
    }
    *chain = get(block + LOG_CHECKSUM, 8);
    return PXR_OK;
}

bool disk_entry_is_placed(const struct disk_entry *entry)
{
    return entry->in_place && entry->sum != DISK_TRIMMED;
}

unsigned disk_segment_blocks(const struct disk_segment *segment)
{
    unsigned blocks = 0;
    for (unsigned i = 0; i < segment->count; i++)
        blocks += !segment->entry[i].in_place;
    return blocks;
}

/* ------------------------------------------------------------------- sums -- */

/* The seed has the place, so that a block that was moved, or is of another array, is wrong. */
uint32_t disk_sum(const uint8_t uuid[16], unsigned role, uint64_t block, const uint8_t *bytes)
{
    uint8_t place[28];
    memcpy(place, uuid, 16);
    put(place + 16, role, 4);
    put(place + 20, block, 8);
    const XXH64_hash_t seed = XXH3_64bits(place, sizeof place);
    const uint32_t sum = (uint32_t)XXH3_64bits_withSeed(bytes, CORE_BLOCK, seed);
    return sum > DISK_TRIMMED ? sum : sum + 3;
}

bool disk_sum_matches(uint32_t sum, const uint8_t uuid[16], unsigned role, uint64_t block,
                      const uint8_t *bytes)
{
    if (sum == DISK_UNKNOWN || sum == DISK_TRIMMED)
        return false;
    if (sum == DISK_ZEROS)
        return all_zero(bytes, CORE_BLOCK);
    return disk_sum(uuid, role, block, bytes) == sum;
}

void disk_trim_note(struct disk_trim *trim, uint32_t sum, uint64_t sequence)
{
    uint64_t *newest = sum == DISK_TRIMMED ? &trim->trimmed : &trim->written;
    if (sum >= DISK_TRIMMED && sequence > *newest)
        *newest = sequence;
}

uint32_t disk_trim_settle(const struct disk_trim *trim, uint32_t sum)
{
    if (trim->trimmed > trim->written && sum > DISK_TRIMMED)
        return DISK_TRIMMED;
    return trim->trimmed < trim->written && sum == DISK_TRIMMED ? (uint32_t)DISK_UNKNOWN : sum;
}
