/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shard_hash.h - linear hashes of shards that are read in pieces of any size.
 */
#ifndef PERMXOR_CEPH_SHARD_HASH_H
#define PERMXOR_CEPH_SHARD_HASH_H

#include <cstdint>
#include <memory>

#include "../code.h"
#include "permxor_hash.h"
#include "text.h"

namespace permxor_ceph
{

/* A kind of hash (permxor_hash.h). */
class HashKind
{
  public:
    static constexpr unsigned size = 8; /* bytes */

    /* An empty key stands for the key that everybody knows.  Throws a Trouble for a key that
       is no key. */
    explicit HashKind(const Bytes &key = {});

    const pxr_hash *get() const
    {
        return hash_.get();
    }

    /* Tells whether two hosts have the same key.  It is the hash of a text. */
    std::string mark() const;

  private:
    struct Free {
        void operator()(pxr_hash *hash) const
        {
            pxr_hash_free(hash);
        }
    };
    std::unique_ptr<pxr_hash, Free> hash_;
};

/* The hash of a shard of a code. */
class ShardHash
{
  public:
    ShardHash(const HashKind &kind, const Code &code);

    /* Adds a piece of the shard.  Pieces may come in any order, and need not be whole units of
       the code.  Bytes that are in no piece count as zeros. */
    void add(uint64_t offset, size_t len, const uint8_t *piece);

    const Bytes &sum() const
    {
        return sum_;
    }

  private:
    void add_units(uint64_t offset, size_t len, const uint8_t *piece);
    size_t add_part(uint64_t offset, size_t len, const uint8_t *piece);

    const HashKind &kind_;
    const Code &code_;
    size_t unit_;
    Bytes sum_;
};

} // namespace permxor_ceph

#endif
