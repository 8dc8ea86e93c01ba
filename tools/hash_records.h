/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of all files that `permxor verify --hashes` reads, in order. */
#ifndef PXR_TOOLS_HASH_RECORDS_H
#define PXR_TOOLS_HASH_RECORDS_H

#include "hash_lines.h"

/* What lines that follow one another have in common. */
struct hash_source {
    struct hash_source *next;
    const char *file;           /* its name in messages */
    struct shard_header header; /* index 0 */
    unsigned size;              /* of a hash */
    char key[HASH_KEY_TEXT];    /* as in struct hash_line */
};

struct hash_record {
    const struct hash_source *source;
    uint64_t line;   /* its number in the file */
    uint64_t stripe; /* or HASH_WHOLE */
    unsigned shard;
    enum sum_state state;
    uint8_t *sum; /* if the state is good, else NULL */
};

/* Initialize with zeros. */
struct hash_records {
    struct hash_source *sources;
    struct hash_record *records;
    size_t count, room;
};

/*
 * Adds the lines of a file, or of standard input for "-".  Any line that is not one of
 * `permxor hash` is an error.  Returns STATUS_OK, or another status with a message.
 */
int hash_records_read(struct hash_records *records, const char *path);

/*
 * Sorts by set, then by stripe with the hashes of whole shards first, then by shard.  Among
 * several records of the same hash, those that have it come first.
 */
void hash_records_sort(struct hash_records *records);

void hash_records_free(struct hash_records *records);

#endif
