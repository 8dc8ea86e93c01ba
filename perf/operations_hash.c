/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linear hashes beside what other libraries check bytes with: CRC-32C (ISA-L) and XXH3 of 64
 * bits (libxxhash).  Their values are not those of the hashes, so no values are compared.
 */
#include "operations.h"

BATCH(own_hash, u8 sum[PXR_MAX_HASH] = {0};
      s->value = s->call.pxr_hash_add(s->hash, 0, size, row[0], sum) != PXR_OK)
BATCH(their_crc, s->call.crc32_iscsi(row[0], len, 0))
BATCH(their_xxh, s->call.XXH3_64bits(row[0], size))

static void hash_batch(void *context, size_t calls)
{
    const struct subject *s = context;
    if (s->hash != NULL)
        own_hash(context, calls);
    else if (s->call.crc32_iscsi != NULL)
        their_crc(context, calls);
    else
        their_xxh(context, calls);
}

static const char *has_checksum(const struct subject *s)
{
    return s->call.crc32_iscsi != NULL || s->call.XXH3_64bits != NULL
               ? NULL
               : "has no hash and no checksum";
}

static const char *make_hash(struct subject *s)
{
    const unsigned size = s->work->shape.operation->count;
    if (s->call.pxr_hash_create == NULL)
        return has_checksum(s);
    return s->call.pxr_hash_create(&s->hash, size, NULL, NULL) == PXR_OK ? NULL : out_of_memory;
}

static const char *make_sketch(struct subject *s)
{
    if (s->call.pxr_hash_create_ceph_71721 == NULL)
        return has_checksum(s);
    return s->call.pxr_hash_create_ceph_71721(&s->hash, NULL) == PXR_OK ? NULL : out_of_memory;
}

#define HASH(its_name, kind, size, make)                                                      \
    OPERATION(its_name, "pxr_hash_add of " kind "; of other libraries their CRC-32C or XXH3", \
              .group = GROUP_HASH, ON_BUFFERS(READS_ONE), .count = (size),                    \
              .batch = hash_batch, .prepare = (make))

const struct operation hash_operations[] = {
    HASH("hash4", "4 bytes", 4, make_hash),
    HASH("hash8", "8 bytes", 8, make_hash),
    HASH("hash16", "16 bytes", 16, make_hash),
    HASH("hash_ceph", "Ceph's pull request 71721", 4, make_sketch),
};
const size_t hash_operation_count = sizeof(hash_operations) / sizeof(hash_operations[0]);
