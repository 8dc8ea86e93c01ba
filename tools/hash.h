/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SHA-256 of a whole file, by OpenSSL's libcrypto.
 *
 * It can only be computed in order, so it is computed where the pipeline puts stripes one after
 * the other.
 */
#ifndef PXR_TOOLS_HASH_H
#define PXR_TOOLS_HASH_H

#include "stripe.h"

struct hash {
    struct evp_md_ctx_st *context;
};

/* Begins, or begins again.  Returns STATUS_OK, or STATUS_SYSTEM with a message. */
int hash_start(struct hash *hash);

/* Adds the data of one stripe.  The message of a failure goes to the stripe. */
int hash_add(struct hash *hash, struct stripe *stripe, const struct shard_header *header);

/* Returns the result; prints a message if there is none.  Nothing may be added afterwards. */
int hash_end(struct hash *hash, uint8_t result[SHARD_HASH_SIZE]);

/* May be called in any state, also before hash_start() if everything is zero. */
void hash_free(struct hash *hash);

/* Hashes bytes in memory. */
int hash_of(const void *bytes, size_t length, uint8_t result[SHARD_HASH_SIZE]);

/* Writes a hash as 64 hexadecimal digits, as sha256sum prints it. */
#define HASH_TEXT_SIZE (2 * SHARD_HASH_SIZE + 1)
void hash_text(const uint8_t hash[SHARD_HASH_SIZE], char out[HASH_TEXT_SIZE]);

#endif
