/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the shards of a set belong together, from the records of their hashes.
 *
 * A set may have hashes of stripes, of whole shards, or of both.  The hashes of one stripe, or
 * those of whole shards, are an item here: they are compared with one another.
 *
 * A hash that is not there counts as a cell that is lost, so an item can be compared when it
 * has more than k hashes.  The hashes of an item are a stripe of a small code, see
 * hash/hash_code.c.
 */
#ifndef PXR_TOOLS_HASH_CHECK_H
#define PXR_TOOLS_HASH_CHECK_H

#include "hash_records.h"
#include "tally.h"

/* What is known from hashes of stripes, or from those of whole shards. */
struct hash_level {
    struct tally disagreeing; /* items whose hashes do not belong together */
    struct tally unexplained; /* of these: no single shard explains it */
    struct hash_level_shard {
        struct tally wrong; /* items in which this shard's hash disagrees with the others */
        struct tally damaged, unreadable; /* items in which it has no hash, for this reason */
        uint64_t compared;                /* the number of items in which it was compared */
    } shard[PXR_MAX_SHARDS];
};

struct hash_check {
    struct shard_header header;
    pxr_hash *hash;
    pxr_code *code; /* of the hashes: a code of packets has packets of the size of a hash */
    size_t bytes;   /* of a hash of a shard */
    uint8_t *room;  /* for the hashes of k shards */
    const struct hash_record *first[PXR_MAX_SHARDS]; /* record of each shard, or NULL */
    bool whole_good[PXR_MAX_SHARDS];                 /* all cells of the shard are intact */
    bool striped[PXR_MAX_SHARDS];                    /* there are records of its stripes */
    struct hash_level stripes, whole;
    /* Stripes that may have fewer than k intact cells: */
    struct tally lost;     /* certainly */
    struct tally unhashed; /* it depends on cells that have no record */
    struct tally hidden;   /* ... on cells of bad shards that have only a record of the whole */
    struct tally blocked;  /* ... on cells that cannot be read */
};

/*
 * Checks the records of one set, which are sorted.  Returns STATUS_OK when there is a result,
 * or another status with a message.  The caller frees it in both cases.
 */
int hash_check_set(struct hash_check *check, const struct hash_record *records, size_t count);
void hash_check_free(struct hash_check *check);

/* Return k + m, and whether a shard was compared with others in all its stripes. */
unsigned hash_check_size(const struct hash_check *check);
bool hash_check_compared(const struct hash_check *check, unsigned index);

/* Prints the result, unless `quiet` is true and there is no damage.  Returns the status of
   verify. */
int hash_check_report(const struct hash_check *check, bool quiet);

#endif
