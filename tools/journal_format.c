/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "journal_format.h"

#include "bytes.h"

#include <stdio.h>
#include <string.h>

static const uint8_t magic[8] = {0x89, 'P', 'X', 'J', '\r', '\n', 0x1a, '\n'};

enum { JOURNAL_VERSION = 1 };

/* Offsets in the head. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_FLAGS = 12,
    AT_ENTRIES = 16,
    AT_SHARD = 24,
    AT_CHECK = AT_SHARD + SHARD_HEADER_SIZE
};

/* Offsets in an entry. */
enum { AT_OFFSET = 0, AT_LENGTH = 8, AT_ENTRY_CHECK = 16 };

void journal_name(const char *shard_name, char out[JOURNAL_NAME_SIZE])
{
    snprintf(out, JOURNAL_NAME_SIZE, ".permxor-%016llx.journal",
             (unsigned long long)XXH3_64bits(shard_name, strlen(shard_name)));
}

/* ----------------------------------------------------------------- head -- */

void journal_head_encode(const struct journal_head *head, uint8_t out[JOURNAL_HEAD_SIZE])
{
    memcpy(out + AT_MAGIC, magic, sizeof magic);
    put(out + AT_VERSION, JOURNAL_VERSION, 4);
    put(out + AT_FLAGS, 0, 4);
    put(out + AT_ENTRIES, head->entries, 8);
    shard_header_encode(&head->shard, out + AT_SHARD);
    put_hash(out + AT_CHECK, XXH3_128bits(out, AT_CHECK));
}

enum journal_state journal_head_decode(struct journal_head *head,
                                       const uint8_t in[JOURNAL_HEAD_SIZE], uint64_t size)
{
    struct journal_head parsed;
    uint8_t check[SHARD_CHECK_SIZE];
    if (size < JOURNAL_HEAD_SIZE || all_zero(in + AT_MAGIC, sizeof magic) ||
        all_zero(in + AT_CHECK, sizeof check))
        return JOURNAL_VOID;
    put_hash(check, XXH3_128bits(in, AT_CHECK));
    parsed.entries = get(in + AT_ENTRIES, 8);
    if (memcmp(in + AT_MAGIC, magic, sizeof magic) != 0 ||
        memcmp(in + AT_CHECK, check, sizeof check) != 0 ||
        get(in + AT_VERSION, 4) != JOURNAL_VERSION || get(in + AT_FLAGS, 4) != 0 ||
        parsed.entries > (size - JOURNAL_HEAD_SIZE) / JOURNAL_ENTRY_SIZE ||
        shard_header_decode(&parsed.shard, in + AT_SHARD) != SHARD_PARSED)
        return JOURNAL_DAMAGED;
    *head = parsed;
    return JOURNAL_COMPLETE;
}

/* -------------------------------------------------------------- entries -- */

struct journal_entry journal_extent(const struct shard_header *shard, uint64_t offset,
                                    uint64_t length)
{
    uint64_t size = shard_file_size(shard);
    uint64_t first = offset / JOURNAL_BLOCK, last = (offset + length - 1) / JOURNAL_BLOCK;
    uint64_t end = (last + 1) * JOURNAL_BLOCK;
    struct journal_entry entry = {.offset = first * JOURNAL_BLOCK};
    entry.length = (end < size ? end : size) - entry.offset;
    return entry;
}

/* Seals the bytes and their place. */
static void seal(const struct journal_entry *entry, const uint8_t *bytes,
                 uint8_t out[SHARD_CHECK_SIZE])
{
    uint8_t place[AT_ENTRY_CHECK];
    put(place + AT_OFFSET, entry->offset, 8);
    put(place + AT_LENGTH, entry->length, 8);
    put_hash(out, XXH3_128bits_withSeed(bytes, (size_t)entry->length,
                                        XXH3_64bits(place, sizeof place)));
}

void journal_entry_encode(struct journal_entry *entry, const uint8_t *bytes,
                          uint8_t out[JOURNAL_ENTRY_SIZE])
{
    seal(entry, bytes, entry->check);
    put(out + AT_OFFSET, entry->offset, 8);
    put(out + AT_LENGTH, entry->length, 8);
    memcpy(out + AT_ENTRY_CHECK, entry->check, SHARD_CHECK_SIZE);
}

bool journal_entry_decode(struct journal_entry *entry, const uint8_t in[JOURNAL_ENTRY_SIZE],
                          const struct shard_header *shard, uint64_t room)
{
    uint64_t size = shard_file_size(shard);
    struct journal_entry parsed = {get(in + AT_OFFSET, 8), get(in + AT_LENGTH, 8), {0}};
    memcpy(parsed.check, in + AT_ENTRY_CHECK, SHARD_CHECK_SIZE);
    if (parsed.length == 0 || parsed.length > JOURNAL_EXTENT_MAX || parsed.length > room ||
        parsed.offset >= size || parsed.length > size - parsed.offset ||
        parsed.offset % JOURNAL_BLOCK != 0 ||
        (parsed.length % JOURNAL_BLOCK != 0 && parsed.length != size - parsed.offset))
        return false;
    *entry = parsed;
    return true;
}

bool journal_entry_intact(const struct journal_entry *entry, const uint8_t *bytes)
{
    uint8_t check[SHARD_CHECK_SIZE];
    seal(entry, bytes, check);
    return memcmp(check, entry->check, sizeof check) == 0;
}

void journal_overlay(const struct journal_entry *entry, uint8_t *bytes, uint64_t offset,
                     const uint8_t *from, uint64_t length)
{
    uint64_t end = entry->offset + entry->length;
    uint64_t first = offset > entry->offset ? offset : entry->offset;
    uint64_t last = offset + length < end ? offset + length : end;
    if (first < last)
        memcpy(bytes + (first - entry->offset), from + (first - offset),
               (size_t)(last - first));
}

/* ------------------------------------------------------------- in place -- */

void journal_stripes(const struct shard_header *shard, const struct journal_entry *entry,
                     uint64_t *first, uint64_t *end)
{
    uint64_t record = (uint64_t)SHARD_CHECK_SIZE + shard->cell;
    bool behind_header = entry->offset > SHARD_HEADER_SIZE;
    *first = behind_header ? (entry->offset - SHARD_HEADER_SIZE) / record : 0;
    *end = shard_stripes_within(shard, entry->offset + entry->length);
}

void journal_keep_record(const struct shard_header *shard, const struct journal_entry *entry,
                         uint8_t *bytes, uint64_t stripe, const uint8_t *record)
{
    uint64_t length = shard_cell_length(shard, stripe);
    if (shard_cell_intact(shard, shard->index, stripe, record + SHARD_CHECK_SIZE,
                          (size_t)length, record))
        journal_overlay(entry, bytes, shard_record_offset(shard, stripe), record,
                        SHARD_CHECK_SIZE + length);
}
