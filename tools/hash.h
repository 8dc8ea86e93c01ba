/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SHA-256 of a whole file, by OpenSSL's libcrypto.
 *
 * It can only be computed in order: from where the pipeline puts stripes in
 * their turn.
 */
#ifndef PXR_TOOLS_HASH_H
#define PXR_TOOLS_HASH_H

#include "stripe.h"

struct hash {
    struct evp_md_ctx_st *context;
};

/* Begin, or begin again.  Returns STATUS_OK or STATUS_SYSTEM, with a message printed. */
int hash_start(struct hash *hash);

/* The data of one stripe; the message of a failure is the stripe's. */
int hash_add(struct hash *hash, struct stripe *stripe, const struct shard_header *header);

/* The result, with a message printed if there is none; nothing may be added after it. */
int hash_end(struct hash *hash, uint8_t result[SHARD_HASH_SIZE]);

/* For any state, also before hash_start() where all is zero. */
void hash_free(struct hash *hash);

/* Of bytes in memory. */
int hash_of(const void *bytes, size_t length, uint8_t result[SHARD_HASH_SIZE]);

/* In 64 hexadecimal digits, as sha256sum prints it. */
#define HASH_TEXT_SIZE (2 * SHARD_HASH_SIZE + 1)
void hash_text(const uint8_t hash[SHARD_HASH_SIZE], char out[HASH_TEXT_SIZE]);

#endif
