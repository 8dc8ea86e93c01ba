/* SPDX-License-Identifier: BSD-3-Clause */
/* permxor.Hash: a pxr_hash.  It is immutable, so no lock is needed around it. */
#ifndef PERMXOR_PYTHON_HASH_H
#define PERMXOR_PYTHON_HASH_H

/* First, because Python wants to be before the headers of the system. */
#include "arguments.h"

#include <permxor_hash.h>

class Hash
{
  public:
    /* The sketch of Ceph, which has no key. */
    struct Sketch {
    };

    Hash(nb::handle size, nb::handle key);
    explicit Hash(Sketch);
    ~Hash()
    {
        pxr_hash_free(hash_);
    }
    Hash(const Hash &) = delete;
    Hash &operator=(const Hash &) = delete;

    unsigned size() const
    {
        return pxr_hash_size(hash_);
    }
    nb::object key() const;
    nb::bytes hash(nb::handle data, nb::handle offset, nb::handle start) const;
    nb::bytes combine(nb::handle sum, nb::handle part, nb::handle offset) const;

    /* Hashes of the shards of a code. */
    size_t size_of(nb::handle code) const;
    nb::bytes hash_shard(nb::handle code, nb::handle data, nb::handle offset,
                         nb::handle start) const;
    nb::list encode(nb::handle code, nb::handle sums) const;
    bool check(nb::handle code, nb::handle sums) const;
    nb::object locate(nb::handle code, nb::handle sums) const;

  private:
    size_t known_size_of(const pxr_code *code) const;

    pxr_hash *hash_;
    bool has_key_ = true;
    uint8_t key_[PXR_MAX_HASH] = {0, 1}; /* t, the key of a hash without one */
};

/* Reads an offset of up to 64 bits from any object that has __index__. */
uint64_t offset_of(nb::handle value);

/* Reads a hash of `size` bytes. */
void read_sum(nb::handle given, const char *name, uint8_t *sum, size_t size);

void bind_hash_of_code(nb::class_<Hash> &type);

#endif
