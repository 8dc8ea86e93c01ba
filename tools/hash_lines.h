/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lines that `permxor hash` prints and `permxor verify --hashes` reads: linear hashes of
 * shards (permxor_hash.h), each with all that is needed to check it where no shard is.
 * doc/hash.md specifies the lines.
 */
#ifndef PXR_TOOLS_HASH_LINES_H
#define PXR_TOOLS_HASH_LINES_H

#include "coding.h"
#include "permxor_hash.h"
#include "shard.h"

/* In place of the number of a stripe: the hash is that of the whole shard. */
#define HASH_WHOLE UINT64_MAX

enum {
    /* Bytes of the longest hash of a shard: a code of packets has one hash for each packet of a
       unit. */
    HASH_SUM_MOST = CODING_W_MOST * PXR_MAX_HASH,
    /* The other fields of a line take less than 512 bytes. */
    HASH_LINE_MOST = 2 * HASH_SUM_MOST + 512,
    HASH_KEY_ID = 8,
    HASH_KEY_TEXT = 2 * HASH_KEY_ID + 1,
    HASH_WHY = 96
};

/* Whether there is a hash, or why there is none. */
enum sum_state { SUM_GOOD, SUM_DAMAGED, SUM_UNREADABLE };

struct hash_line {
    /* The set and the index.  A line has neither the name nor attributes of the file. */
    struct shard_header header;
    unsigned size;           /* of a hash: 4, 8 or 16 bytes */
    char key[HASH_KEY_TEXT]; /* HASH_NO_KEY, or the id of the key */
    uint64_t stripe;         /* or HASH_WHOLE */
    enum sum_state state;
    uint8_t sum[HASH_SUM_MOST]; /* if the state is good */
};

#define HASH_NO_KEY "none"

/* Returns the number of hashes of which the hash of a shard consists, see pxr_hash_bytes(). */
unsigned hash_parts(const struct shard_header *header);

/* Prints a line to standard output. */
void hash_line_print(const struct hash_line *line);

/*
 * Reads a line without its line end.  Destroys the text.  Returns false with the reason when it
 * is no such line, or when its values contradict each other.
 */
bool hash_line_parse(char *text, struct hash_line *line, char why[HASH_WHY]);

#endif
