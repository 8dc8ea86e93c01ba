/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "hash.h"

#include "hex.h"
#include "message.h"

#include <openssl/evp.h>

static const char cannot[] = "libcrypto cannot compute a SHA-256";

int hash_start(struct hash *hash)
{
    /* A faulty OpenSSL configuration of the machine must not keep owners from their files. */
    OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL);
    if (hash->context == NULL)
        hash->context = EVP_MD_CTX_new();
    if (hash->context != NULL && EVP_DigestInit_ex(hash->context, EVP_sha256(), NULL) == 1)
        return STATUS_OK;
    return complain(STATUS_SYSTEM, "%s", cannot);
}

int hash_add(struct hash *hash, struct stripe *stripe, const struct shard_header *header)
{
    struct iovec vector[PXR_MAX_SHARDS];
    int count = stripe_data(stripe, header, vector);
    for (int i = 0; i < count; i++)
        if (EVP_DigestUpdate(hash->context, vector[i].iov_base, vector[i].iov_len) != 1)
            return stripe_fail(stripe, STATUS_SYSTEM, "%s", cannot);
    return STATUS_OK;
}

int hash_end(struct hash *hash, uint8_t result[SHARD_HASH_SIZE])
{
    if (EVP_DigestFinal_ex(hash->context, result, NULL) == 1)
        return STATUS_OK;
    return complain(STATUS_SYSTEM, "%s", cannot);
}

void hash_free(struct hash *hash)
{
    EVP_MD_CTX_free(hash->context);
    hash->context = NULL;
}

int hash_of(const void *bytes, size_t length, uint8_t result[SHARD_HASH_SIZE])
{
    struct hash hash = {NULL};
    int status = hash_start(&hash);
    if (status == STATUS_OK)
        status = EVP_DigestUpdate(hash.context, bytes, length) == 1
                     ? hash_end(&hash, result)
                     : complain(STATUS_SYSTEM, "%s", cannot);
    hash_free(&hash);
    return status;
}

void hash_text(const uint8_t hash[SHARD_HASH_SIZE], char out[HASH_TEXT_SIZE])
{
    hex_text(hash, SHARD_HASH_SIZE, out);
}
