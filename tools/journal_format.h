/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The journal of a repair in place, version 1, as pure functions on bytes: there is no input,
 * no output and no allocation here. doc/format.md is the specification.
 *
 *     head     552 bytes, written when all entries are on the disk
 *     entry    32 bytes, and then the new bytes of the shard
 *     ...
 *
 * An entry covers whole blocks of the shard: a record, and the bytes around it.  The reason is
 * that a write that is interrupted by a power failure may destroy a whole block.
 */
#ifndef PXR_TOOLS_JOURNAL_FORMAT_H
#define PXR_TOOLS_JOURNAL_FORMAT_H

#include "shard.h"

enum {
    JOURNAL_HEAD_SIZE = 24 + SHARD_HEADER_SIZE + SHARD_CHECK_SIZE,
    JOURNAL_ENTRY_SIZE = 16 + SHARD_CHECK_SIZE,
    JOURNAL_BLOCK = 4096
};

/* No entry is longer: a record of the largest cell, with its blocks. */
#define JOURNAL_EXTENT_MAX (SHARD_CELL_MAX + 3u * JOURNAL_BLOCK)

struct journal_head {
    struct shard_header shard; /* the header of the shard: set, index and sizes */
    uint64_t entries;
};

struct journal_entry {
    uint64_t offset; /* in the shard */
    uint64_t length;
    uint8_t check[SHARD_CHECK_SIZE];
};

/* Makes ".permxor-0123456789abcdef.journal" from the last component of the shard's path. */
#define JOURNAL_NAME_SIZE 40
void journal_name(const char *shard_name, char out[JOURNAL_NAME_SIZE]);

/*
 * Tells what the first bytes of a journal of `size` bytes are.  JOURNAL_VOID: the head was
 * never written, or not completely, so nothing in the shard was changed. *head is written only
 * for JOURNAL_COMPLETE.
 */
enum journal_state { JOURNAL_COMPLETE, JOURNAL_VOID, JOURNAL_DAMAGED };
void journal_head_encode(const struct journal_head *head, uint8_t out[JOURNAL_HEAD_SIZE]);
enum journal_state journal_head_decode(struct journal_head *head,
                                       const uint8_t in[JOURNAL_HEAD_SIZE], uint64_t size);

/* Returns the blocks of the shard that a range of bytes touches, up to the shard's end. */
struct journal_entry journal_extent(const struct shard_header *shard, uint64_t offset,
                                    uint64_t length);

/* Encodes an entry, and seals it over its bytes. */
void journal_entry_encode(struct journal_entry *entry, const uint8_t *bytes,
                          uint8_t out[JOURNAL_ENTRY_SIZE]);

/* Returns false when this is no entry of this shard, or when the entry is longer than the
   `room` that follows it in the file. */
bool journal_entry_decode(struct journal_entry *entry, const uint8_t in[JOURNAL_ENTRY_SIZE],
                          const struct shard_header *shard, uint64_t room);
bool journal_entry_intact(const struct journal_entry *entry, const uint8_t *bytes);

/* Copies the part of `length` bytes at an offset of the shard that is in the entry to the
   entry's bytes. */
void journal_overlay(const struct journal_entry *entry, uint8_t *bytes, uint64_t offset,
                     const uint8_t *from, uint64_t length);

/* Finds the stripes whose records touch the entry: from *first on, up to before *end. */
void journal_stripes(const struct shard_header *shard, const struct journal_entry *entry,
                     uint64_t *first, uint64_t *end);

/*
 * Gives a record as the shard has it.  If it is intact, it stays, whatever the journal says.
 * So a journal that is older than the shard does no harm, and entries that share a block may
 * come in any order.
 */
void journal_keep_record(const struct shard_header *shard, const struct journal_entry *entry,
                         uint8_t *bytes, uint64_t stripe, const uint8_t *record);

#endif
